/* SPDX-License-Identifier: MIT */
/*
 * Verdict 3: which order of additions was it? docs/oracle.md, "Verdict 3". Each named order is run
 * over every line, with each arithmetic that the device may have, and compared bit for bit with the
 * output until a bit differs. An order that is not the device's own usually ends in the first line.
 * If none gives every bit, the one that gives most outputs is found the same way.
 *
 * Invariant: an order is named only if it gives every output of the tensor, except those that a
 * later line overwrites. Two NaNs are equal, and so are two zeros unless strict_zero is set.
 */
#include <cumsum/oracle.h>

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "fast_choice.h"
#include "fast_half_order.h"
#include "fast_order.h"
#include "judge_steps.h"
#include "judge_threads.h"
#include "order_scan.h"

/* Orders that need a line in memory are not tried on lines longer than this, which bounds the
 * scratch to little more than 2 GiB. */
#define LONGEST_LINE (UINT64_C(1) << 28)

/* An attempt at a named order. */
typedef struct order_run {
    const judge_state *state;
    cumsum_order_match match;    /* the order and the arithmetic that are being tried */
    const binary_format *format; /* of the elements */
    double *line;                /* room for a line, or NULL where the lines are too long */
    double *scratch;             /* of cumsum_order_scan */
    cumsum_near_order
        *near;            /* counts the outputs that differ; NULL: the first one ends the attempt */
    uint64_t most;        /* how many may differ */
    uint64_t first_index; /* the row-major index of the first of them */
} order_run;

/* A subnormal is a zero of its sign where it is flushed. */
static uint64_t flushed(const order_run *r, uint64_t bits) {
    return r->match.denormals == CUMSUM_DENORMALS_FLUSH && format_is_subnormal(r->format, bits)
               ? bits & r->format->sign
               : bits;
}

static uint64_t term_bits(const order_run *r, uint64_t position) {
    return flushed(r, judge_term(r->state, position));
}

static double term(const order_run *r, uint64_t position) {
    return format_value(r->format, term_bits(r, position));
}

/* The output that a tally, the device's running sum, is stored as. */
static uint64_t output_bits(const order_run *r, double tally) {
    if (!judge_is_half(r->state))
        return format_bits(r->format, tally);
    if (isnan(tally))
        return r->format->infinity | 1;
    bool narrow = r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    return half_store(r->format, binary32_bits((float)tally),
                      narrow ? CUMSUM_HALF_STORE_IEEE : (int)r->match.half_store);
}

/* Different bits are accepted if they are two NaNs, or two zeros, or if no verdict is possible. */
static bool counts_as_same(const order_run *r, uint64_t position, uint64_t y, uint64_t expected) {
    const judge_state *s = r->state;
    uint64_t sign = r->format->sign;
    return cumsum_same_bits(s->problem.type, y, expected) ||
           (!s->options.strict_zero && ((y | expected) & ~sign) == 0) ||
           judge_overwritten(s, position);
}

/* Of the outputs so far at most a tenth may differ, so that most orders end soon. The first outputs
 * of a line are the same in many orders, and the others may begin with a few that differ. */
#define TENTH  10
#define LEEWAY 64

/* Counts an output that differs. False if there are too many. */
static bool near_miss(order_run *r, uint64_t position, uint64_t y, uint64_t expected) {
    const judge_state *s = r->state;
    cumsum_near_order *near = r->near;
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS] = {0};
    if (!near)
        return false;
    const uint64_t seen = s->line * s->problem.line_length + position + 1;
    const uint64_t index = cumsum_judge_place(s, position, coordinates);
    if (near->differing++ == 0 || index < r->first_index) {
        memcpy(near->coordinates, coordinates, sizeof coordinates);
        near->expected_bits = expected;
        near->actual_bits = y;
        r->first_index = index;
    }
    return near->differing <= r->most && near->differing <= seen / TENTH + LEEWAY;
}

static inline bool matches(order_run *r, uint64_t position, uint64_t expected) {
    uint64_t y = judge_actual(r->state, position);
    return y == expected || counts_as_same(r, position, y, expected) ||
           near_miss(r, position, y, expected);
}

