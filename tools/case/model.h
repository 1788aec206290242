/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MODEL_H
#define CUMSUM_TOOLS_MODEL_H

/*
 * A case file in memory: a DxDispatch model of cumulative summations (docs/file-format.md).
 * Invariant: in a model that was read every name, enumeration and number has been resolved, and
 * every dispatch binds ranges inside its resources. Operators may be invalid.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"

/* A buffer and its contents, which dispatches change. */
typedef struct model_resource {
    char *name;
    cumsum_data_type type;           /* of its initial values */
    unsigned char *bytes;            /* aligned to 64 bytes, and as its tensors say */
    uint64_t size;                   /* bytes */
    uint64_t value_bytes;            /* end of the initial values: what `print` shows */
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
    bool has_numerics; /* the file has the member "numerics" */
    uint32_t execution_flags;
} model_dispatchable;

/* A range of a resource. */
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
 * Reads the case file at path, and the data files that it names. On success *out is a model for
 * model_free. Otherwise *out is NULL, and the status TOOL_MALFORMED for an error in the file, or
 * TOOL_ENVIRONMENT for a file that cannot be read or memory that is out. cumsum_validate is left to
 * the caller.
 */
tool_status model_read(const char *path, model **out, tool_error *error);

/* The same from text in memory. `folder` is where relative paths start. For tests and fuzzing. */
tool_status model_read_text(const char *text, size_t length, const char *name, const char *folder,
                            model **out, tool_error *error);

void model_free(model *m);

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

void model_free_operator(model_operator *op);

#endif
