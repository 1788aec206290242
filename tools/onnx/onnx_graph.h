/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_GRAPH_H
#define CUMSUM_TOOLS_ONNX_GRAPH_H

/* Reads the graph of an ONNX model, and its messages, through protobuf-c. */

#include <protobuf-c/protobuf-c.h>

#include "onnx_messages.pb-c.h"
#include "onnx_tensor.h"

/* The allocator for protobuf-c. It ends the program where memory is out, which protobuf-c would
 * report in the same way as a truncated message. */
extern ProtobufCAllocator onnx_memory;

/* Converts a message that protobuf-c has read, as onnx_tensor_read does. */
tool_status onnx_tensor_convert(const Onnx__TensorProto *message, const char *name,
                                onnx_tensor *out, tool_error *error);

/* The graph of model.onnx. */

typedef struct onnx_graph {
    bool has_cumsum; /* false: another model; the members below are not set */
    bool exclusive;
    bool reverse;
    size_t x;           /* the data are in input_<x>.pb */
    size_t y;           /* and the sums in output_<y>.pb */
    bool axis_is_input; /* the axis is in input_<axis_input>.pb; false: it is in the model */
    size_t axis_input;
    int64_t axis; /* if it is in the model */
    char *node;   /* the node's name, "CumSum" where it has none */
} onnx_graph;

/*
 * Reads a model from the bytes of a file. TOOL_SKIPPED, with the reason, if the graph has other
 * nodes besides a CumSum, or the data are not an input of the graph. TOOL_MALFORMED if it is not an
 * ONNX model, or its CumSum does not follow the specification.
 */
tool_status onnx_graph_read(const unsigned char *bytes, size_t size, const char *name,
                            onnx_graph *out, tool_error *error);

void onnx_graph_free(onnx_graph *g);

#endif
