/* SPDX-License-Identifier: MIT */
/*
 * Runs lines of test data and compares their outputs with those of an order: in each known
 * arithmetic until one fits (order_fit), and then in other shapes and directions
 * (order_checks_run).
 */
#include "order_fit.h"

#include <cumsum/cumsum.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "memory.h"
#include "random_bits.h"

/* In [1, 2), of either sign. */
static double wide_number(uint64_t bits) {
    const double value = 1 + ldexp((double)(bits >> 11), -53);
    return bits & 1 ? -value : value;
}

/* Around the smallest normal number, where sums become subnormal. */
static double tiny(cumsum_data_type type, uint64_t bits) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? ldexp(wide_number(bits), -13 - (int)(bits >> 1 & 7))
                                            : ldexp(wide_number(bits), -125 - (int)(bits >> 1 & 7));
}

/* Close to the largest numbers, where sums overflow. */
static double huge(cumsum_data_type type, uint32_t at, uint64_t bits) {
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        return at ? fabs(wide_number(bits)) * (bits & 8 ? 2 : -2.25) : 65496;
    return ldexp(wide_number(bits), 126 - (int)(bits >> 1 & 3) - (at > 2 ? 2 : 0));
}

/* Six kinds of lines in turn: full significands with mixed exponents (twice), of one sign, tiny,
 * huge, and zeros with a few numbers among them. */
static double element(cumsum_data_type type, uint32_t line, uint32_t at, uint64_t bits) {
    switch (line % 6) {
    case 0:
    case 1:
        return ldexp(wide_number(bits), (int)(bits >> 1 & 7) - 4);
    case 2:
        return fabs(wide_number(bits));
    case 3:
        return tiny(type, bits);
    case 4:
        return huge(type, at, bits);
    default:
        return at % 64 == 63 ? wide_number(bits) : -0.0;
    }
}

/* Fills lines with data whose sums tell orders and roundings apart. An element depends only on the
 * seed, the line's number and the place in the line: a longer line begins like a shorter one. */
static void fill_lines(cumsum_data_type type, uint32_t lines, uint32_t length, uint64_t seed,
                       void *elements) {
    for (uint32_t line = 0; line < lines; line++) {
        for (uint32_t at = 0; at < length; at++) {
            uint64_t of_line = seed + line;
            uint64_t of_element = random_bits(&of_line) + at;
            const uint64_t bits = random_bits(&of_element);
            const float value = (float)element(type, line, at, bits);
            const uint64_t i = (uint64_t)line * length + at;
            if (type == CUMSUM_DATA_TYPE_FLOAT16)
                ((uint16_t *)elements)[i] = cumsum_half_from_float(value, CUMSUM_HALF_STORE_IEEE);
            else
                ((float *)elements)[i] = value;
        }
    }
}

/* Test data, their outputs, and the outputs of one line by the order. */
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
    fill_lines(block->type, block->lines, block->length, seed, b->input);
    return runner->run(runner->state, block, b->input, b->output, error);
}

static void free_buffers(fit_buffers *b) {
    free(b->input);
    free(b->output);
    free(b->expected);
}

/* The first of a line's `length` outputs that the order does not give; `length` if it gives all. */
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

/* Compares the outputs that the order knows. text receives the first that differs, or "". */
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

/* The next arithmetic to try, the most common ones first; false after the last. It counts like an
 * odometer: minus zero fastest, then the store, denormals, and the accumulator. */
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
            status =
                tool_fail(error, TOOL_MISMATCH,
                          "the order that was found does not give the bits of other data in any "
                          "known arithmetic: with the first one, %s",
                          first);
        }
    }
    free_buffers(&b);
    return status;
}

typedef struct checking {
    const line_runner *runner;
    const line_block *block;
    const saved_order *order;
    uint64_t seed;
} checking;

/* Compares one more block in a check; `what` names the block in the check's text. False ends the
 * check. */
static bool check_block(checking *c, const line_block *block, const char *what, order_check *to,
                        tool_status *status, tool_error *error) {
    char text[160];
    tool_error reason;
    *status = order_compare(c->runner, block, c->order, c->seed++, text, &reason);
    if (*status == TOOL_OK && !text[0])
        return true;
    if (*status == TOOL_OK) {
        to->outcome = CHECK_DIFFERS;
        snprintf(to->text, sizeof to->text, "%s: %s", what, text);
    } else if (*status == TOOL_NOTHING_RAN) {
        to->outcome = CHECK_UNAVAILABLE;
        snprintf(to->text, sizeof to->text, "%s", reason.message);
        *status = TOOL_OK;
    } else {
        *error = reason;
    }
    return false;
}

