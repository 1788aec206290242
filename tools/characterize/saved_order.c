/* SPDX-License-Identifier: MIT */
/* Orders as files (docs/command-line.md describes them). An order with a name is saved by its name,
 * one without as its list of sums and the root of each output. */
#include "saved_order.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json_print.h"
#include "json_value.h"
#include "memory.h"
#include "memory_limit.h"
#include "text.h"

/* A named order is known for lines of any length, but a line has to fit into memory. */
#define NAMED_TERMS_MAX (1u << 22)

const word_row order_accumulator_words[] = {
    {"binary32", ACCUMULATOR_BINARY32},
    {"binary16", ACCUMULATOR_BINARY16},
    {"binary64", ACCUMULATOR_BINARY64},
    {"binary64-through-binary32", ACCUMULATOR_BINARY64_BINARY32},
    {"bfloat16", ACCUMULATOR_BFLOAT16},
    {"exact", ACCUMULATOR_EXACT},
    {NULL, 0}};

/* Its time is the square of the length. */
static bool is_right_to_left(const saved_order *order) {
    const cumsum_composed_order *levels = &order->name.levels;
    return order->name.kind == ORDER_LEVELS &&
           levels->levels[levels->count - 1].kind == CUMSUM_KIND_RIGHT_TO_LEFT;
}

uint32_t order_most_terms(const saved_order *order) {
    const uint32_t most = order->name.kind == ORDER_EXACT     ? UINT32_MAX
                          : order->name.kind == ORDER_UNNAMED ? order->outputs
                          : is_right_to_left(order)           ? ORDER_MOST_TERMS
                                                              : NAMED_TERMS_MAX;
    return order->limit && order->limit < most ? order->limit : most;
}

bool order_reach(saved_order *order, uint32_t length, bool exclusive) {
    const uint32_t most = order_most_terms(order);
    if (length - exclusive > most)
        return false;
    if (order->name.kind == ORDER_LEVELS && length > order->outputs + exclusive) {
        saved_order_free(order); /* the levels continue the trees */
        order->outputs = length;
    }
    return true;
}

void saved_order_free(saved_order *order) {
    order_graph_free(&order->graph);
    free(order->roots);
    order->roots = NULL;
}

/* "minusZeros" tells more than "minusZero": how many outputs, or "any". */
static void read_zeros(const json_value *root, order_arithmetic *how) {
    json_value value;
    how->minus_zeros = json_flag(json_need(root, "minusZero")) ? ORDER_ALL_OUTPUTS : 0;
    how->any_zero = false;
    if (!json_member(root, "minusZeros", &value))
        return;
    how->any_zero = json_type_of(&value) == json_type_string && !strcmp(json_string(value), "any");
    if (!how->any_zero)
        how->minus_zeros = (uint32_t)json_integer(value, "number of outputs", 0, INT32_MAX);
}

static void read_arithmetic(const json_value *root, saved_order *order) {
    order_arithmetic *how = &order->arithmetic;
    order->type = (cumsum_data_type)json_choice(json_need(root, "type"), rounded_words);
    how->accumulator =
        (order_accumulator)json_choice(json_need(root, "accumulator"), order_accumulator_words);
    how->store = (cumsum_half_store)json_choice(json_need(root, "store"), half_store_words);
    how->denormals = (cumsum_denormals)json_choice(json_need(root, "denormals"), denormals_words);
    read_zeros(root, how);
}

static uint32_t read_node(const json_value *list, size_t index, uint32_t below) {
    return (uint32_t)json_integer(json_element(list, index), "node", 0, below - 1);
}

/* The two terms of a sum are nodes before it. */
static void read_order_sum(const json_value *sums, size_t index, order_graph *g) {
    const json_value pair = json_element(sums, index);
    if (json_type_of(&pair) != json_type_array || json_length(&pair) != 2) {
        json_fail(&pair, TOOL_MALFORMED, "a sum is a list of two nodes");
        return;
    }
    const uint32_t count = g->count;
    const uint32_t left = read_node(&pair, 0, count);
    const uint32_t right = read_node(&pair, 1, count);
    if (json_ok(&pair) && (left == right || order_graph_add(g, left, right) != count))
        json_fail(&pair, TOOL_MALFORMED, "the sum exists already, or adds a node to itself");
}

static void read_sums(const json_value *root, saved_order *order) {
    const json_value sums = json_need(root, "sums");
    json_expect(&sums, json_type_array);
    const json_value outputs = json_need(root, "outputs");
    json_expect(&outputs, json_type_array);
    if (json_length(&outputs) != order->outputs)
        json_fail(&outputs, TOOL_MALFORMED, "there are %zu outputs of %u terms",
                  json_length(&outputs), order->outputs);
    for (size_t i = 0; i < json_length(&sums) && json_ok(root); i++)
        read_order_sum(&sums, i, &order->graph);
    for (uint32_t k = 0; k < order->outputs && json_ok(root); k++)
        order->roots[k] = read_node(&outputs, k, order->graph.count);
}

