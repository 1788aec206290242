/* SPDX-License-Identifier: MIT */
#include "order_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "line_data.h"
#include "memory.h"

/* Test data, what became of it, and what the order says of a line. */
typedef struct fit_buffers {
    unsigned char *input;
    unsigned char *output;
    unsigned char *expected;
} fit_buffers;

static tool_status run_data(const line_runner *runner, const line_block *block, uint64_t seed,
                            fit_buffers *b, tool_error *error) {
    const size_t size = cumsum_data_type_size(block->type);
    const size_t count = (size_t)block->lines * block->length;
    b->input = tool_calloc(count, size);
    b->output = tool_calloc(count, size);
    b->expected = tool_calloc(block->length, size);
    line_data_fill(block->type, block->lines, block->length, seed, b->input);
    return runner->run(runner->state, block, b->input, b->output, error);
}

static void free_buffers(fit_buffers *b) {
    free(b->input);
    free(b->output);
    free(b->expected);
}

/* The first element of a line, within the outputs that the order knows, that is another; or its
 * length. */
static uint32_t first_difference(const saved_order *order, const line_block *block,
                                 const fit_buffers *b, uint32_t line, uint32_t length) {
    const size_t size = cumsum_data_type_size(block->type);
    const size_t start = (size_t)line * block->length * size;
    order_evaluate(order, block->exclusive, b->input + start, length, b->expected);
    for (uint32_t i = 0; i < length; i++)
        if (!order_same_bits(order, element_load(b->output + start + i * size, block->type),
                             element_load(b->expected + i * size, block->type)))
            return i;
    return length;
}

static uint32_t known_length(const saved_order *order, const line_block *block) {
    const uint32_t known = order->outputs + block->exclusive;
    return block->length < known ? block->length : known;
}

/* Compares all lines; text says what differs, or is empty. */
static bool compare(const saved_order *order, const line_block *block, const fit_buffers *b,
                    char text[160]) {
    const size_t size = cumsum_data_type_size(block->type);
    const uint32_t length = known_length(order, block);
    text[0] = '\0';
    for (uint32_t line = 0; line < block->lines; line++) {
        const uint32_t at = first_difference(order, block, b, line, length);
        if (at < length) {
            const size_t place = ((size_t)line * block->length + at) * size;
            char actual[ELEMENT_TEXT];
            char expected[ELEMENT_TEXT];
            element_decimal(actual, block->type, element_load(b->output + place, block->type));
            element_decimal(expected, block->type,
                            element_load(b->expected + at * size, block->type));
            snprintf(text, 160, "line %u, output %u is %s and not %s", line, at, actual, expected);
            return false;
        }
    }
    return true;
}

tool_status order_compare(const line_runner *runner, const line_block *block,
                          const saved_order *order, uint64_t seed, char text[160],
                          tool_error *error) {
    fit_buffers b;
    const tool_status status = run_data(runner, block, seed, &b, error);
    if (status == TOOL_OK)
        compare(order, block, &b, text);
    free_buffers(&b);
    return status;
}

/* The ways to round, the most common ones first. */
static bool next_arithmetic(const saved_order *order, order_arithmetic *how) {
    const bool half = order->type == CUMSUM_DATA_TYPE_FLOAT16;
    const bool exact = order->name.kind == ORDER_EXACT;
    if (!how->keeps_minus_zero && !exact) {
        how->keeps_minus_zero = true;
        return true;
    }
    how->keeps_minus_zero = false;
    if (half && !exact && how->tally == TALLY_BINARY32 && how->store < CUMSUM_HALF_STORE_IEEE) {
        how->store = (cumsum_half_store)(how->store + 1);
        return true;
    }
    how->store = CUMSUM_HALF_STORE_NEAREST_EVEN;
    if (!half && how->denormals == CUMSUM_DENORMALS_PRESERVE) {
        how->denormals = CUMSUM_DENORMALS_FLUSH;
        return true;
    }
    how->denormals = CUMSUM_DENORMALS_PRESERVE;
    if (exact || how->tally != TALLY_BINARY32)
        return false;
    how->tally = half ? TALLY_BINARY16 : TALLY_BINARY64;
    return true;
}

tool_status order_fit(const line_runner *runner, const line_block *block, saved_order *order,
                      tool_error *error) {
    fit_buffers b;
    char first[160] = "";
    char text[160];
    tool_status status = run_data(runner, block, 1, &b, error);
    order->arithmetic = (order_arithmetic){0};
    bool fits = false;
    while (status == TOOL_OK && !fits) {
        fits = compare(order, block, &b, text);
        if (!first[0])
            memcpy(first, text, sizeof first);
        if (!fits && !next_arithmetic(order, &order->arithmetic)) {
            status = tool_fail(error, TOOL_MISMATCH,
                               "the order that was found does not give the bits of other data, in "
                               "any arithmetic that is known here: with the first of them, %s",
                               first);
        }
    }
    free_buffers(&b);
    return status;
}
