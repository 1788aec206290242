/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ONNX_GRAPH_H
#define CUMSUM_TOOLS_ONNX_GRAPH_H

#include <protobuf-c/protobuf-c.h>

#include "onnx_messages.pb-c.h"
#include "onnx_tensor.h"

/* What protobuf-c unpacks with. Where memory is out it ends the program: protobuf-c would answer as
 * it does to a message that is cut short. */
extern ProtobufCAllocator onnx_memory;

/* Between the files of this folder: what they have to do with protobuf's messages. */

/* A message that is part of another one, or has been read. */
tool_status onnx_tensor_convert(const Onnx__TensorProto *message, const char *name,
                                onnx_tensor *out, tool_error *error);

/* Allocates out->bytes and copies the elements of a message whose type and sizes are known. */
tool_status onnx_tensor_fill(const Onnx__TensorProto *message, const char *name, onnx_tensor *out,
                             tool_error *error);

/* The graph of model.onnx, as far as it is one CumSum node. */

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
