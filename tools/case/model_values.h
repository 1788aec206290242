/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MODEL_VALUES_H
#define CUMSUM_TOOLS_MODEL_VALUES_H

#include "model.h"
#include "npy.h"

/* The initial values of a resource: first how many bytes they are, then the bytes themselves, so
 * that sizes are checked before memory is taken. */

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

#endif
