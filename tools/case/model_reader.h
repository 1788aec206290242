/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MODEL_READER_H
#define CUMSUM_TOOLS_MODEL_READER_H

/*
 * The readers of a case file's parts, which call each other from model.c (the file) down to
 * model_resource.c, model_values.c, model_dispatch.c, model_operator.c and model_tensor.c. A reader
 * that fails leaves what it has allocated in its output, for model_free and model_free_operator.
 */

#include "json_value.h"
#include "model.h"
#include "npy.h"
#include "word_table.h"

typedef struct model_reader {
    model *model;
    json_value resources;     /* the member of the root */
    json_value dispatchables; /* the member of the root */
    const char *folder;       /* relative paths start here */
    uint64_t memory;          /* bytes of all resources so far */
    tool_error *error;
} model_reader;

/* value: {"initialValues": ...}; its name is the resource's. */
tool_status model_read_resource(model_reader *reader, const json_value *value, model_resource *out);

/* value: {"type": ..., "desc": ...}; its name is the dispatchable's. */
tool_status model_read_dispatchable(model_reader *reader, const json_value *value,
                                    model_dispatchable *out);

/* Resources and dispatchables must have been read. */
tool_status model_read_command(model_reader *reader, const json_value *value, model_command *out);

/* What a TotalTensorSizeInBytes of 0 means: in a model, as in DxDispatch, that the reader computes
 * the size; in descriptors.jsonl it is the value that DirectML received. */
typedef enum model_zero_size {
    MODEL_ZERO_SIZE_COMPUTED,
    MODEL_ZERO_SIZE_KEPT
} model_zero_size;

/* The operator is the member "Desc" or "desc" of holder, or holder itself without them. If holder
 * has a type, it must be the cumulative summation's. */
tool_status model_read_operator(const json_value *holder, model_zero_size zero_size,
                                model_operator *out, tool_error *error);
tool_status model_read_tensor(const json_value *operator_desc, const char *name,
                              model_zero_size zero_size, model_tensor *out, tool_error *error);

/* "executionFlags" of a dispatchable or a descriptor; 0 where there are none. */
tool_status model_read_execution_flags(const json_value *holder, uint32_t *out, tool_error *error);

tool_status model_out_of_memory(const json_value *value, tool_error *error);

/* The initial values of a resource, read in two steps: the number of bytes, and then the bytes, so
 * that sizes are checked before memory is allocated. */

typedef enum model_values_kind {
    MODEL_VALUES_ARRAY,    /* [1, 2, 3] */
    MODEL_VALUES_LIST,     /* [{"type": "FLOAT32", "value": 1}, ...] */
    MODEL_VALUES_CONSTANT, /* {"value": 0, "valueCount": 3} */
    MODEL_VALUES_SEQUENCE, /* {"valueStart": 0, "valueDelta": 1, "valueCount": 3} */
    MODEL_VALUES_FILE      /* {"sourcePath": "x.npy"} */
} model_values_kind;

typedef struct model_values {
    model_values_kind kind;
    json_value source; /* the value of initialValues */
    cumsum_data_type type;
    uint64_t count; /* elements */
    uint64_t size;  /* bytes */
    npy_array file; /* of a raw file only bytes and size */
} model_values;

/* resource: the object that has the member initialValues. */
tool_status model_open_values(const model_reader *reader, const json_value *resource,
                              model_values *out);

/* Opens a data file, its path in source.sourcePath. */
tool_status model_open_file(const model_reader *reader, model_values *values);

/* Writes values->size bytes. */
tool_status model_fill_values(const model_values *values, unsigned char *out, tool_error *error);

void model_close_values(model_values *values);

/* One number as the bytes of its type, or an error that names type and range. */
tool_status model_store_number(const json_value *value, cumsum_data_type type, void *out,
                               tool_error *error);

/* An enumeration as case files write it: of DirectML or of this project. The last row of `words`
 * stays without a word. */
typedef struct model_enum {
    const char *type;   /* "DML_TENSOR_DATA_TYPE" */
    const char *prefix; /* that the names may have or not: "DML_TENSOR_DATA_TYPE_" */
    word_row words[15];
} model_enum;

extern const model_enum model_data_types;
extern const model_enum model_tensor_types;
extern const model_enum model_tensor_flags;
extern const model_enum model_execution_flags;
extern const model_enum model_axis_directions;
extern const model_enum model_orders;
extern const model_enum model_half_accumulators;
extern const model_enum model_half_stores;
extern const model_enum model_denormals;

/* A name of the enumeration, or any integer of 32 bits, which validation judges later. An unknown
 * name is an error. */
tool_status model_to_enum(const json_value *value, const model_enum *names, uint32_t *out,
                          tool_error *error);

/* A name of the enumeration and nothing else. */
tool_status model_to_name(const json_value *value, const model_enum *names, uint32_t *out,
                          tool_error *error);

/* One flag, or an array of flags that are combined. */
tool_status model_to_flags(const json_value *value, const model_enum *names, uint32_t *out,
                           tool_error *error);

#endif
