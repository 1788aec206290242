/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FILE_H
#define CUMSUM_TOOLS_CASE_FILE_H

/*
 * A case file in memory: cumulative summations as DxDispatch reads them (docs/formats.md).
 * Invariant: in a case file that was read every name, enumeration and number has been resolved, and
 * every dispatch binds ranges inside its resources. Operators may be invalid.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"
#include "npy.h"

/* A buffer and its contents, which dispatches change. */
typedef struct case_file_resource {
    char *name;
    cumsum_data_type type;               /* of its initial values */
    unsigned char *bytes;                /* aligned to 64 bytes, and as its tensors say */
    uint64_t size;                       /* bytes */
    uint64_t value_bytes;                /* end of the initial values: what `print` shows */
    struct case_file_resource *expected; /* the resource named "<name>.expected", or NULL */
} case_file_resource;

/* A tensor descriptor with its own arrays. */
typedef struct case_file_tensor {
    cumsum_tensor_desc desc; /* desc.desc points to buffer */
    cumsum_buffer_tensor_desc buffer;
    uint32_t *sizes;   /* may be NULL: then the descriptor is invalid, and validation says so */
    uint32_t *strides; /* NULL: packed */
    bool present;      /* false: the member is missing or null */
} case_file_tensor;

/* A descriptor of the operator as a dispatchable or a line of descriptors.jsonl holds it. */
typedef struct case_file_operator {
    case_file_tensor input;
    case_file_tensor output;
    cumsum_operator_desc desc; /* points into input and output */
} case_file_operator;

typedef struct case_file_dispatchable {
    char *name;
    case_file_operator op;
    cumsum_numerics numerics;
    bool has_numerics; /* the file has the member "numerics" */
    uint32_t execution_flags;
} case_file_dispatchable;

/* A range of a resource. */
typedef struct case_file_binding {
    case_file_resource *resource;
    uint64_t offset; /* bytes; a multiple of max(16, GuaranteedBaseOffsetAlignment) */
    uint64_t size;   /* bytes from the offset that may be accessed */
} case_file_binding;

typedef enum case_file_command_type {
    CASE_FILE_COMMAND_DISPATCH,
    CASE_FILE_COMMAND_PRINT,
    CASE_FILE_COMMAND_WRITE_FILE
} case_file_command_type;

typedef struct case_file_command {
    case_file_command_type type;
    case_file_dispatchable *dispatchable; /* DISPATCH */
    case_file_binding input;              /* DISPATCH */
    case_file_binding output;             /* DISPATCH */
    case_file_resource *resource;         /* PRINT and WRITE_FILE */
    bool verbose;                         /* PRINT */
    char *target_path;                    /* WRITE_FILE: resolved against the case file's folder */
    uint32_t *dimensions;                 /* WRITE_FILE: NULL, or the shape of the .npy */
    uint32_t dimension_count;
} case_file_command;

typedef struct case_file {
    char *path;
    case_file_resource *resources;
    size_t resource_count;
    case_file_dispatchable *dispatchables;
    size_t dispatchable_count;
    case_file_command *commands;
    size_t command_count;
    bool complex_parts;      /* of arrays of complex numbers, whose parts are the last dimension */
    cumsum_data_type narrow; /* the type of an array before it was widened to that of its sums */
    bool boolean;            /* it was NumPy's bool */
} case_file;

/*
 * Reads the case file at path, and the data files that it names. On success *out is a case file for
 * case_file_free. Otherwise *out is NULL, and the status TOOL_MALFORMED for an error in the file,
 * or TOOL_ENVIRONMENT for a file that cannot be read or memory that is out. cumsum_validate is left
 * to the caller.
 */
tool_status case_file_read(const char *path, case_file **out, tool_error *error);

/* The same from text in memory. `folder` is where relative paths start. For tests and fuzzing. */
tool_status case_file_read_text(const char *text, size_t length, const char *name,
                                const char *folder, case_file **out, tool_error *error);

void case_file_free(case_file *file);

/* One line of descriptors.jsonl. */
typedef struct descriptor_line {
    char *name; /* "" where the line has none */
    case_file_operator op;
    cumsum_feature_level level; /* from "featureLevel" ("2_1", "4_0", "5_0"), else the default */
    uint32_t execution_flags;   /* from "executionFlags", else 0 */
    bool has_hresult;
    bool hresult_ok; /* S_OK; otherwise E_INVALIDARG */
} descriptor_line;

/* Reads one line of JSON. `path` and `line` (from 1) name the place in errors. */
tool_status descriptor_read_line(const char *text, size_t length, const char *path, uint64_t line,
                                 descriptor_line *out, tool_error *error);
void descriptor_line_free(descriptor_line *c);

void case_file_free_operator(case_file_operator *op);

/* Which dispatch reads or writes the bytes of another (case_file_ranges.c). */

/* Do the byte ranges of two outputs overlap, or those of an input and an output? */
bool outputs_overlap(const case_file_command *a, const case_file_command *b);
bool input_overlaps_output(const case_file_command *reader, const case_file_command *writer);

/* Does one dispatch read the very elements that the other writes, at the same indices? */
bool input_is_output(const case_file_command *reader, const case_file_command *writer);

/* Does this dispatch, or a later one, overwrite its input? */
bool input_is_overwritten(const case_file *file, size_t command);

/* The last command before `end` that dispatched into the resource, or NULL. */
const case_file_command *last_writer(const case_file *file, const case_file_resource *resource,
                                     size_t end);

/* A case file in memory that is made from arrays: one dispatch, which sums an array along one
 * dimension. Commands need not know that there is no file. */

typedef struct case_file_arrays {
    const char *path;       /* the case file's, for messages and results */
    const char *input_path; /* the input's if it is another one, for messages; else NULL */
    const char *name;       /* of the dispatchable */
    int64_t axis;           /* from the end if it is negative */
    bool decreasing;
    bool exclusive;
    bool recorded; /* nothing computes the output: it gets no memory */
    npy_array input;
    npy_array expected; /* the output that is expected or recorded; without bytes: none */
} case_file_arrays;

/*
 * Makes the case file. Its resources are `input`, `output` with zeros, and `output.expected`. The
 * memory order of an array becomes its tensor's strides; without `expected` the output is packed.
 * The bytes of the arrays go to the case file; case_file_arrays_free frees them where it fails.
 * TOOL_MALFORMED if the arrays or the axis do not fit each other, TOOL_ENVIRONMENT if memory is
 * out. cumsum_validate, which checks the type, is left to the caller.
 */
tool_status case_file_of_arrays(case_file_arrays *from, case_file **out, tool_error *error);

/* TOOL_MALFORMED unless the array has elements and the axis. */
tool_status case_file_check_axis(const char *path, int64_t rank, const char *shape, uint64_t size,
                                 int64_t axis, tool_error *error);

void case_file_arrays_free(case_file_arrays *arrays);

#endif
