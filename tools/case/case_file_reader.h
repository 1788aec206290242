/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FILE_READER_H
#define CUMSUM_TOOLS_CASE_FILE_READER_H

/*
 * The readers of a case file's parts, which call each other from case_file_reader.c (the file) down
 * to case_file_resource.c, case_file_values.c, case_file_commands.c, case_file_operator.c and
 * case_file_tensor.c. A reader that fails records the error in the document, and leaves what it
 * has allocated in its output, for case_file_free and case_file_free_operator.
 */

#include "case_file.h"
#include "json_value.h"
#include "npy.h"
#include "word_table.h"

typedef struct case_reader {
    case_file *file;
    json_value resources;     /* the member of the root */
    json_value dispatchables; /* the member of the root */
    const char *folder;       /* relative paths start here */
    uint64_t memory;          /* bytes of all resources so far */
} case_reader;

/* value: {"initialValues": ...}; its name is the resource's. */
void case_file_read_resource(case_reader *reader, const json_value *value, case_file_resource *out);

/* value: {"type": ..., "desc": ...}; its name is the dispatchable's. */
void case_file_read_dispatchable(const json_value *value, case_file_dispatchable *out);

/* Resources and dispatchables must have been read. */
void case_file_read_command(case_reader *reader, const json_value *value, case_file_command *out);

/* What a TotalTensorSizeInBytes of 0 means: in a case file, as in DxDispatch, that the reader
 * computes the size; in descriptors.jsonl it is the value that DirectML received. */
typedef enum case_file_zero_size {
    CASE_FILE_ZERO_SIZE_COMPUTED,
    CASE_FILE_ZERO_SIZE_KEPT
} case_file_zero_size;

/* The operator is the member "Desc" or "desc" of holder, or holder itself without them. If holder
 * has a type, it must be the cumulative summation's. */
void case_file_read_operator(const json_value *holder, case_file_zero_size zero_size,
                             case_file_operator *out);
void case_file_read_tensor(const json_value *operator_desc, const char *name,
                           case_file_zero_size zero_size, case_file_tensor *out);

/* "executionFlags" of a dispatchable or a descriptor; 0 where there are none. */
uint32_t case_file_read_execution_flags(const json_value *holder);

/* An array of UINT32, to be freed; NULL and a count of 0 where the member is missing or null. */
uint32_t *case_file_read_array(const json_value *object, const char *name, size_t *count);

/* The initial values of a resource, read in two steps: the number of bytes, and then the bytes, so
 * that sizes are checked before memory is allocated. */

typedef enum case_file_values_kind {
    CASE_FILE_VALUES_ARRAY,    /* [1, 2, 3] */
    CASE_FILE_VALUES_LIST,     /* [{"type": "FLOAT32", "value": 1}, ...] */
    CASE_FILE_VALUES_CONSTANT, /* {"value": 0, "valueCount": 3} */
    CASE_FILE_VALUES_SEQUENCE, /* {"valueStart": 0, "valueDelta": 1, "valueCount": 3} */
    CASE_FILE_VALUES_FILE      /* {"sourcePath": "x.npy"} */
} case_file_values_kind;

typedef struct case_file_values {
    case_file_values_kind kind;
    json_value source; /* the value of initialValues */
    cumsum_data_type type;
    uint64_t count; /* elements */
    uint64_t size;  /* bytes */
    npy_array file; /* of a raw file only bytes and size */
} case_file_values;

/* resource: the object that has the member initialValues. */
void case_file_read_values(const case_reader *reader, const json_value *resource,
                           case_file_values *out);

/* Opens a data file, its path in source.sourcePath. */
void case_file_read_data(const case_reader *reader, case_file_values *values);

/* Writes values->size bytes. */
void case_file_fill_values(const case_file_values *values, unsigned char *out);

void case_file_free_values(case_file_values *values);

/* An enumeration as case files write it: of DirectML or of this project. */
typedef struct case_file_enum {
    const char *type;   /* "DML_TENSOR_DATA_TYPE" */
    const char *prefix; /* that the names may have or not: "DML_TENSOR_DATA_TYPE_" */
    const word_row *words;
} case_file_enum;

extern const case_file_enum case_file_data_types;
extern const case_file_enum case_file_execution_flags;
extern const case_file_enum case_file_axis_directions;
extern const case_file_enum case_file_orders;
extern const case_file_enum case_file_half_accumulators;
extern const case_file_enum case_file_half_stores;
extern const case_file_enum case_file_denormals;

/* A name of the enumeration, or any integer of 32 bits, which validation judges later. An unknown
 * name is an error. */
uint32_t case_file_to_enum(json_value value, const case_file_enum *names);

/* A name of the enumeration and nothing else. */
uint32_t case_file_to_name(const json_value *value, const case_file_enum *names);

/* One flag, or an array of flags that are combined. */
uint32_t case_file_to_flags(const json_value *value, const case_file_enum *names);

#endif
