/* SPDX-License-Identifier: MIT */
/*
 * Judges lines of FLOAT16 and short ones of FLOAT32 with vectors (screen_kernels.h). The file is
 * compiled for several instruction sets, whose name is FAST_ISA. Where a compiler has no vectors,
 * nothing is accepted.
 *
 * Invariant: where a line is accepted, every addition to `sum` and `magnitude` was exact.
 */
#include "screen_kernels.h"

#include <math.h>

#include "rule.h"
#include "screen_vectors.h"

#define ACCEPT FAST_NAMED(cumsum_screen_lanes)

#if FAST_VECTORS

/* Whether a line of the block is refused is asked every so many rows. Then the block ends. */
#define ROWS_AT_ONCE 256

#define ALL_LANES ((1u << LANES) - 1)

/* Of so many terms every order is tried. */
#define FEW_TERMS 4

/* FLOAT16: how the terms of short prefixes are added: in binary32 and stored toward zero; in
 * binary16, to nearest and truncated. And the models that this decides. */
typedef enum lane_model {
    LANE_STORED_ZERO,
    LANE_NARROW,
    LANE_CUT,
    LANE_MODELS
} lane_model;
static const uint32_t lane_models[LANE_MODELS] = {[LANE_STORED_ZERO] =
                                                      MODEL(CUMSUM_VERDICT_BINARY32_ZERO),
                                                  [LANE_NARROW] = MODEL(CUMSUM_VERDICT_BINARY16),
                                                  [LANE_CUT] = MODELS_TRUNCATING};

/* The sums of lines. */
typedef struct lane_sums {
    floats running;    /* the sequential one */
    doubles sum;       /* S */
    doubles magnitude; /* A */
} lane_sums;

/* What is known of lines. */
typedef struct lane_facts {
    doubles most;                   /* the greatest magnitude of a term */
    small_counts lowest;            /* The lowest bit that is set in any term; one step below it. In
                                       sequential lines that of the least magnitude */
    small_truths wrong;             /* an output is not as it should be */
    doubles largest;                /* the largest error so far, in units of u A, and */
    truths place;                   /* its first output, counted from 0, if no line before has it */
    truths refused;                 /* an error is too large */
    doubles nonzero;                /* terms that are not zero */
    floats few[FEW_TERMS];          /* the first of them */
    small_truths lost[LANE_MODELS]; /* FLOAT16: a short prefix is no sum of this model */

    /* FLOAT32, in any order. */
    truths other;   /* an output is not the sequential sum */
    truths suspect; /* one may be suspect, if one is not */
    doubles error;  /* y - S of the last output */
    doubles top;    /* the greatest and the least S, or 0 */
    doubles bottom;
} lane_facts;

/* What a loop over lines is compiled for. */
typedef struct lane_kind {
    bool halves;
    bool rounded;
    bool any_order;
    bool models;
} lane_kind;

/* FLOAT32: the lowest bit of a line without terms. It is larger than that of any term. */
#define NO_BIT (0x7F000000u - 1)

/* What covers the roundings of limits: K u / (1 + K u) is more than this part of K u. */
#define FEWER (1 - 0x1p-13)

/* One element of each lane, LANES times. */
typedef floats lane_rows[LANES];

/* Rows become columns. */
CUMSUM_ALWAYS_INLINE void transpose(lane_rows rows) {
#if LANES == 8
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif LANES == 4
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define LOW(a, b)  __builtin_shufflevector(a, b, 0, 2)
#define HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif
    CUMSUM_UNROLL
    for (int k = 1; k < LANES; k *= 2) {
        lane_rows turned;
        CUMSUM_UNROLL
        for (int i = 0; i < LANES / 2; i++) {
            turned[2 * i] = LOW(rows[i], rows[i + LANES / 2]);
            turned[2 * i + 1] = HIGH(rows[i], rows[i + LANES / 2]);
        }
        memcpy(rows, turned, sizeof turned);
    }
}

/* Elements of lines that lie apart. A vector that is put together in memory would be waited for. */
CUMSUM_ALWAYS_INLINE floats gather_apart(const unsigned char *from, int64_t pitch, bool halves) {
    small_truths bits = {0};
    CUMSUM_UNROLL
    for (int i = 0; i < LANES; i++) {
        int32_t word = 0;
        int16_t half = 0;
        if (halves)
            memcpy(&half, from + pitch * i, sizeof half);
        else
            memcpy(&word, from + pitch * i, sizeof word);
        bits[i] = halves ? half : word;
    }
    return halves ? widened_halves(bits) : (floats)bits;
}

