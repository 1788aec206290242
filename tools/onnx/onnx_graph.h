/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_GRAPH_H
#define CUMSUM_TOOLS_ONNX_GRAPH_H

/* The graph of model.onnx, as far as it is one CumSum node. */

#include "onnx_tensor.h"

typedef struct onnx_graph {
    bool has_cumsum; /* false: another model, and the rest says nothing */
    bool exclusive;
    bool reverse;
    size_t x;           /* the number of the graph's input that is summed: input_N.pb */
    size_t y;           /* and of its output: output_N.pb */
    bool axis_is_input; /* the axis is input_N.pb with the number ... */
    size_t axis_input;  /* ... here; otherwise it is in the model, ... */
    int64_t axis;       /* ... and this */
    char *node;         /* the node's name, "CumSum" where it has none */
} onnx_graph;

/*
 * Reads a model from the bytes of a file. TOOL_NOTHING_RAN, with the reason, where the graph has a
 * CumSum and something else as well, or takes its tensors from elsewhere than from its inputs;
 * TOOL_MALFORMED where it is no ONNX model, or one whose CumSum is not as the specification says.
 */
tool_status onnx_graph_read(const unsigned char *bytes, size_t size, const char *name,
                            onnx_graph *out, tool_error *error);

void onnx_graph_free(onnx_graph *g);

#endif