static order_rounding rounding_of(const order_run *r) {
    bool narrow = r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    return (order_rounding){.format =
                                judge_is_half(r->state) && !narrow ? &binary32_format : r->format,
                            .flush = r->match.denormals == CUMSUM_DENORMALS_FLUSH};
}

static bool sequential_matches(order_run *r) {
    const cumsum_problem *p = &r->state->problem;
    const order_rounding how = rounding_of(r);
    double tally = 0;
    for (uint64_t k = 0; k < p->line_length; k++) {
        double before = tally;
        tally = cumsum_order_add(tally, term(r, k), how);
        if (!matches(r, k, output_bits(r, p->exclusive ? before : tally)))
            return false;
    }
    return true;
}

/*
 * Sequential FLOAT32 and FLOAT64 outputs certify themselves: y[k] == fl(y[k - 1] + x[k]) for all k.
 * Here no addition waits for the one before it, which makes this the fast test for what most
 * devices do. It is the same test although y[k - 1] may differ from the expected output in the sign
 * of a zero or the payload of a NaN: a sum shows the sign of a zero only in -0 + -0, which is again
 * a zero, and a payload only in another NaN.
 */
static bool certifies_itself(order_run *r) {
    const judge_state *s = r->state;
    const cumsum_problem *p = &s->problem;
    if (p->exclusive && !matches(r, 0, 0))
        return false;
    double before = 0;
    for (uint64_t k = p->exclusive, end = p->line_length; k < end; k++) {
        uint64_t x = judge_term(s, k - p->exclusive), y = judge_actual(s, k);
        uint64_t sum = format_bits(r->format, before + format_value(r->format, x));
        if (sum != y && !counts_as_same(r, k, y, sum))
            return false;
        before = format_value(r->format, y);
    }
    return true;
}

/* A line of FLOAT32 terms, and the outputs that they complete. */
typedef struct float_line {
    const float *x;
    const float *y;
    uint64_t n;
} float_line;