CUMSUM_ALWAYS_INLINE void gather_rows(lane_rows rows, size_t count, const unsigned char *from,
                                      int64_t step, int64_t pitch, bool halves) {
    const int64_t size = halves ? 2 : 4;
    if (pitch == size) {
        for (size_t k = 0; k < count; k++)
            rows[k] = load_elements(from + step * (int64_t)k, halves);
    } else if (count < LANES || (step != size && step != -size)) {
        for (size_t k = 0; k < count; k++)
            rows[k] = gather_apart(from + step * (int64_t)k, pitch, halves);
    } else {
        const unsigned char *first = step < 0 ? from + step * (LANES - 1) : from;
        CUMSUM_UNROLL
        for (int i = 0; i < LANES; i++)
            rows[i] = load_elements(first + pitch * i, halves);
        transpose(rows);
        for (int i = 0; step < 0 && i < LANES / 2; i++) {
            const floats other = rows[i];
            rows[i] = rows[LANES - 1 - i];
            rows[LANES - 1 - i] = other;
        }
    }
}

/* Sums that are not too large, rounded to FLOAT16: added to 3/2 of a power of two, a number keeps
 * the bits that FLOAT16 has. Those below 2^-14 have its last place. */
CUMSUM_ALWAYS_INLINE floats rounded_to_half(floats sum) {
    const small_truths bits = (small_truths)sum & 0x7F800000,
                       least = (small_truths){0} + 0x38800000;
    const small_truths normal = bits > least;
    const floats shifted = (floats)((bits & normal) | (least & ~normal)) * 0x1.8p13F;
    return (sum + shifted) - shifted;
}

CUMSUM_ALWAYS_INLINE doubles rounded_once_to_half(doubles sum) {
    const doubles power = (doubles)((truths)sum & 0x7FF0000000000000);
    const doubles shifted = larger_lanes(power, all(0x1p-14)) * all(0x1.8p42);
    return (sum + shifted) - shifted;
}

CUMSUM_ALWAYS_INLINE small_truths is_minus_zero(floats y) {
    return (small_truths)y == INT32_MIN;
}

CUMSUM_ALWAYS_INLINE doubles add_lane_row(lane_sums *a, floats term, floats output) {
    const doubles value = widened(term);
    a->running += term;
    a->sum += value;
    a->magnitude += magnitudes(value);
    return widened(output) - a->sum;
}

CUMSUM_ALWAYS_INLINE small_counts magnitude_bits(floats term) {
    return (small_counts)((small_truths)term & INT32_MAX);
}

/* FLOAT32: the lowest bits of terms, one step below. One step below a zero is more than all. */
CUMSUM_ALWAYS_INLINE small_counts lowest_bits(floats term) {
    const small_counts bits = magnitude_bits(term);
    const small_counts others = bits & (bits - 1) & (small_counts)((bits & 0x7FFFFF) != 0);
    return (small_counts)((floats)bits - (floats)others) - 1;
}

CUMSUM_ALWAYS_INLINE doubles lowest_in_lanes(const lane_facts *facts) {
    return widened((floats)(facts->lowest + 1));
}

/* How the terms of a short prefix are added: as a lane_model has it, or in binary32. */
#define ADD_IN_BINARY32 LANE_MODELS

static floats add_as(floats a, floats b, lane_model how) {
    if (how == LANE_CUT)
        return narrowed((doubles)((truths)(widened(a) + widened(b)) & -(INT64_C(1) << 42)));
    return how == LANE_NARROW ? rounded_to_half(a + b) : a + b;
}

