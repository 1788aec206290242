/* SPDX-License-Identifier: MIT */
/*
 * Does an order give a line? Running sums are made for a part of the line, or for orders that are
 * scans in memory (order_scan.h) for the line, and then compared with the outputs: docs/oracle.md,
 * "Verdict 3". Of types up to 32 bits the sums that are compared are numbers of binary32, whatever
 * they were added in. Where vectors find that all outputs of a part are the sums, stored, no other
 * code looks at them.
 */
#include "order_run.h"

#include <float.h>
#include <math.h>

#include "compiler.h"
#include "order_scan.h"

/* Outputs that are looked at together: a part stays in the first cache, and a processor makes the
 * next one while it compares. */
#define PART 512

static bool is_narrow(const order_run *r) {
    return r->match.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
}

/* The arithmetic in which running sums are added. */
static arithmetic additions_of(const order_run *r) {
    const bool flushes = r->match.denormals == CUMSUM_DENORMALS_FLUSH;
    if (r->match.order == CUMSUM_NAMED_SEQUENTIAL_BINARY64 || r->match.order == CUMSUM_NAMED_EXACT)
        return arithmetic_binary64;
    return (arithmetic){.accumulator = judge_is_16_bit(r->state) && !is_narrow(r) ? &binary32_format
                                                                                  : r->format,
                        .flush_results = flushes ? CUMSUM_FLUSH_MUST : CUMSUM_FLUSH_NEVER};
}

static int store_of(const order_run *r) {
    return is_narrow(r) ? CUMSUM_HALF_STORE_IEEE : (int)r->match.half_store;
}

/* Are sums those of binary32? */
static bool adds_floats(const order_run *r, const arithmetic *how) {
    return !r->state->slowly && how->accumulator->precision == 24 &&
           how->flush_results == CUMSUM_FLUSH_NEVER;
}

/* ---- elements ---- */

/* Replaces a subnormal by a zero of its sign if the arithmetic flushes. */
static uint64_t flushed_bits(const order_run *r, uint64_t bits) {
    return r->match.denormals == CUMSUM_DENORMALS_FLUSH && format_is_subnormal(r->format, bits)
               ? bits & r->format->sign
               : bits;
}

static uint64_t term_bits(const order_run *r, uint64_t position) {
    return flushed_bits(r, judge_term(r->state, position));
}

/* A part of the input or the output, which is copied if its elements lie apart. Otherwise the next
 * part is prefetched: memory is read while the processor adds. */
static const void *elements(const order_run *r, bool output, uint64_t from, uint64_t n,
                            uint32_t room[PART]) {
    const judge_state *s = r->state;
    const size_t size = s->problem.element_size;
    const int64_t step = output ? s->actual_step : s->input_step;
    const unsigned char *first = (output ? s->line_actual : s->line_input) + step * (int64_t)from;
    if (step == (int64_t)size) {
        for (uint64_t k = n * size; k < 2 * n * size; k += 64)
            CUMSUM_PREFETCH(first + k);
        return first;
    }
    for (uint64_t k = 0; k < n; k++)
        memcpy((unsigned char *)room + k * size, first + step * (int64_t)k, size);
    return room;
}

/* The values of a part, of a type that has up to 32 bits. +0 is added: where nothing is flushed, no
 * sum shows the sign of a zero. */
static void load_values(const order_run *r, bool output, uint64_t from, uint64_t n, float *to) {
    uint32_t room[PART];
    const void *bits = elements(r, output, from, n, room);
    if (r->format->precision == 24)
        order_vectors_here()->float_values(bits, to, n);
    else if (r->format->precision == 8 || !order_vectors_here()->half_values(bits, to, n))
        for (uint64_t k = 0; k < n; k++)
            to[k] = (float)format_value(r->format, ((const uint16_t *)bits)[k]) + 0;
}

static void load_doubles(const order_run *r, uint64_t from, uint64_t n, double *to) {
    float floats[PART];
    if (r->format->precision == 53 || r->match.denormals == CUMSUM_DENORMALS_FLUSH) {
        for (uint64_t k = 0; k < n; k++)
            to[k] = format_value(r->format, term_bits(r, from + k));
        return;
    }
    load_values(r, false, from, n, floats);
    for (uint64_t k = 0; k < n; k++)
        to[k] = (double)floats[k];
}

/* ---- comparing ---- */

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
    return near->differing <= r->most && near->differing <= seen / ORDER_TENTH + ORDER_LEEWAY;
}