static bool fits_name(const saved_order *order) {
    const order_accumulator accumulator = order->arithmetic.accumulator;
    return order->name.kind == ORDER_EXACT
               ? accumulator == ACCUMULATOR_EXACT || accumulator == ACCUMULATOR_BINARY64_BINARY32
               : accumulator != ACCUMULATOR_EXACT;
}

static void read_order(const json_value *root, saved_order *order) {
    if (!json_expect(root, json_type_object))
        return;
    read_arithmetic(root, order);
    const json_value name = json_need(root, "order");
    const char *text = json_string(name);
    if (json_ok(root) && !order_name_read(text, &order->name))
        json_fail(&name, TOOL_MALFORMED, "no order has the name '%s'", text);
    order->outputs =
        (uint32_t)json_integer(json_need(root, "terms"), "number of terms", 1, ORDER_MOST_TERMS);
    order->limit = json_uint32(root, "limit", order->limit);
    if (json_ok(root) && !fits_name(order))
        json_fail(&name, TOOL_MALFORMED,
                  "the accumulator of an exact order is exact or binary64-through-binary32, and "
                  "that of any other is not exact");
    if (!json_ok(root) || order->name.kind != ORDER_UNNAMED)
        return;
    order_graph_init(&order->graph, order->outputs);
    order->roots = tool_calloc(order->outputs, sizeof *order->roots);
    read_sums(root, order);
}

tool_status order_file_read(const char *path, saved_order *order, tool_error *error) {
    file_contents contents;
    json_document document;
    *order = (saved_order){0};
    const tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    if (json_parse(&document, (const char *)contents.bytes, contents.size, path, 1, error) ==
        TOOL_OK) {
        const json_value root = json_root(&document);
        read_order(&root, order);
    }
    json_free(&document);
    memory_free(contents.bytes);
    if (document.status != TOOL_OK)
        saved_order_free(order);
    return document.status;
}

static void write_sums(FILE *out, const saved_order *order) {
    const order_graph *g = &order->graph;
    fputs(",\n  \"sums\": [", out);
    for (uint32_t i = 0; i < g->count - g->terms; i++)
        fprintf(out, "%s[%u,%u]", i ? "," : "", g->sums[i][0], g->sums[i][1]);
    fputs("],\n  \"outputs\": [", out);
    for (uint32_t k = 0; k < order->outputs; k++)
        fprintf(out, "%s%u", k ? "," : "", order->roots[k]);
    fputs("]", out);
}

static void write_zeros(FILE *out, const order_arithmetic *how) {
    fprintf(out, "  \"minusZero\": %s", how->minus_zeros ? "true" : "false");
    if (how->any_zero)
        fputs(",\n  \"minusZeros\": \"any\"", out);
    else if (how->minus_zeros && how->minus_zeros != ORDER_ALL_OUTPUTS)
        fprintf(out, ",\n  \"minusZeros\": %u", how->minus_zeros);
}

tool_status order_file_write(const char *path, const saved_order *order, const char *device,
                             tool_error *error) {
    text_buffer buffer;
    char name[CUMSUM_ORDER_TEXT];
    const order_arithmetic *how = &order->arithmetic;
    json_object *quoted = json_make_string(device);
    order_name_text(name, &order->name);
    text_buffer_open(&buffer);
    fprintf(buffer.stream, "{\n  \"device\": %s,\n",
            json_print(quoted, JSON_C_TO_STRING_NOSLASHESCAPE));
    fprintf(buffer.stream, "  \"type\": \"%s\",\n  \"order\": \"%s\",\n  \"terms\": %u,\n",
            cumsum_data_type_name(order->type), name, order->outputs);
    fprintf(buffer.stream, "  \"accumulator\": \"%s\",\n  \"store\": \"%s\",\n",
            word_of(order_accumulator_words, (int)how->accumulator),
            word_of(half_store_words, (int)how->store));
    fprintf(buffer.stream, "  \"denormals\": \"%s\",\n",
            word_of(denormals_words, (int)how->denormals));
    if (order->limit)
        fprintf(buffer.stream, "  \"limit\": %u,\n", order->limit);
    write_zeros(buffer.stream, how);
    if (order->name.kind == ORDER_UNNAMED)
        write_sums(buffer.stream, order);
    fputs("\n}\n", buffer.stream);
    json_object_put(quoted);
    return file_write_text(path, &buffer, error);
}
