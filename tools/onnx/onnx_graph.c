/* SPDX-License-Identifier: MIT */
/* Reads a model of one CumSum node; any other model with a CumSum cannot be judged. */
#include "onnx_graph.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* AttributeProto.AttributeType */
#define ATTRIBUTE_INT 2

static bool same_text(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

/* Only ONNX's own operator: other domains may have one of the same name. */
static bool is_cumsum(const Onnx__NodeProto *node) {
    const char *domain = node->domain ? node->domain : "";
    return same_text(node->op_type, "CumSum") && (!*domain || same_text(domain, "ai.onnx"));
}

static const Onnx__NodeProto *find_cumsum(const Onnx__GraphProto *graph) {
    for (size_t i = 0; i < graph->n_node; i++)
        if (is_cumsum(graph->node[i]))
            return graph->node[i];
    return NULL;
}

/* 0 or 1, as the specification has it. */
static tool_status read_flag(const Onnx__AttributeProto *attribute, const char *name, bool *flag,
                             tool_error *error) {
    const bool is_int = !attribute->has_type || attribute->type == ATTRIBUTE_INT;
    if (!is_int || !attribute->has_i || (attribute->i != 0 && attribute->i != 1)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: CumSum: the attribute %s must be an integer, 0 or 1", name,
                         attribute->name);
    }
    *flag = attribute->i != 0;
    return TOOL_OK;
}

static tool_status read_attributes(const Onnx__NodeProto *node, const char *name, onnx_graph *out,
                                   tool_error *error) {
    for (size_t i = 0; i < node->n_attribute; i++) {
        const Onnx__AttributeProto *attribute = node->attribute[i];
        tool_status status;
        if (same_text(attribute->name, "exclusive")) {
            status = read_flag(attribute, name, &out->exclusive, error);
        } else if (same_text(attribute->name, "reverse")) {
            status = read_flag(attribute, name, &out->reverse, error);
        } else {
            status = tool_fail(error, TOOL_MALFORMED,
                               "%s: CumSum: its attribute number %zu is neither exclusive nor "
                               "reverse",
                               name, i);
        }
        if (status != TOOL_OK)
            return status;
    }
    return TOOL_OK;
}

/* The number of the value with this name; false if there is none. */
static bool find_value(Onnx__ValueInfoProto *const *values, size_t count, const char *name,
                       size_t *number) {
    for (size_t i = 0; i < count; i++) {
        if (same_text(values[i]->name, name)) {
            *number = i;
            return true;
        }
    }
    return false;
}

static const Onnx__TensorProto *find_initializer(const Onnx__GraphProto *graph, const char *name) {
    for (size_t i = 0; i < graph->n_initializer; i++)
        if (same_text(graph->initializer[i]->name, name))
            return graph->initializer[i];
    return NULL;
}

static tool_status read_axis(const Onnx__GraphProto *graph, const char *value, const char *name,
                             onnx_graph *out, tool_error *error) {
    const Onnx__TensorProto *initializer = find_initializer(graph, value);
    onnx_tensor tensor;
    if (!initializer) {
        out->axis_is_input = find_value(graph->input, graph->n_input, value, &out->axis_input);
        return out->axis_is_input
                   ? TOOL_OK
                   : tool_fail(error, TOOL_MALFORMED,
                               "%s: CumSum: its axis is neither an input of the graph nor an "
                               "initializer",
                               name);
    }
    tool_status status = onnx_tensor_convert(initializer, name, &tensor, error);
    if (status != TOOL_OK)
        return status;
    status = onnx_tensor_axis(&tensor, name, &out->axis, error);
    onnx_tensor_free(&tensor);
    return status;
}

static tool_status read_ends(const Onnx__GraphProto *graph, const Onnx__NodeProto *node,
                             const char *name, onnx_graph *out, tool_error *error) {
    if (node->n_input != 2 || node->n_output != 1) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: CumSum has %zu inputs and %zu outputs, and must have 2 and 1", name,
                         node->n_input, node->n_output);
    }
    if (!find_value(graph->output, graph->n_output, node->output[0], &out->y)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: CumSum: its output is not an output of the graph", name);
    }
    if (find_initializer(graph, node->input[0])) {
        return tool_fail(error, TOOL_SKIPPED,
                         "%s: CumSum: what it sums is in the model, and not an input", name);
    }
    if (!find_value(graph->input, graph->n_input, node->input[0], &out->x)) {
        return tool_fail(error, TOOL_MALFORMED,
                         "%s: CumSum: what it sums is not an input of the graph", name);
    }
    return read_axis(graph, node->input[1], name, out, error);
}

static tool_status read_graph(const Onnx__GraphProto *graph, const char *name, onnx_graph *out,
                              tool_error *error) {
    const Onnx__NodeProto *node = find_cumsum(graph);
    if (!node)
        return TOOL_OK;
    out->has_cumsum = true;
    out->node = tool_strdup(node->name && *node->name ? node->name : "CumSum");
    if (graph->n_node > 1) {
        return tool_fail(error, TOOL_SKIPPED,
                         "%s: the graph has %zu nodes: only CumSum alone can be judged", name,
                         graph->n_node);
    }
    tool_status status = read_attributes(node, name, out, error);
    return status == TOOL_OK ? read_ends(graph, node, name, out, error) : status;
}

tool_status onnx_graph_read(const unsigned char *bytes, size_t size, const char *name,
                            onnx_graph *out, tool_error *error) {
    *out = (onnx_graph){0};
    Onnx__ModelProto *message = onnx__model_proto__unpack(&onnx_memory, size, bytes);
    if (!message || !message->has_ir_version || !message->graph) {
        tool_fail(
            error, TOOL_MALFORMED,
            "%s: is not an ONNX model (a ModelProto message with ir_version and graph), or is "
            "cut short",
            name);
        onnx__model_proto__free_unpacked(message, &onnx_memory);
        return TOOL_MALFORMED;
    }
    tool_status status = read_graph(message->graph, name, out, error);
    onnx__model_proto__free_unpacked(message, &onnx_memory);
    return status;
}

void onnx_graph_free(onnx_graph *g) {
    free(g->node);
    g->node = NULL;
}
