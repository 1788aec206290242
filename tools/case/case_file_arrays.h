/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_FILE_ARRAYS_H
#define CUMSUM_TOOLS_CASE_FILE_ARRAYS_H

/* A case file in memory that is made from arrays: one dispatch, which sums an array along one
 * dimension. Commands need not know that there is no file. */

#include "case_file.h"
#include "npy.h"

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