/* Of a sum only the last output of its line is one. */
static bool matches(order_run *r, uint64_t position, uint64_t expected) {
    if (r->state->sums && position + 1 < r->state->problem.line_length)
        return true;
    uint64_t y = judge_actual(r->state, position);
    return judge_same_output(r->state, y, expected) || judge_overwritten(r->state, position) ||
           near_miss(r, position, y, expected);
}

/* Are all outputs of a part these sums, as far as vectors can tell? */
static bool vectors_agree(const order_run *r, uint64_t from, uint64_t n, const float *sums) {
    const judge_state *s = r->state;
    uint32_t room[PART];
    if (s->slowly || s->options.strict_zero || s->sums || r->format->precision == 8)
        return false;
    const void *y = elements(r, true, from, n, room);
    return r->format->precision == 11 ? order_vectors_here()->are_halves(sums, y, n, store_of(r))
                                      : order_vectors_here()->are_floats(sums, y, n);
}

/* Compares n outputs with their sums. Returns how many are right, and no others before them. */
static uint64_t compare_with_floats(order_run *r, uint64_t from, uint64_t n, const float *sums) {
    for (uint64_t begin = 0, end; begin < n; begin = end) {
        end = n - begin < PART ? n : begin + PART;
        if (vectors_agree(r, from + begin, end - begin, sums + begin))
            continue;
        for (uint64_t k = begin; k < end; k++)
            if (!matches(r, from + k, format_stored(r->format, (double)sums[k], store_of(r))))
                return k;
    }
    return n;
}

/* The same with sums in binary64, which but for FLOAT64 are rounded to binary32 first. */
static uint64_t compare_with_doubles(order_run *r, uint64_t from, uint64_t n, const double *sums) {
    const bool rounds = r->format->precision != 53;
    float rounded[PART];
    for (uint64_t k = 0; k < n && !rounds; k++)
        if (!matches(r, from + k, format_stored(r->format, sums[k], store_of(r))))
            return k;
    for (uint64_t begin = 0; begin < n && rounds; begin += PART) {
        const uint64_t part = n - begin < PART ? n - begin : PART;
        for (uint64_t k = 0; k < part; k++)
            rounded[k] = (float)sums[begin + k];
        const uint64_t right = compare_with_floats(r, from + begin, part, rounded);
        if (right < part)
            return begin + right;
    }
    return n;
}

/* ---- running sums ---- */

/* A part of a line. Sums are those before each term, and that behind the last one. */
typedef struct line_part {
    bool certified; /* by the outputs before */
    float floats[PART + 1];
    double doubles[PART + 1];
    float outputs[PART + 1]; /* the last one of the part before, and those of the part */
} line_part;

/*
 * Sequential outputs of a type that the accumulator has, too, certify themselves: each is the sum
 * of the one before it and its term. No addition waits for the one before it. It is the same test
 * although an output may differ from the expected one in the sign of a zero or the payload of a
 * NaN: a sum shows the sign of a zero only in -0 + -0, and a payload only in another NaN. An
 * overwritten output cannot stand for a running sum, and one of the piece before is gone.
 */
static bool certifies_itself(const order_run *r, const arithmetic *how) {
    const judge_state *s = r->state;
    return r->match.order == CUMSUM_NAMED_SEQUENTIAL && !s->slowly && !r->near && !s->sums &&
           !s->last_writer && !s->between && format_is(how->accumulator, r->format) &&
           r->format->precision != 53 && how->flush_results == CUMSUM_FLUSH_NEVER;
}

static void add_floats(const order_run *r, line_part *p, uint64_t from, uint64_t n) {
    const float *before = p->outputs + r->state->problem.exclusive;
    float terms[PART], sum = p->floats[0];
    load_values(r, false, from, n, terms);
    if (!p->certified) {
        for (uint64_t i = 0; i < n; i++)
            p->floats[i + 1] = sum += terms[i];
        return;
    }
    load_values(r, true, from, n, p->outputs + 1);
    for (uint64_t i = 0; i < n; i++)
        p->floats[i + 1] = before[i] + terms[i];
    p->outputs[0] = p->outputs[n];
}

