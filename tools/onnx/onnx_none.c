/* SPDX-License-Identifier: MIT */
/* Stands in for the other files of this folder in a build without protobuf-c, whose headers they
 * need. */
#include "onnx_case.h"

tool_status onnx_walk(const char *folder, onnx_visit visit, void *state, uint64_t *visited,
                      tool_error *error) {
    (void)folder;
    (void)visit;
    (void)state;
    *visited = 0;
    return tool_fail(error, TOOL_ENVIRONMENT,
                     "option --onnx: this build cannot read ONNX files: it was made without "
                     "protobuf-c (CUMSUM_WITH_PROTOBUF)");
}
