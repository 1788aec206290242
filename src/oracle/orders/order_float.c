/* SPDX-License-Identifier: MIT */
/*
 * Does an order give a FLOAT32 line? By vectors (fast_order.h), which compare values:
 * docs/oracle.md, "Fast path". Sequential outputs certify themselves, and blocked ones are compared
 * tile by tile; for other orders the line is scanned in memory.
 */
#include "fast_choice.h"
#include "fast_order.h"
#include "order_run.h"
#include "order_scan.h"

/* A line of FLOAT32 terms, and the outputs that they complete. */
typedef struct float_line {
    const float *x;
    const float *y;
    uint64_t n;
} float_line;

/* May the line be compared by fast_order.h? Values are compared there, with subnormals. */
static bool is_fast_float(const order_run *r) {
    const judge_state *s = r->state;
    return !s->slowly && !r->near && r->format->precision == 24 && !s->last_writer &&
           !s->options.strict_zero && r->match.denormals == CUMSUM_DENORMALS_PRESERVE && r->line;
}

/* Elements of the current line, which are copied if they lie apart. */
static const float *elements(const unsigned char *from, int64_t step, uint64_t n, float *room) {
    if (step == (int64_t)sizeof(float))
        return (const float *)(const void *)from;
    for (uint64_t k = 0; k < n; k++)
        room[k] = binary32_value(load_32(from, step, k));
    return room;
}

/* r->line has room for twice as many floats. An exclusive output is completed by the term before
 * it. */
static float_line float_line_of(const order_run *r) {
    const judge_state *s = r->state;
    const bool exclusive = s->problem.exclusive;
    float *room = (float *)r->line;
    float_line l = {.n = s->problem.line_length - exclusive};
    l.x = elements(s->line_input, s->input_step, l.n, room);
    l.y = elements(s->line_actual, s->actual_step, s->problem.line_length,
                   room + s->problem.line_length) +
          exclusive;
    return l;
}

/* Outputs that differ as values differ, unless they are NaN. */
static bool has_nan(const float *y, uint64_t n) {
    bool found = false;
    for (uint64_t k = 0; k < n; k++)
        found |= isnan(y[k]) != 0;
    return found;
}

/* What is compared at once: a part of the line stays in the first cache. */
#define PART 4096

static fast_answer fast_in_sequence(const order_run *r) {
    const float_line l = float_line_of(r);
    if (r->state->problem.exclusive ? l.y[-1] != 0 : l.x[0] != l.y[0])
        return FAST_UNKNOWN;
    for (uint64_t k = !r->state->problem.exclusive; k < l.n; k += PART) {
        const size_t n = (size_t)(l.n - k < PART ? l.n - k : PART);
        if (!FAST(cumsum_fast_in_sequence, l.x + k, l.y + k, n))
            return has_nan(l.y + k, n) ? FAST_UNKNOWN : FAST_NO;
    }
    return FAST_YES;
}

/* The tiles of the blocked order have blocks of 16. */
#define BLOCK 16

/* The sums of the tiles before, which are scanned in the same order: those of the current block,
 * of the full blocks before it in its tile of sums, and of the tiles of sums before that. The next
 * level has the sums of these. */
typedef struct tile_sums {
    float block[BLOCK];
    unsigned in_block;
    unsigned blocks;
    float carry;
    float before;
} tile_sums;

/* Lines of ORDER_LONGEST_LINE elements have 2^18 tiles, of whose sums 2^8 tiles are made. */
#define LEVELS 2

/* Appends the sum of a tile; returns that of all tiles so far. */
static float append_tile(tile_sums *l, float sum) {
    float v[BLOCK];
    l->block[l->in_block++] = sum;
    memcpy(v, l->block, sizeof v);
    for (unsigned s = 1; s < l->in_block; s *= 2) /* Sklansky's network */
        for (unsigned i = s; i < l->in_block; i++)
            if (i & s)
                v[i] = v[(i | (s - 1)) ^ s] + v[i];
    const float all = (l->before + l->carry) + v[l->in_block - 1];
    if (l->in_block < BLOCK)
        return all;
    l->in_block = 0;
    l->carry += v[BLOCK - 1];
    if (++l->blocks == FAST_TILE / BLOCK) {
        l->blocks = 0;
        l->before = append_tile(l + 1, l->carry);
        l->carry = 0;
    }
    return all;
}

static fast_answer fast_blocked(const order_run *r) {
    const float_line l = float_line_of(r);
    tile_sums levels[LEVELS] = {0};
    float carry = 0, sum;
    if (r->state->problem.exclusive && l.y[-1] != 0)
        return FAST_UNKNOWN;
    for (uint64_t k = 0; k < l.n; k += FAST_TILE) {
        const size_t n = (size_t)(l.n - k < FAST_TILE ? l.n - k : FAST_TILE);
        if (!FAST(cumsum_fast_tile, l.x + k, l.y + k, n, carry, &sum))
            return has_nan(l.y + k, n) ? FAST_UNKNOWN : FAST_NO;
        carry = append_tile(levels, sum);
    }
    return FAST_YES;
}

/* The first n terms in an order of order_scan.h, against the outputs that they complete. */
static fast_answer scan_float_begins(const order_run *r, uint64_t n) {
    const judge_state *s = r->state;
    float *x = (float *)r->line, *v = x + s->problem.line_length;
    const float *terms = elements(s->line_input, s->input_step, n, x);
    if (terms != x)
        memcpy(x, terms, n * sizeof *x);
    const float *running = cumsum_order_scan_floats(r->match.order, x, v, n, r->scratch);
    const unsigned char *outputs = s->line_actual + s->actual_step * (int64_t)s->problem.exclusive;
    const float *y = elements(outputs, s->actual_step, n, running == x ? v : x);
    uint32_t differs = 0;
    for (uint64_t k = 0; k < n; k++)
        differs |= running[k] != y[k];
    if (!differs)
        return FAST_YES;
    return has_nan(y, n) ? FAST_UNKNOWN : FAST_NO;
}

fast_answer cumsum_order_float(const order_run *r) {
    if (!is_fast_float(r))
        return FAST_UNKNOWN;
    switch (r->match.order) {
    case CUMSUM_NAMED_SEQUENTIAL:
        return fast_in_sequence(r);
    case CUMSUM_NAMED_BLOCKED:
        return fast_blocked(r);
    case CUMSUM_NAMED_COMPOSED:
    case CUMSUM_NAMED_EXACT:
    case CUMSUM_NAMED_SEQUENTIAL_BINARY64:
        return FAST_UNKNOWN;
    default:
        return order_in_steps(r, scan_float_begins);
    }
}