static void add_doubles(const order_run *r, const arithmetic *how, line_part *p, uint64_t from,
                        uint64_t n) {
    double terms[PART], sum = p->doubles[0];
    load_doubles(r, from, n, terms);
    if (how->accumulator->precision == 53 && how->flush_results == CUMSUM_FLUSH_NEVER)
        for (uint64_t i = 0; i < n; i++)
            p->doubles[i + 1] = sum += terms[i];
    else
        for (uint64_t i = 0; i < n; i++)
            p->doubles[i + 1] = sum = order_add(sum, terms[i], how);
}

/* Does the exact order give the outputs from a place on? A sum has only the last one. */
static bool exact_gives_rest(order_run *r, uint64_t from) {
    const cumsum_problem *p = &r->state->problem;
    exact_prefix prefix = exact_prefix_of(r->format, NULL);
    from = r->state->sums ? p->line_length - 1 : from;
    for (uint64_t k = 0; k < p->line_length; k++) {
        if (!p->exclusive)
            cumsum_exact_prefix_add(&prefix, term_bits(r, k));
        if (k >= from && !matches(r, k, flushed_bits(r, cumsum_rule_expected(&prefix))))
            return false;
        if (p->exclusive)
            cumsum_exact_prefix_add(&prefix, term_bits(r, k));
    }
    return true;
}

/* Rounds sums that are multiples of 2^-24 to odd: stored in 16 bits, they are rounded once. False
 * if one is not exact. */
static bool round_to_odd(line_part *p, uint64_t n) {
    bool exact = true;
    for (uint64_t i = 1; i <= n; i++) {
        const double sum = p->doubles[i];
        const float nearest = (float)sum;
        const uint32_t toward_zero = binary32_bits(nearest) - (fabs((double)nearest) > fabs(sum));
        p->floats[i] = binary32_value(toward_zero | ((double)nearest != sum));
        exact &= fabs(sum) < 0x1p28;
    }
    return exact;
}

/* The orders with a running sum, which goes on from r->sum. */
static bool sequence_gives_line(order_run *r, const arithmetic *how) {
    const uint64_t length = r->state->problem.line_length;
    const bool inclusive = !r->state->problem.exclusive;
    line_part p;
    p.certified = certifies_itself(r, how);
    p.floats[0] = (float)r->sum;
    p.outputs[0] = 0;
    p.doubles[0] = r->sum;
    const bool exact = r->match.order == CUMSUM_NAMED_EXACT;
    const bool floats = p.certified || adds_floats(r, how);
    if (exact && (r->format->precision != 11 || r->state->slowly || r->state->sums))
        return exact_gives_rest(r, 0);
    for (uint64_t from = 0; from < length; from += PART) {
        const uint64_t n = length - from < PART ? length - from : PART;
        if (floats)
            add_floats(r, &p, from, n);
        else
            add_doubles(r, how, &p, from, n);
        if (exact && !round_to_odd(&p, n))
            return exact_gives_rest(r, from);
        const uint64_t right = floats || exact
                                   ? compare_with_floats(r, from, n, p.floats + inclusive)
                                   : compare_with_doubles(r, from, n, p.doubles + inclusive);
        if (right < n)
            return false;
        if (floats || exact)
            p.floats[0] = p.floats[n];
        if (!floats)
            p.doubles[0] = p.doubles[n];
    }
    r->sum = floats ? (double)p.floats[0] : p.doubles[0];
    return true;
}

bool cumsum_order_gives_piece(order_run *r) {
    const arithmetic how = additions_of(r);
    return sequence_gives_line(r, &how);
}

/* ---- scans in memory ---- */

typedef struct line_scan {
    const cumsum_composed_order *order;
    arithmetic how;
    bool floats;
    bool exclusive; /* not where the outputs are inclusive sums, moved on by `shift` */
    bool shift;
} line_scan;

static line_scan scan_of(const order_run *r) {
    const bool composed = r->match.order == CUMSUM_NAMED_COMPOSED;
    const bool exclusive = r->state->problem.exclusive;
    line_scan l = {order_levels(&r->match), additions_of(r), false, exclusive && composed,
                   exclusive && !composed};
    l.floats = adds_floats(r, &l.how);
    return l;
}

/* Scans the first n terms, and compares the outputs from a place on. +0 is added to terms, so that
 * zeros are as those of a sum that begins at +0. Returns how many outputs are right, those before
 * the place included. */
