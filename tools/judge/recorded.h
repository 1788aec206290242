/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RECORDED_H
#define CUMSUM_TOOLS_RECORDED_H

/* Recorded outputs, from the files of --actual or from the .expected resources. */

#include "case_file.h"
#include "judged_output.h"
#include "npy.h"

/* "RESOURCE=FILE.npy" of --actual, taken apart. */
typedef struct actual_file {
    const char *text;       /* begins with the resource */
    size_t resource_length; /* 0 without a '=' */
    const char *path;
} actual_file;

typedef struct actual_files {
    actual_file *list;
    size_t count;
} actual_files;

/* The files of --actual, in the order of the options. */
typedef struct recordings {
    const actual_files *files;
    npy_array *arrays; /* one for each */
} recordings;

/* The output of a dispatch in other memory than its buffer, with an operator of that layout.
 * `judged` has both, and the input. It points into this structure, which must not be moved. */
typedef struct recorded_output {
    judged_output judged;
    cumsum_operator_desc desc; /* points into this structure and the case file */
    cumsum_tensor_desc tensor;
    cumsum_buffer_tensor_desc buffer;
    uint32_t strides[CUMSUM_MAX_DIMENSIONS];
} recorded_output;

/* Reads the files. TOOL_MALFORMED for a name that no output of the case file has. */
tool_status recordings_read(recordings *r, const actual_files *files, const case_file *file,
                            tool_error *error);
void recordings_free(recordings *r);

/* Finds the recorded output of a dispatch; *found tells if there is one. TOOL_MALFORMED if it does
 * not fit the output tensor. */
tool_status recordings_find(const recordings *r, const case_file_command *command,
                            recorded_output *out, bool *found, tool_error *error);

#endif