/* Is y no sum of few terms, in any order, or not finite? */
static small_truths is_no_sum(const floats *x, floats y, lane_model how) {
    static const uint8_t splits[][FEW_TERMS] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                                {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    const int32_t stored = how == LANE_STORED_ZERO ? -(1 << 13) : -1;
    small_truths found = {0};
    for (int i = 0; i < 6; i++) {
        const floats c = x[splits[i][2]], d = x[splits[i][3]];
        const floats two = add_as(x[splits[i][0]], x[splits[i][1]], how);
        const floats sums[] = {add_as(add_as(two, c, how), d, how),
                               add_as(add_as(two, d, how), c, how),
                               add_as(two, add_as(c, d, how), how)};
        for (int k = 0; k < 3; k++)
            found |= (floats)((small_truths)sums[k] & stored) == y;
    }
    return ~found | (y * 0 != 0);
}

/* Keeps terms that are not zero, as long as they are few. The lanes where they are. */
CUMSUM_ALWAYS_INLINE small_truths keep_few(lane_facts *facts, floats term) {
    const small_truths n = __builtin_convertvector(facts->nonzero, small_truths);
    for (int i = 0; i < FEW_TERMS; i++) {
        const small_truths here = (n == i + 1) & ((floats)facts->few[i] == 0);
        facts->few[i] =
            (floats)(((small_truths)term & here) | ((small_truths)facts->few[i] & ~here));
    }
    return n <= FEW_TERMS;
}

/* Compares the output of a short prefix with the sums of its terms in every order. FLOAT32: it must
 * be one of them. FLOAT16: the models that have no such sum are lost. Sums in binary16 may not
 * overflow. */
static void judge_few(lane_facts *facts, const screen_lanes *f, doubles magnitude, floats term,
                      floats output) {
    const small_truths few = keep_few(facts, term);
    facts->wrong |= few & (f->halves ? narrowed(magnitude) >= 65504.0F
                                     : is_no_sum(facts->few, output, ADD_IN_BINARY32));
    for (unsigned i = 0; i < LANE_MODELS; i++) {
        if (!(f->models & lane_models[i]))
            continue;
        const small_truths no = few & is_no_sum(facts->few, output, (lane_model)i);
        facts->lost[i] |= no;
        if (f->needed & lane_models[i])
            facts->wrong |= no;
    }
}

/* FLOAT32: an output may be the sum in any order. With K as in docs/oracle.md, "Tiles", `room` is
 * K u times the greatest magnitude, or less; so no division is needed. */
CUMSUM_ALWAYS_INLINE void judge_in_any_order(lane_facts *facts, const lane_sums *a, doubles error,
                                             floats output, double jump_unit) {
    const doubles distance = magnitudes(error), most = facts->most, n = facts->nonzero;
    const doubles exact = lowest_in_lanes(facts) * all(0x1p24);
    const doubles room = ((n - all(1)) * most - larger_lanes(most, exact)) * all(0x1p-24 * FEWER);
    const doubles up = larger_lanes(facts->top, a->sum),
                  down = smaller_lanes(facts->bottom, a->sum);
    const doubles range = up - down, change = magnitudes(error - facts->error);
    const doubles neighbours = range * (room + most * all(0x1p-24 * FEWER));
    const truths right = distance == 0, rounds = a->magnitude > exact;
    const truths other = widened(a->running) != widened(output);
    const truths fits = right | (rounds & (distance * most <= a->magnitude * room));
    const truths sure = right | (rounds & (distance * most <= neighbours));
    facts->refused |= other & (n > FEW_TERMS) & ~fits;
    facts->other |= other;
    facts->suspect |= ~(sure & (change <= range * all(jump_unit)));
    facts->error = error;
    facts->top = up;
    facts->bottom = down;
}

/* FLOAT16: may two additions in binary16 round? */
CUMSUM_ALWAYS_INLINE truths rounds_twice(const lane_facts *facts) {
    return (facts->nonzero - all(2)) * facts->most >= lowest_in_lanes(facts) * all(0x1p11);
}

/* Adds a row of terms, and looks at the outputs. Returns their |y - S|. */
CUMSUM_ALWAYS_INLINE doubles judge_row(const screen_lanes *f, lane_sums *a, lane_facts *facts,
                                       floats term, floats output, double jump_unit,
                                       lane_kind kind) {
    const doubles error = add_lane_row(a, term, output), size = magnitudes(widened(term));
    facts->most = larger_lanes(facts->most, size);
    if (kind.any_order || kind.models)
        facts->nonzero += (doubles)((truths)all(1) & (size > 0));
    if (kind.halves)
        facts->wrong |= (floats)((small_truths)output & INT32_MAX) >= 65504.0F;
    if (!kind.halves || kind.models)
        facts->lowest = smaller_counts(kind.any_order || kind.models ? lowest_bits(term)
                                                                     : magnitude_bits(term) - 1,
                                       facts->lowest);
    if (kind.any_order)
        judge_in_any_order(facts, a, error, output, jump_unit);
    else
        facts->wrong |= (kind.halves ? rounded_to_half(a->running) : a->running) != output;
    if ((kind.any_order || kind.models) &&
        true_lanes(facts->nonzero <= FEW_TERMS, (small_truths){0}))
        judge_few(facts, f, a->magnitude, term, output);
    if (kind.models && (f->models & lane_models[LANE_CUT]))
        facts->refused |= (error != 0) & (facts->nonzero > FEW_TERMS) & ~rounds_twice(facts);
    if (kind.rounded)
        facts->wrong |= narrowed(kind.halves ? rounded_once_to_half(a->sum) : a->sum) != output;
    if (f->minus_zeros)
        facts->wrong |= is_minus_zero(output);
    return magnitudes(error);
}

/* The lanes that are refused. So are those where a sum may have been rounded to binary64, or the
 * last sequential sum is not finite. It stays infinite or NaN, once it is, and so every term is
 * finite, if the last sum is. Of FLOAT16 every term and output is looked at. */
CUMSUM_ALWAYS_INLINE unsigned refused_lanes(const lane_facts *facts, const lane_sums *a,
                                            lane_kind kind) {
    const double most = kind.any_order ? 0x1p52 : 0x1p28; /* the lowest bit is 2^-24 of a term */
    const truths refused = facts->refused | (facts->other & facts->suspect);
    if (kind.halves)
        return true_lanes(refused | (facts->most >= 65504) | (a->magnitude >= 0x1p28),
                          facts->wrong);
    return true_lanes(refused | (a->magnitude > lowest_in_lanes(facts) * all(most)),
                      facts->wrong | (a->running * 0 != 0));
}

/* ceil(log2 m) of the output behind k terms and its own. */
CUMSUM_ALWAYS_INLINE unsigned log2_behind(size_t k) {
    return k ? 32 - (unsigned)__builtin_clz((unsigned)k) : 0;
}

/* The largest error that this output may have, in units of u A. */
CUMSUM_ALWAYS_INLINE double limit_behind(const screen_lanes *f, size_t k) {
    const unsigned log2_terms = log2_behind(k);
    const double limit = f->limit + f->log_limit * log2_terms;
    return limit < f->models_limit ? limit : f->models_limit;
}

/* Computes the errors of `count` rows from the sums before them. */
static void find_errors(const screen_lanes *f, lane_facts *facts, lane_sums a, const floats *x,
                        const floats *y, size_t k, size_t count) {
    for (size_t row = 0; row < count; row++) {
        const doubles distance = magnitudes(add_lane_row(&a, x[row], y[row]));
        const doubles error = distance / (a.magnitude * all(f->halves ? 0x1p-11 : 0x1p-24));
        const truths larger = error > facts->largest;
        const truths place = (truths){0} + (int64_t)(k + row);
        facts->refused |= error > all(limit_behind(f, k + row));
        facts->place = (place & larger) | (facts->place & ~larger);
        facts->largest = chosen_lanes(larger, error, facts->largest);
    }
}

/* Judges `count` rows, the first of which is behind k terms: LANES, or fewer. */
CUMSUM_ALWAYS_INLINE void judge_rows(const screen_lanes *f, lane_sums *a, lane_facts *facts,
                                     const unsigned char *terms, const unsigned char *outputs,
                                     size_t k, size_t count, lane_kind kind) {
    const lane_sums before = *a;
    const double unit = (kind.halves ? 0x1p-11 : 0x1p-24) * (1 - 0x1p-50);
    /* In units of A: up to this |y - S| an output changes neither h nor the class. */
    const doubles harmless = smaller_lanes(facts->largest, all(limit_behind(f, k))) * all(unit);
    lane_rows x, y;
    truths far = {0};
    gather_rows(x, count, terms + f->term_step * (int64_t)k, f->term_step, f->term_pitch,
                kind.halves);
    gather_rows(y, count, outputs + f->output_step * (int64_t)k, f->output_step, f->output_pitch,
                kind.halves);
    CUMSUM_UNROLL
    for (size_t row = 0; row < count; row++) {
        const double jump_unit = f->jump_unit * log2_behind(k + row);
        far |= judge_row(f, a, facts, x[row], y[row], jump_unit, kind) > a->magnitude * harmless;
    }
    if (true_lanes(far, (small_truths){0}))
        find_errors(f, facts, before, x, y, k, count);
}

/* Asks for a part of the next block: lines are too many for the processor to foresee them. */
CUMSUM_ALWAYS_INLINE void ask_for_lines(const unsigned char *elements, int64_t step, int64_t pitch,
                                        size_t k) {
    const unsigned char *first = elements + LANES * pitch + step * (int64_t)k;
    for (int line = 0; line < LANES; line++)
        CUMSUM_PREFETCH(first + line * pitch);
}

/* The lines of a block that are refused. */
CUMSUM_ALWAYS_INLINE unsigned judge_lanes(const screen_lanes *f, lane_facts *facts,
                                          const unsigned char *terms, const unsigned char *outputs,
                                          lane_kind kind, bool ask) {
    lane_sums a = {0};
    lane_rows first;
    if (f->exclusive) { /* the sum of no terms is zero */
        gather_rows(first, 1, outputs - f->output_step, f->output_step, f->output_pitch,
                    kind.halves);
        facts->wrong = first[0] != 0;
        if (f->minus_zeros)
            facts->wrong |= is_minus_zero(first[0]);
    }
    size_t k = 0;
    for (; k + LANES <= f->count; k += LANES) {
        if (ask && k % (kind.halves ? 32 : 16) == 0) {
            ask_for_lines(terms, f->term_step, f->term_pitch, k);
            ask_for_lines(outputs, f->output_step, f->output_pitch, k);
        }
        judge_rows(f, &a, facts, terms, outputs, k, LANES, kind);
        if (k % ROWS_AT_ONCE == ROWS_AT_ONCE - LANES && refused_lanes(facts, &a, kind))
            return ALL_LANES;
    }
    for (; k < f->count; k++)
        judge_rows(f, &a, facts, terms, outputs, k, 1, kind);
    return refused_lanes(facts, &a, kind);
}

/* Keeps the largest error of a line. */
CUMSUM_ALWAYS_INLINE void keep_error(screen_lanes *f, const lane_facts *facts, size_t first,
                                     unsigned lane) {
    if (facts->largest[lane] > f->h) {
        f->h = facts->largest[lane];
        f->worst_line = first + lane;
        f->worst_position = (uint64_t)facts->place[lane] + f->exclusive;
    }
}

/* How many lines are accepted. The last block may hold lines of the one before, which change
 * nothing. */
CUMSUM_ALWAYS_INLINE size_t accept_lines(screen_lanes *f, lane_kind kind) {
    for (size_t line = 0; line < f->lines; line += LANES) {
        const size_t first = line + LANES <= f->lines ? line : f->lines - LANES;
        lane_facts facts = {.largest = all(f->h), .lowest = NO_BIT - (small_counts){0}};
        const unsigned refused = judge_lanes(f, &facts, f->terms + f->term_pitch * (int64_t)first,
                                             f->outputs + f->output_pitch * (int64_t)first, kind,
                                             line + 2 * (size_t)LANES <= f->lines);
        const unsigned accepted = refused ? (unsigned)__builtin_ctz(refused) : LANES;
        for (unsigned lane = 0; lane < accepted; lane++) {
            keep_error(f, &facts, first, lane);
            for (unsigned i = 0; i < LANE_MODELS; i++)
                f->lost |= facts.lost[i][lane] ? lane_models[i] : 0;
        }
        if (refused || f->lost) /* the models are asked for anew */
            return first + accepted;
    }
    return f->lines;
}

/* Each combination is a loop of its own. */
CUMSUM_ALWAYS_INLINE size_t accept_rounded(screen_lanes *f, lane_kind kind) {
    if (!f->rounded)
        return accept_lines(f, kind);
    kind.rounded = true;
    return accept_lines(f, kind);
}

size_t ACCEPT(screen_lanes *f) {
    if (f->lines < LANES)
        return 0;
    if (f->halves)
        return f->models ? accept_rounded(f, (lane_kind){.halves = true, .models = true})
                         : accept_rounded(f, (lane_kind){.halves = true});
    return f->any_order ? accept_rounded(f, (lane_kind){.any_order = true})
                        : accept_rounded(f, (lane_kind){.halves = false});
}

#endif
