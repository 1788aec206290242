/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_CASE_H
#define CUMSUM_TOOLS_ONNX_CASE_H

/*
 * ONNX backend test data: a folder with model.onnx and, for each data set, a folder
 * test_data_set_N with input_0.pb, input_1.pb, ... and output_0.pb, ... A tree of such folders is
 * walked in the order of the names. Models without a CumSum are passed over.
 */

#include "model.h"

/* Called for each data set with a model of one dispatch and its recorded output. If there is none,
 * m is NULL, reason says why, and status is TOOL_SKIPPED (it cannot be judged), TOOL_MALFORMED
 * or TOOL_ENVIRONMENT. `path` is the data set's, or the model's if that file is at fault. */
typedef void (*onnx_visit)(void *state, const char *path, model *m, tool_status status,
                           const char *reason);

/* Visits the data sets of CumSum models below a folder and counts them. TOOL_ENVIRONMENT where the
 * folder cannot be read, and in a build without protobuf-c. */
tool_status onnx_walk(const char *folder, onnx_visit visit, void *state, uint64_t *visited,
                      tool_error *error);

#endif
