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
#include "order_discover.h"
#include "text.h"

/* A named order is known for lines of any length, but its graph has to fit into memory. */
#define NAMED_TERMS_MAX (1u << 22)

const word_row order_tally_words[] = {{"binary32", TALLY_BINARY32},
                                      {"binary16", TALLY_BINARY16},
                                      {"binary64", TALLY_BINARY64},
                                      {"binary64-through-binary32", TALLY_BINARY64_BINARY32},
                                      {"bfloat16", TALLY_BFLOAT16},
                                      {"exact", TALLY_EXACT},
                                      {NULL, 0}};

uint32_t order_most_terms(const saved_order *order) {
    const uint32_t most = order->name.kind == ORDER_EXACT           ? UINT32_MAX
                          : order->name.kind == ORDER_UNNAMED       ? order->outputs
                          : order->name.kind == ORDER_RIGHT_TO_LEFT ? ORDER_MOST_TERMS
                                                                    : NAMED_TERMS_MAX;
    return order->limit && order->limit < most ? order->limit : most;
}

bool order_reach(saved_order *order, uint32_t length, bool exclusive) {
    const uint32_t most = order_most_terms(order);
    if (length - exclusive > most)
        return false;
    if (order->name.kind == ORDER_EXACT || (order->roots && length <= order->outputs + exclusive))
        return true;
    saved_order_free(order);
    order->outputs = length;
    order_graph_begin(&order->graph, length);
    order->roots = tool_calloc(length, sizeof *order->roots);
    order_build(&order->graph, order->name, order->roots);
    return true;
}

void saved_order_free(saved_order *order) {
    order_graph_end(&order->graph);
    free(order->roots);
    order->roots = NULL;
}

/* A member whose value is a word of a table; *choice receives what the word stands for. */
static tool_status read_choice(const json_value *root, const char *member, const word_row *words,
                               int *choice, tool_error *error) {
    json_value value;
    const char *text;
    tool_status status = json_need(root, member, &value, error);
    if (status == TOOL_OK)
        status = json_to_string(&value, &text, error);
    if (status == TOOL_OK && !word_find(words, text, choice)) {
        status =
            json_fail(&value, error, TOOL_MALFORMED,
                      "'%s' is not one of the words for it, such as \"%s\"", text, words[0].word);
    }
    return status;
}

/* "minusZeros" tells more than "minusZero": how many outputs, or "any". */
static tool_status read_zeros(const json_value *root, bool kept, order_arithmetic *how,
                              tool_error *error) {
    json_value value;
    uint64_t count = kept ? ORDER_ALL_OUTPUTS : 0;
    tool_status status = TOOL_OK;
    how->any_zero = false;
    if (json_member(root, "minusZeros", &value)) {
        how->any_zero = json_type_of(&value) == json_type_string &&
                        !strcmp(json_object_get_string(value.object), "any");
        if (!how->any_zero)
            status = json_to_integer(&value, "number of outputs", 0, INT32_MAX, &count, error);
    }
    how->minus_zeros = (uint32_t)count;
    return status;
}

static tool_status read_arithmetic(const json_value *root, saved_order *order, tool_error *error) {
    static const word_row types[] = {{"FLOAT32", CUMSUM_DATA_TYPE_FLOAT32},
                                     {"FLOAT16", CUMSUM_DATA_TYPE_FLOAT16},
                                     {"FLOAT64", CUMSUM_DATA_TYPE_FLOAT64},
                                     {"BFLOAT16", CUMSUM_DATA_TYPE_BFLOAT16},
                                     {NULL, 0}};
    int type, tally, store, denormals;
    const struct {
        const char *member;
        const word_row *words;
        int *choice;
    } choices[] = {{"type", types, &type},
                   {"tally", order_tally_words, &tally},
                   {"store", half_store_words, &store},
                   {"denormals", denormals_words, &denormals}};
    json_value value;
    bool keeps_minus_zero = false;
    tool_status status = TOOL_OK;
    for (int i = 0; i < 4 && status == TOOL_OK; i++)
        status = read_choice(root, choices[i].member, choices[i].words, choices[i].choice, error);
    if (status == TOOL_OK)
        status = json_need(root, "minusZero", &value, error);
    if (status == TOOL_OK)
        status = json_to_bool(&value, &keeps_minus_zero, error);
    if (status == TOOL_OK)
        status = read_zeros(root, keeps_minus_zero, &order->arithmetic, error);
    if (status != TOOL_OK)
        return status;
    order->type = (cumsum_data_type)type;
    order->arithmetic.tally = (order_tally)tally;
    order->arithmetic.store = (cumsum_half_store)store;
    order->arithmetic.denormals = (cumsum_denormals)denormals;
    return TOOL_OK;
}

static tool_status read_node(const json_value *list, size_t index, uint32_t below, uint32_t *node,
                             tool_error *error) {
    uint64_t number = 0;
    const json_value value = json_element(list, index);
    const tool_status status = json_to_integer(&value, "node", 0, below - 1, &number, error);
    *node = (uint32_t)number;
    return status;
}

/* The two terms of a sum are nodes before it. */
static tool_status read_sum(const json_value *sums, size_t index, order_graph *g,
                            tool_error *error) {
    uint32_t nodes[2] = {0, 0};
    const json_value pair = json_element(sums, index);
    if (json_type_of(&pair) != json_type_array || json_object_array_length(pair.object) != 2)
        return json_fail(&pair, error, TOOL_MALFORMED, "a sum is a list of two nodes");
    tool_status status = read_node(&pair, 0, g->count, &nodes[0], error);
    if (status == TOOL_OK)
        status = read_node(&pair, 1, g->count, &nodes[1], error);
    const uint32_t count = g->count;
    if (status == TOOL_OK &&
        (nodes[0] == nodes[1] || order_graph_add(g, nodes[0], nodes[1]) != count)) {
        return json_fail(&pair, error, TOOL_MALFORMED,
                         "the sum exists already, or adds a node to itself");
    }
    return status;
}

