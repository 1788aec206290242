/* SPDX-License-Identifier: MIT */
/*
 * Does an order give a FLOAT16 line? By vectors (fast_binary16_order.h), which compare stored
 * running sums: docs/oracle.md, "Fast path". A running sum is followed; for other orders the line
 * is scanned in memory, with binary32 running sums.
 */
#include "fast_binary16_order.h"
#include "fast_choice.h"
#include "order_run.h"
#include "order_scan.h"

/* May a FLOAT16 line be compared by fast_binary16_order.h? */
static bool is_fast_binary16(const order_run *r) {
    const judge_state *s = r->state;
    return !s->slowly && !r->near && r->format->precision == 11 && !s->last_writer &&
           !s->options.strict_zero;
}

/* Elements of the current line, which are copied if they lie apart. */
static const uint16_t *halves(const unsigned char *base, int64_t step, uint64_t first, uint64_t n,
                              uint16_t *room) {
    const unsigned char *from = base + step * (int64_t)first;
    if (step == (int64_t)sizeof(uint16_t))
        return (const uint16_t *)(const void *)from;
    for (uint64_t k = 0; k < n; k++)
        room[k] = (uint16_t)load_16(from, step, k);
    return room;
}

/* The orders with a running sum. An exclusive output is completed by the term before it. */
static fast_answer line_in_sequence(const order_run *r, accumulator_format accumulator) {
    const judge_state *s = r->state;
    const bool exclusive = s->problem.exclusive;
    uint16_t terms[HALVES], outputs[HALVES];
    binary16_sequence sequence = {.accumulator = accumulator, .store = (int)r->match.half_store};
    if (exclusive && !order_is_zero(r, judge_actual(s, 0)))
        return FAST_NO;
    const uint64_t length = s->problem.line_length - exclusive;
    for (uint64_t k = 0; k < length; k += HALVES) {
        const uint64_t n = length - k < HALVES ? length - k : HALVES;
        const uint16_t *x = halves(s->line_input, s->input_step, k, n, terms);
        const uint16_t *y = halves(s->line_actual, s->actual_step, k + exclusive, n, outputs);
        const bool same = FAST(cumsum_binary16_in_sequence, &sequence, x, y, (size_t)n);
        if (sequence.unknown)
            return FAST_UNKNOWN;
        if (!same)
            return FAST_NO;
    }
    return FAST_YES;
}

uint64_t cumsum_order_binary16_lines(const order_run *r, judge_state *s, line_spacing *spacing,
                                     uint64_t line, uint64_t end) {
    if (s->sums || !is_fast_binary16(r) || r->match.order != CUMSUM_NAMED_SEQUENTIAL ||
        r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ||
        r->match.half_store == CUMSUM_HALF_STORE_TOWARD_ZERO)
        return 0;
    const uint64_t known = s->accepted_from;
    if (line >= known)
        return end - line;
    return cumsum_fast_lines_in_sequence(s, spacing, line, end < known ? end : known);
}

/* The first n terms in an order of order_scan.h, with a binary32 accumulator, against the
 * outputs that they complete. r->line has room for twice as many floats. */
static fast_answer scan_binary16_begins(const order_run *r, uint64_t n) {
    const judge_state *s = r->state;
    const bool exclusive = s->problem.exclusive;
    uint16_t room[HALVES];
    float *x = (float *)r->line, *v = x + s->problem.line_length;
    for (uint64_t k = 0; k < n; k += HALVES) {
        const uint64_t part = n - k < HALVES ? n - k : HALVES;
        const uint16_t *bits = halves(s->line_input, s->input_step, k, part, room);
        if (!FAST(cumsum_binary16_values, bits, x + k, (size_t)part))
            return FAST_UNKNOWN;
    }
    const float *running = cumsum_order_scan_floats(r->match.order, x, v, n, r->scratch);
    for (uint64_t k = 0; k < n; k += HALVES) {
        const uint64_t part = n - k < HALVES ? n - k : HALVES;
        const uint16_t *y = halves(s->line_actual, s->actual_step, k + exclusive, part, room);
        if (!FAST(cumsum_binary16_stored, running + k, y, (size_t)part, (int)r->match.half_store))
            return FAST_NO;
    }
    return FAST_YES;
}

fast_answer cumsum_order_binary16(const order_run *r) {
    const bool narrow = r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    if (!is_fast_binary16(r))
        return FAST_UNKNOWN;
    switch (r->match.order) {
    case CUMSUM_NAMED_SEQUENTIAL:
        return line_in_sequence(r, narrow ? IN_BINARY16 : IN_BINARY32);
    case CUMSUM_NAMED_SEQUENTIAL_BINARY64:
        return line_in_sequence(r, IN_BINARY64);
    case CUMSUM_NAMED_EXACT:
        return line_in_sequence(r, IN_EXACT);
    case CUMSUM_NAMED_COMPOSED:
        return FAST_UNKNOWN;
    default:
        return narrow || !r->line ? FAST_UNKNOWN : order_in_steps(r, scan_binary16_begins);
    }
}
