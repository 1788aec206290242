/* SPDX-License-Identifier: MIT */
/* Reads data as an ONNX model: its CumSum is found, or it is refused or skipped with a message. */
#include <string.h>

#include "fuzz_target.h"
#include "memory_limit.h"
#include "onnx_graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    onnx_graph graph;
    tool_error error = {""};
    memory_set_limit(1 << 20);
    tool_status status = onnx_graph_read(data, size, "fuzz", &graph, &error);
    FUZZ_CHECK((status == TOOL_OK) == (error.message[0] == '\0'));
    if (status != TOOL_OK)
        fuzz_check_message(error.message);
    else if (graph.has_cumsum)
        FUZZ_CHECK(graph.node && strlen(graph.node) > 0);
    onnx_graph_free(&graph);
    return 0;
}