/* May the line be compared by fast_order.h? Values are compared there, with subnormals. */
static bool is_fast(const order_run *r) {
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

typedef enum fast_answer {
    FAST_NO,
    FAST_YES,
    FAST_UNKNOWN /* the other test decides */
} fast_answer;

/* What is compared at once: a part of the line stays in the first cache. */
#define PART 4096

static fast_answer fast_in_sequence(order_run *r) {
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

/* Lines of LONGEST_LINE elements have 2^18 tiles, of whose sums 2^8 tiles are made. */
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

static fast_answer fast_blocked(order_run *r) {
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

/* An overwritten output cannot stand for the tally before the next element. */
static bool may_certify_itself(const order_run *r) {
    return !r->near && !judge_is_half(r->state) &&
           r->match.denormals == CUMSUM_DENORMALS_PRESERVE && !r->state->last_writer;
}

/* A binary64 tally, each output rounded from it. */
static bool binary64_matches(order_run *r) {
    const cumsum_problem *p = &r->state->problem;
    double tally = 0;
    for (uint64_t k = 0; k < p->line_length; k++) {
        double before = tally;
        tally += term(r, k);
        if (!matches(r, k, output_bits(r, p->exclusive ? before : tally)))
            return false;
    }
    return true;
}

/* The exact sum, rounded once; NaN and infinities as IEEE 754 adds them. */
static uint64_t exact_bits(const order_run *r, const exact_prefix *p) {
    const binary_format *f = p->format;
    if (p->nan || (p->positive_infinity && p->negative_infinity))
        return f->infinity | 1;
    if (p->positive_infinity || p->negative_infinity)
        return f->infinity | (p->negative_infinity ? f->sign : 0);
    return flushed(r, cumsum_exact_prefix_round(p));
}

static bool exact_matches(order_run *r) {
    const cumsum_problem *p = &r->state->problem;
    exact_prefix prefix = exact_prefix_empty(r->format);
    for (uint64_t k = 0; k < p->line_length; k++) {
        if (p->exclusive && !matches(r, k, exact_bits(r, &prefix)))
            return false;
        cumsum_exact_prefix_add(&prefix, term_bits(r, k));
        if (!p->exclusive && !matches(r, k, exact_bits(r, &prefix)))
            return false;
    }
    return true;
}

/* The first n outputs of a line, in an order of order_scan.h. An exclusive output is the inclusive
 * one before it. */
static bool scan_begins(order_run *r, uint64_t n) {
    const bool exclusive = r->state->problem.exclusive;
    for (uint64_t k = 0; k < n; k++)
        r->line[k] = term(r, k);
    cumsum_order_scan(r->match.order, r->line, n, r->scratch, rounding_of(r));
    for (uint64_t k = 0; k < n; k++) {
        double tally = exclusive ? (k ? r->line[k - 1] : 0) : r->line[k];
        if (!matches(r, k, output_bits(r, tally)))
            return false;
    }
    return true;
}

/* An output depends on no element behind it, so that a few outputs are tried first: another order
 * seldom gives them. */
static bool scan_matches(order_run *r) {
    const uint64_t length = r->state->problem.line_length;
    for (uint64_t n = 64; n < length && !r->near; n *= 32)
        if (!scan_begins(r, n))
            return false;
    return scan_begins(r, length);
}

/* May a FLOAT16 line be compared by fast_half_order.h? */
static bool is_fast_half(const order_run *r) {
    const judge_state *s = r->state;
    return !s->slowly && !r->near && r->format->precision == 11 && !s->last_writer &&
           !s->options.strict_zero;
}

static bool is_zero(const order_run *r, uint64_t bits) {
    return (bits & ~r->format->sign) == 0;
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
static fast_answer half_in_sequence(const order_run *r, half_tally tally) {
    const judge_state *s = r->state;
    const bool exclusive = s->problem.exclusive;
    uint16_t terms[HALVES], outputs[HALVES];
    half_sequence sequence = {.tally = tally, .store = (int)r->match.half_store};
    if (exclusive && !is_zero(r, judge_actual(s, 0)))
        return FAST_NO;
    const uint64_t length = s->problem.line_length - exclusive;
    for (uint64_t k = 0; k < length; k += HALVES) {
        const uint64_t n = length - k < HALVES ? length - k : HALVES;
        const uint16_t *x = halves(s->line_input, s->input_step, k, n, terms);
        const uint16_t *y = halves(s->line_actual, s->actual_step, k + exclusive, n, outputs);
        const bool same = FAST(cumsum_half_in_sequence, &sequence, x, y, (size_t)n);
        if (sequence.unknown)
            return FAST_UNKNOWN;
        if (!same)
            return FAST_NO;
    }
    return FAST_YES;
}

/* The blocked scan of n floats. */
static void blocked_floats(const order_run *r, const float *x, float *v, uint64_t n) {
    const uint64_t tiles = (n + FAST_TILE - 1) / FAST_TILE;
    double *totals = r->scratch;
    for (uint64_t k = 0; k < n && tiles > 1; k += FAST_TILE) {
        const size_t length = (size_t)(n - k < FAST_TILE ? n - k : FAST_TILE);
        totals[k / FAST_TILE] = (double)FAST(cumsum_fast_scan_tile, x + k, v + k, length, 0);
    }
    if (tiles > 1)
        cumsum_order_scan(CUMSUM_NAMED_BLOCKED, totals, tiles, totals + tiles, rounding_of(r));
    for (uint64_t k = 0; k < n; k += FAST_TILE) {
        const size_t length = (size_t)(n - k < FAST_TILE ? n - k : FAST_TILE);
        const float carry = k ? (float)totals[k / FAST_TILE - 1] : 0;
        FAST(cumsum_fast_scan_tile, x + k, v + k, length, carry);
    }
}

/* The scan of x[0..n) in the order that is tried, in x or v. */
static const float *scanned_floats(const order_run *r, float *x, float *v, uint64_t n) {
    switch (r->match.order) {
    case CUMSUM_NAMED_BLOCKED:
        blocked_floats(r, x, v, n);
        return v;
    case CUMSUM_NAMED_HILLIS_STEELE:
        for (uint64_t d = 1; d < n; d *= 4) {
            FAST(cumsum_fast_rounds, x, v, (size_t)n, (size_t)d, 2 * d < n);
            float *sums = v;
            v = x;
            x = sums;
        }
        return x;
    case CUMSUM_NAMED_SKLANSKY:
        FAST(cumsum_fast_sklansky, x, (size_t)n);
        return x;
    default:
        FAST(cumsum_fast_blelloch, x, (size_t)n);
        return x;
    }
}

/* The first n terms in an order of order_scan.h, with a binary32 tally, against the
 * outputs that they complete. r->line has room for twice as many floats. */
static fast_answer half_scan_begins(const order_run *r, uint64_t n) {
    const judge_state *s = r->state;
    const bool exclusive = s->problem.exclusive;
    uint16_t room[HALVES];
    float *x = (float *)r->line, *v = x + s->problem.line_length;
    for (uint64_t k = 0; k < n; k += HALVES) {
        const uint64_t part = n - k < HALVES ? n - k : HALVES;
        const uint16_t *bits = halves(s->line_input, s->input_step, k, part, room);
        if (!FAST(cumsum_half_values, bits, x + k, (size_t)part))
            return FAST_UNKNOWN;
    }
    const float *tallies = scanned_floats(r, x, v, n);
    for (uint64_t k = 0; k < n; k += HALVES) {
        const uint64_t part = n - k < HALVES ? n - k : HALVES;
        const uint16_t *y = halves(s->line_actual, s->actual_step, k + exclusive, part, room);
        if (!FAST(cumsum_half_stored, tallies + k, y, (size_t)part, (int)r->match.half_store))
            return FAST_NO;
    }
    return FAST_YES;
}

/* The same for FLOAT32. */
static fast_answer float_scan_begins(const order_run *r, uint64_t n) {
    const judge_state *s = r->state;
    float *x = (float *)r->line, *v = x + s->problem.line_length;
    for (uint64_t k = 0; k < n; k++)
        x[k] = binary32_value(load_32(s->line_input, s->input_step, k));
    const float *tallies = scanned_floats(r, x, v, n);
    const unsigned char *outputs = s->line_actual + s->actual_step * (int64_t)s->problem.exclusive;
    const float *y = elements(outputs, s->actual_step, n, tallies == x ? v : x);
    bool differs = false;
    for (uint64_t k = 0; k < n; k++)
        differs |= tallies[k] != y[k];
    if (!differs)
        return FAST_YES;
    return has_nan(y, n) ? FAST_UNKNOWN : FAST_NO;
}

/* As scan_matches. */
static fast_answer fast_scan(const order_run *r) {
    const bool exclusive = r->state->problem.exclusive, half = judge_is_half(r->state);
    const uint64_t length = r->state->problem.line_length - exclusive;
    if (exclusive && !is_zero(r, judge_actual(r->state, 0)))
        return FAST_NO;
    for (uint64_t n = 64; n < length; n *= 32) {
        const fast_answer answer = half ? half_scan_begins(r, n) : float_scan_begins(r, n);
        if (answer != FAST_YES)
            return answer;
    }
    return half ? half_scan_begins(r, length) : float_scan_begins(r, length);
}

static fast_answer half_matches(const order_run *r) {
    const bool narrow = r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    switch (r->match.order) {
    case CUMSUM_NAMED_SEQUENTIAL:
        return half_in_sequence(r, narrow ? HALF_BINARY16 : HALF_BINARY32);
    case CUMSUM_NAMED_SEQUENTIAL_BINARY64:
        return half_in_sequence(r, HALF_BINARY64);
    case CUMSUM_NAMED_EXACT:
        return half_in_sequence(r, HALF_EXACT);
    default:
        return narrow || !r->line ? FAST_UNKNOWN : fast_scan(r);
    }
}

static fast_answer float_matches(order_run *r) {
    switch (r->match.order) {
    case CUMSUM_NAMED_SEQUENTIAL:
        return fast_in_sequence(r);
    case CUMSUM_NAMED_BLOCKED:
        return fast_blocked(r);
    case CUMSUM_NAMED_EXACT:
    case CUMSUM_NAMED_SEQUENTIAL_BINARY64:
        return FAST_UNKNOWN;
    default:
        return fast_scan(r);
    }
}

/* The current line. */
static bool line_matches(order_run *r) {
    const cumsum_named_order order = r->match.order;
    fast_answer answer = FAST_UNKNOWN;
    if (is_fast(r))
        answer = float_matches(r);
    else if (is_fast_half(r))
        answer = half_matches(r);
    if (answer != FAST_UNKNOWN)
        return answer == FAST_YES;
    if (order == CUMSUM_NAMED_SEQUENTIAL)
        return may_certify_itself(r) ? certifies_itself(r) : sequential_matches(r);
    if (order == CUMSUM_NAMED_SEQUENTIAL_BINARY64)
        return binary64_matches(r);
    if (order == CUMSUM_NAMED_EXACT)
        return exact_matches(r);
    return r->line && scan_matches(r);
}

/* Does the tensor match, as far as the verdicts before have found it out on the way? Verdict 2 has
 * compared FLOAT32 and FLOAT64 outputs with S, rounded once. */
static fast_answer known_answer(const judge_state *s, cumsum_order_match match) {
    if (s->slowly || judge_is_half(s) || match.denormals != CUMSUM_DENORMALS_PRESERVE)
        return FAST_UNKNOWN;
    if (match.order == CUMSUM_NAMED_EXACT)
        return s->judgement->error_class == CUMSUM_CLASS_CORRECTLY_ROUNDED ? FAST_YES : FAST_NO;
    const bool sequential = s->sequential && !s->options.strict_zero && !s->last_writer;
    return match.order == CUMSUM_NAMED_SEQUENTIAL && sequential ? FAST_YES : FAST_UNKNOWN;
}

/* The lines that a thread compares. The first line is compared before: most orders end there. */
typedef struct order_share {
    judge_state state;
    order_run run;
    uint64_t first;
    uint64_t end;
} order_share;

/* All lines, with what the threads need for them. */
typedef struct order_search {
    judge_state *state;
    order_share *shares;
    uint64_t count;
    atomic_bool differs; /* a bit was found that the order does not give */
} order_search;

/* Every line of a share in turn, until a bit differs here or elsewhere. */
static void try_lines(void *context, size_t share) {
    order_search *all = context;
    order_share *mine = &all->shares[share];
    for (uint64_t line = mine->first;
         line < mine->end && !atomic_load_explicit(&all->differs, memory_order_relaxed); line++) {
        cumsum_judge_start_line(&mine->state, line);
        if (!line_matches(&mine->run))
            atomic_store_explicit(&all->differs, true, memory_order_relaxed);
    }
}

static bool tensor_matches(order_search *all, cumsum_order_match match) {
    const fast_answer known =
        all->shares[0].run.near ? FAST_UNKNOWN : known_answer(all->state, match);
    if (known != FAST_UNKNOWN)
        return known == FAST_YES;
    for (uint64_t i = 0; i < all->count; i++)
        all->shares[i].run.match = match;
    cumsum_judge_start_line(&all->shares[0].state, 0);
    if (!line_matches(&all->shares[0].run))
        return false;
    atomic_store_explicit(&all->differs, false, memory_order_relaxed);
    cumsum_judge_in_shares(all->state, all->count, try_lines, all);
    return !atomic_load_explicit(&all->differs, memory_order_relaxed);
}

/*
 * The arithmetics that an order is tried with, at most 4. FLOAT32 and FLOAT64: denormals kept, then
 * flushed. FLOAT16 and BFLOAT16: the binary32 accumulator with each store, and an accumulator of
 * the type; what `numerics` promises comes first. BFLOAT16 has two stores. A binary64 tally rounds
 * as binary64 does, whatever the accumulator, and the exact order has one rounding, the IEEE
 * conversion. FLOAT64 has no tally that is wider.
 */
static uint32_t variants(const judge_state *s, cumsum_named_order order, cumsum_order_match *list) {
    const cumsum_numerics *promised = &s->options.numerics;
    const int precision = judge_format(s)->precision;
    bool wide_only = order == CUMSUM_NAMED_SEQUENTIAL_BINARY64;
    uint32_t count = 0;
    if (wide_only && precision == 53)
        return 0;
    if (!judge_is_half(s)) {
        list[count++] = (cumsum_order_match){.order = order};
        if (!wide_only)
            list[count++] =
                (cumsum_order_match){.order = order, .denormals = CUMSUM_DENORMALS_FLUSH};
        return count;
    }
    const bool bfloat16 = precision == 8;
    const cumsum_half_store ieee_store =
        bfloat16 ? CUMSUM_HALF_STORE_NEAREST_EVEN : CUMSUM_HALF_STORE_IEEE;
    if (order == CUMSUM_NAMED_EXACT) {
        list[0] = (cumsum_order_match){.order = order, .half_store = ieee_store};
        return 1;
    }
    const cumsum_order_match narrow = {.order = order,
                                       .half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT16};
    bool narrow_first = promised->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    if (narrow_first && !wide_only)
        list[count++] = narrow;
    const uint32_t stores = bfloat16 ? 2 : 3;
    for (uint32_t i = 0; i < stores; i++)
        list[count++] = (cumsum_order_match){
            .order = order,
            .half_store = (cumsum_half_store)(((uint32_t)promised->half_store + i) % stores)};
    if (!narrow_first && !wide_only)
        list[count++] = narrow;
    return count;
}

/* Appends the first arithmetic with which the order gives every bit. */
static bool try_order(order_search *all, cumsum_named_order order) {
    cumsum_judgement *j = all->state->judgement;
    cumsum_order_match list[4];
    uint32_t count = variants(all->state, order, list);
    for (uint32_t i = 0; i < count; i++) {
        if (tensor_matches(all, list[i])) {
            j->matches[j->match_count++] = list[i];
            return true;
        }
    }
    return false;
}

/* Runs each order again, past the outputs that differ. An order ends when it is worse than the best
 * so far, which depends on the outputs before: the calling thread has all lines. */
static void try_near_orders(order_search *all) {
    judge_state *s = all->state;
    order_run *r = &all->shares[0].run;
    cumsum_near_order near, *best = &s->judgement->near;
    cumsum_order_match list[4];
    all->count = 1;
    all->shares[0].end = s->problem.lines;
    r->near = &near;
    /* Of three outputs one is too many. */
    r->most = s->judgement->outputs > 3 ? (s->judgement->outputs - 1) / TENTH + 1 : 0;
    for (int order = 0; order < CUMSUM_NAMED_ORDER_COUNT; order++) {
        const uint32_t count = variants(s, (cumsum_named_order)order, list);
        for (uint32_t i = 0; i < count && r->most; i++) {
            near = (cumsum_near_order){.match = list[i]};
            if (tensor_matches(all, list[i])) {
                *best = near;
                best->ulps =
                    cumsum_ulp_distance(s->problem.type, near.expected_bits, near.actual_bits);
                r->most = near.differing - 1;
            }
        }
    }
}

static void try_orders(order_search *all) {
    const cumsum_judge_options *options = &all->state->options;
    for (int order = 0; order < CUMSUM_NAMED_ORDER_COUNT; order++)
        if (try_order(all, (cumsum_named_order)order) && !options->all_orders)
            return;
}

/* Every share has room for a line. False if there is no memory for it. */
static bool begin_search(order_search *all) {
    const judge_state *s = all->state;
    const uint64_t n = s->problem.line_length;
    all->shares = calloc((size_t)all->count, sizeof *all->shares);
    for (uint64_t i = 0; all->shares && i < all->count; i++) {
        order_share *mine = &all->shares[i];
        mine->state = *s;
        mine->first = i ? judge_share_first(s, all->count, i) : 1;
        mine->end = judge_share_first(s, all->count, i + 1);
        mine->run = (order_run){.state = &mine->state, .format = judge_format(s)};
        if (n > LONGEST_LINE)
            continue;
        mine->run.line = malloc((size_t)(n + cumsum_order_scratch(n)) * sizeof *mine->run.line);
        if (!mine->run.line)
            return false;
        mine->run.scratch = mine->run.line + n;
    }
    return all->shares != NULL;
}

cumsum_status cumsum_judge_orders(judge_state *s) {
    const uint64_t shares = cumsum_judge_shares(s);
    order_search all = {.state = s, .count = shares};
    if (!judge_format(s)) /* integers are the same in every order */
        return CUMSUM_OK;
    const bool begun = begin_search(&all);
    if (begun)
        try_orders(&all);
    if (begun && s->options.near_order && !s->judgement->match_count)
        try_near_orders(&all);
    for (uint64_t i = 0; all.shares && i < shares; i++)
        free(all.shares[i].run.line);
    free(all.shares);
    return begun ? CUMSUM_OK : CUMSUM_OUT_OF_MEMORY;
}
