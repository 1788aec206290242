/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MODEL_H
#define CUMSUM_TOOLS_MODEL_H

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"
#include "json_value.h"

/*
 * A case file in memory: a DxDispatch model of cumulative summations (docs/file-format.md). Reading
 * is all or nothing: a model that was read has resolved every name, every enum and every number.
 */

/* A buffer and its contents, which dispatches change. */
typedef struct model_resource {
    char *name;
    cumsum_data_type type; /* of its initial values */
    unsigned char *bytes;  /* aligned to 64 bytes */
    uint64_t size;         /* bytes */
    uint64_t value_bytes; /* bytes that initial values cover, offset included: what `print` shows */
    struct model_resource *expected; /* the resource named "<name>.expected", or NULL */
} model_resource;

/* A tensor descriptor with its own arrays. */
typedef struct model_tensor {
    cumsum_tensor_desc desc; /* desc.desc points to buffer */
    cumsum_buffer_tensor_desc buffer;
    uint32_t *sizes;   /* may be NULL: then the descriptor is invalid, and validation says so */
    uint32_t *strides; /* NULL: packed */
    bool present;      /* false: the member is missing or null */
} model_tensor;

/* A descriptor of the operator as a dispatchable or a line of descriptors.jsonl holds it. */
typedef struct model_operator {
    model_tensor input;
    model_tensor output;
    cumsum_operator_desc desc; /* points into input and output */
} model_operator;

typedef struct model_dispatchable {
    char *name;
    model_operator op;
    cumsum_numerics numerics;
    bool has_numerics; /* a "numerics" member is there: what was promised */
    uint32_t execution_flags;
} model_dispatchable;

/* A part of a resource. */
typedef struct model_binding {
    model_resource *resource;
    uint64_t offset; /* bytes; a multiple of max(16, GuaranteedBaseOffsetAlignment) */
    uint64_t size;   /* bytes from the offset that may be accessed */
} model_binding;

typedef enum model_command_type {
    MODEL_COMMAND_DISPATCH,
    MODEL_COMMAND_PRINT,
    MODEL_COMMAND_WRITE_FILE
} model_command_type;

typedef struct model_command {
    model_command_type type;
    model_dispatchable *dispatchable; /* DISPATCH */
    model_binding input;              /* DISPATCH */
    model_binding output;             /* DISPATCH */
    model_resource *resource;         /* PRINT and WRITE_FILE */
    bool verbose;                     /* PRINT */
    char *target_path;                /* WRITE_FILE: resolved against the model's folder */
    uint32_t *dimensions;             /* WRITE_FILE: NULL, or the shape of the .npy */
    uint32_t dimension_count;
} model_command;

typedef struct model {
    char *path;
    model_resource *resources;
    size_t resource_count;
    model_dispatchable *dispatchables;
    size_t dispatchable_count;
    model_command *commands;
    size_t command_count;
} model;

/*
 * Reads the case file at path, and the data files that it names. On success *out is a model to be
 * freed with model_free. Otherwise NULL is returned in *out and error says what is wrong and where:
 * TOOL_MALFORMED for what the file says, TOOL_ENVIRONMENT for a file that cannot be read or memory
 * that cannot be had.
 * Does not validate operators (DirectML's rules are cumsum_validate's), but does check that each
 * dispatch binds ranges that lie in their resources.
 */
tool_status model_read(const char *path, model **out, tool_error *error);

/* The same from text in memory. `folder` is where relative paths start. For tests and fuzzing. */
tool_status model_read_text(const char *text, size_t length, const char *name, const char *folder,
                            model **out, tool_error *error);

void model_free(model *m);

/* The resource with this name, or NULL. */
model_resource *model_find_resource(const model *m, const char *name);

/* One line of descriptors.jsonl. */
typedef struct descriptor_line {
    char *name; /* "" where the line has none */
    model_operator op;
    cumsum_feature_level level; /* from "featureLevel" ("2_1", "4_0", "5_0"), else the default */
    uint32_t execution_flags;   /* from "executionFlags", else 0 */
    bool has_hresult;
    bool hresult_ok; /* S_OK; otherwise E_INVALIDARG */
} descriptor_line;

/* Reads one line of JSON. `path` and `line` (from 1) name the place in errors. */
tool_status descriptor_read_line(const char *text, size_t length, const char *path, uint64_t line,
                                 descriptor_line *out, tool_error *error);
void descriptor_line_free(descriptor_line *c);

/* How the parts of a model are read. What a failed call has allocated already is in its output,
 * for model_free and model_free_operator. */

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
tool_status model_read_dispatch(model_reader *reader, const json_value *value, model_command *out);

/* The resource that a string names. */
tool_status model_to_resource(model_reader *reader, const json_value *name, model_resource **out);

/* What a TotalTensorSizeInBytes of 0 means: in a model, as in DxDispatch, that the size is to be
 * computed; in descriptors.jsonl it is what DirectML was given. */
typedef enum model_zero_size {
    MODEL_ZERO_SIZE_COMPUTED,
    MODEL_ZERO_SIZE_KEPT
} model_zero_size;

/* The text of an operator: the value of the member "Desc" or "desc", or holder itself where it has
 * neither. Where holder has a type, it must be the cumulative summation's. */
tool_status model_read_operator(const json_value *holder, model_zero_size zero_size,
                                model_operator *out, tool_error *error);
tool_status model_read_tensor(const json_value *operator_desc, const char *name,
                              model_zero_size zero_size, model_tensor *out, tool_error *error);
void model_free_operator(model_operator *op);

/* "executionFlags" of a dispatchable or a descriptor; 0 where there are none. */
tool_status model_read_execution_flags(const json_value *holder, uint32_t *out, tool_error *error);

tool_status model_out_of_memory(const json_value *value, tool_error *error);

#endif