static tool_status read_sums(const json_value *root, saved_order *order, tool_error *error) {
    json_value sums, outputs;
    tool_status status = json_need_type(root, "sums", json_type_array, &sums, error);
    if (status == TOOL_OK)
        status = json_need_type(root, "outputs", json_type_array, &outputs, error);
    if (status != TOOL_OK)
        return status;
    if (json_object_array_length(outputs.object) != order->outputs) {
        return json_fail(&outputs, error, TOOL_MALFORMED, "there are %zu outputs of %u terms",
                         json_object_array_length(outputs.object), order->outputs);
    }
    const size_t count = json_object_array_length(sums.object);
    for (size_t i = 0; i < count && status == TOOL_OK; i++)
        status = read_sum(&sums, i, &order->graph, error);
    for (uint32_t k = 0; k < order->outputs && status == TOOL_OK; k++)
        status = read_node(&outputs, k, order->graph.count, &order->roots[k], error);
    return status;
}

static bool fits_name(const saved_order *order) {
    const order_tally tally = order->arithmetic.tally;
    return order->name.kind == ORDER_EXACT
               ? tally == TALLY_EXACT || tally == TALLY_BINARY64_BINARY32
               : tally != TALLY_EXACT;
}

static tool_status read_order(const json_value *root, saved_order *order, tool_error *error) {
    json_value name, terms;
    const char *text = "";
    uint64_t count = 0;
    tool_status status = read_arithmetic(root, order, error);
    if (status == TOOL_OK)
        status = json_need(root, "order", &name, error);
    if (status == TOOL_OK)
        status = json_to_string(&name, &text, error);
    if (status == TOOL_OK && !order_name_read(text, &order->name))
        status = json_fail(&name, error, TOOL_MALFORMED, "no order has the name '%s'", text);
    if (status == TOOL_OK)
        status = json_need(root, "terms", &terms, error);
    if (status == TOOL_OK)
        status = json_to_integer(&terms, "number of terms", 1, ORDER_MOST_TERMS, &count, error);
    if (status != TOOL_OK)
        return status;
    order->outputs = (uint32_t)count;
    status = json_optional_uint32(root, "limit", &order->limit, error);
    if (status == TOOL_OK && !fits_name(order)) {
        status = json_fail(&name, error, TOOL_MALFORMED,
                           "the tally of an exact order is exact or binary64-through-binary32, and "
                           "that of any other is not exact");
    }
    if (status != TOOL_OK)
        return status;
    if (order->name.kind != ORDER_UNNAMED) /* order_reach builds it for a line */
        return TOOL_OK;
    order_graph_begin(&order->graph, order->outputs);
    order->roots = tool_calloc(order->outputs, sizeof *order->roots);
    return read_sums(root, order, error);
}

tool_status order_read_text(const char *text, size_t size, const char *name, saved_order *order,
                            tool_error *error) {
    json_document document;
    *order = (saved_order){0};
    tool_status status = json_open(&document, text, size, name, 1, error);
    if (status == TOOL_OK) {
        const json_value root = json_root(&document);
        status = json_type_of(&root) == json_type_object
                     ? read_order(&root, order, error)
                     : json_fail_type(&root, error, "an object");
        json_close(&document);
    }
    if (status != TOOL_OK)
        saved_order_free(order);
    return status;
}

tool_status order_file_read(const char *path, saved_order *order, tool_error *error) {
    file_contents contents;
    *order = (saved_order){0};
    tool_status status = file_read(path, &contents, error);
    if (status != TOOL_OK)
        return status;
    status = order_read_text((const char *)contents.bytes, contents.size, path, order, error);
    memory_release(contents.bytes);
    return status;
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
    char name[ORDER_NAME_TEXT];
    const order_arithmetic *how = &order->arithmetic;
    json_object *quoted = json_make_string(device);
    order_name_text(name, order->name);
    text_buffer_begin(&buffer);
    fprintf(buffer.stream, "{\n  \"device\": %s,\n",
            json_print(quoted, JSON_C_TO_STRING_NOSLASHESCAPE));
    fprintf(buffer.stream, "  \"type\": \"%s\",\n  \"order\": \"%s\",\n  \"terms\": %u,\n",
            cumsum_data_type_name(order->type), name, order->outputs);
    fprintf(buffer.stream, "  \"tally\": \"%s\",\n  \"store\": \"%s\",\n",
            word_of(order_tally_words, (int)how->tally),
            word_of(half_store_words, (int)how->store));
    fprintf(buffer.stream, "  \"denormals\": \"%s\",\n",
            word_of(denormals_words, (int)how->denormals));
    if (order->limit)
        fprintf(buffer.stream, "  \"limit\": %u,\n", order->limit);
    write_zeros(buffer.stream, how);
    if (order->name.kind == ORDER_UNNAMED)
        write_sums(buffer.stream, order);
    fputs("\n}\n", buffer.stream);
    char *text = text_buffer_end(&buffer);
    json_object_put(quoted);
    const file_part part = {text, buffer.length};
    const tool_status status = file_write(path, &part, 1, error);
    free(text);
    return status;
}