static uint64_t scan_and_compare(order_run *r, line_scan *l, uint64_t from, uint64_t n) {
    float *floats = l->floats ? (float *)r->line : NULL;
    for (uint64_t k = 0; k < n; k += PART) {
        const uint64_t part = n - k < PART ? n - k : PART;
        if (floats)
            load_values(r, false, k, part, floats + k);
        else
            load_doubles(r, k, part, r->line + k);
        for (uint64_t i = k; i < k + part && !floats; i++)
            r->line[i] += 0;
    }
    if (floats)
        order_vectors_here()->scan(NULL, l->order, floats, n, l->exclusive, (float *)r->scratch);
    else
        cumsum_order_scan(l->order, r->line, n, l->exclusive, r->scratch, cumsum_order_addition,
                          &l->how);
    return from + (floats ? compare_with_floats(r, from + l->shift, n - from, floats + from)
                          : compare_with_doubles(r, from + l->shift, n - from, r->line + from));
}

/* Do whole blocks of the first level fit in a part? */
static bool has_short_blocks(const line_scan *l) {
    const cumsum_order_level *level = l->order ? l->order->levels : NULL;
    return l->floats && level && l->order->count > 1 && !level->open && level->size <= PART;
}

/* A window has so many elements, which stay in a cache, or a quarter of the line, so that totals
 * are not scanned too often. */
#define WINDOW (UINT64_C(1) << 15)

/* The same for an order whose first blocks are short, window by window: no output depends on an
 * element behind it. The totals of all blocks so far are scanned for each window. */
static uint64_t compare_windows(order_run *r, const line_scan *l, uint64_t n) {
    const cumsum_order_level *level = l->order->levels;
    const order_vectors *vectors = order_vectors_here();
    const uint64_t part = PART - PART % level->size, most = n / 4 > WINDOW ? n / 4 : WINDOW;
    float *v = (float *)r->line, *totals = (float *)r->scratch;
    float *carries = totals + (n + level->size - 1) / level->size;
    cumsum_composed_order others = {.count = l->order->count - 1};
    memcpy(others.levels, level + 1, others.count * sizeof *level);
    uint64_t window = r->gave_line ? most - most % part : part;
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a part holds a block */
    for (uint64_t begin = 0, end; begin < n; begin = end, window = most - most % part) {
        end = n - begin < window ? n : begin + window;
        for (uint64_t k = begin; k < end; k += part) {
            const uint64_t count = end - k < part ? end - k : part;
            load_values(r, false, k, count, v + (k - begin));
            vectors->scan_blocks(NULL, level, v + (k - begin), count, l->exclusive,
                                 totals + k / level->size);
        }
        const uint64_t count = (end + level->size - 1) / level->size;
        memcpy(carries, totals, count * sizeof *totals);
        vectors->scan(NULL, &others, carries, count, true, carries + count);
        for (uint64_t k = begin; k < end; k += part) {
            const uint64_t length = end - k < part ? end - k : part;
            vectors->add_carries(NULL, level, v + (k - begin), length, l->exclusive,
                                 carries + k / level->size, k > 0);
            const uint64_t right = compare_with_floats(r, k + l->shift, length, v + (k - begin));
            if (right < length)
                return k + right;
        }
    }
    return n;
}

uint64_t cumsum_order_begins(order_run *r, uint64_t n) {
    line_scan l = scan_of(r);
    return has_short_blocks(&l) ? compare_windows(r, &l, n) : scan_and_compare(r, &l, 0, n);
}

/* An output depends on no element behind it. So a few outputs are tried first, which another order
 * seldom gives. An order that gave a line mostly gives the next one. */
static bool scan_gives_line(order_run *r) {
    line_scan l = scan_of(r);
    const uint64_t length = r->state->problem.line_length - l.shift;
    uint64_t right = 0, n = r->gave_line ? length : 64;
    if (l.shift && !matches(r, 0, 0))
        return false;
    if (has_short_blocks(&l))
        return compare_windows(r, &l, length) == length;
    for (; right < length; n *= 32) {
        const uint64_t to = n < length / 4 ? n : length;
        right = scan_and_compare(r, &l, right, to);
        if (right < to)
            return false;
    }
    return true;
}

bool cumsum_order_gives_line(order_run *r) {
    r->sum = 0;
    switch (r->match.order) {
    case CUMSUM_NAMED_SEQUENTIAL:
    case CUMSUM_NAMED_SEQUENTIAL_BINARY64:
    case CUMSUM_NAMED_EXACT:
        return cumsum_order_gives_piece(r);
    default:
        return r->line && (r->gave_line = scan_gives_line(r));
    }
}