static void begin(order_check *to, const char *name, const char *text) {
    *to = (order_check){.name = name, .outcome = CHECK_SAME};
    snprintf(to->text, sizeof to->text, "%s", text);
}

static tool_status check_runs(checking *c, order_check *to, tool_error *error) {
    tool_status status = TOOL_OK;
    bool same = true;
    begin(to, "runs", "of 4 runs");
    for (int i = 0; i < 4 && same; i++) {
        c->seed = 1;
        same = check_block(c, c->block, "another run", to, &status, error);
    }
    c->seed = 2;
    return status;
}

static tool_status check_lines(checking *c, order_check *to, tool_error *error) {
    const uint32_t counts[] = {1, 2, 7, c->block->lines + 1};
    tool_status status = TOOL_OK;
    bool same = true;
    char what[60];
    snprintf(what, sizeof what, "of 1, 2, 7 and %u lines at once", counts[3]);
    begin(to, "lines", what);
    for (int i = 0; i < 4 && same; i++) {
        line_block block = *c->block;
        block.lines = counts[i];
        snprintf(what, sizeof what, "%u at once", counts[i]);
        same = check_block(c, &block, what, to, &status, error);
    }
    return status;
}

/* Compares all outputs of shorter lines, and the first outputs of longer ones. */
static tool_status check_length(checking *c, order_check *to, tool_error *error) {
    const uint32_t n = c->block->length;
    const uint32_t lengths[] = {n + 1, 2 * n, 4 * n + 3, n - 1, n / 2 + 1, n / 3 + 1};
    tool_status status = TOOL_OK;
    bool same = true;
    char what[80];
    snprintf(what, sizeof what, "of %u to %u elements", n / 3 + 1, 4 * n + 3);
    begin(to, "length", what);
    for (int i = 0; i < 6 && same; i++) {
        line_block block = *c->block;
        block.length = lengths[i];
        block.lines = 12;
        snprintf(what, sizeof what, "of %u elements", lengths[i]);
        same = check_block(c, &block, what, to, &status, error);
    }
    return status;
}

static tool_status check_layout(checking *c, order_check *to, tool_error *error) {
    static const char *const names[] = {"packed", "along the first axis", "with gaps"};
    tool_status status = TOOL_OK;
    bool same = true;
    begin(to, "layout", "along the first axis, and with gaps");
    for (int layout = LINES_ACROSS; layout < LINES_LAYOUT_COUNT && same; layout++) {
        line_block block = *c->block;
        block.layout = (line_layout)layout;
        same = check_block(c, &block, names[layout], to, &status, error);
    }
    return status;
}

/* A check of one block, which `what` describes. */
static tool_status check_one(checking *c, const line_block *block, const char *name,
                             const char *what, order_check *to, tool_error *error) {
    tool_status status;
    begin(to, name, what);
    check_block(c, block, what, to, &status, error);
    return status;
}

static tool_status check_direction(checking *c, order_check *to, tool_error *error) {
    line_block block = *c->block;
    block.decreasing = !block.decreasing;
    return check_one(c, &block, "direction", block.decreasing ? "decreasing" : "increasing", to,
                     error);
}

static tool_status check_sum(checking *c, order_check *to, tool_error *error) {
    line_block block = *c->block;
    block.exclusive = !block.exclusive;
    return check_one(c, &block, "sum", block.exclusive ? "exclusive" : "inclusive", to, error);
}

tool_status order_checks_run(const line_runner *runner, const line_block *block,
                             const saved_order *order, order_check checks[ORDER_CHECKS],
                             tool_error *error) {
    static tool_status (*const all[ORDER_CHECKS])(checking *, order_check *, tool_error *) = {
        check_runs, check_lines, check_length, check_layout, check_direction, check_sum};
    checking c = {runner, block, order, 1};
    tool_status status = TOOL_OK;
    for (int i = 0; i < ORDER_CHECKS && status == TOOL_OK; i++)
        status = all[i](&c, &checks[i], error);
    return status;
}
