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

#include "screen_vectors.h"

#define ACCEPT FAST_NAMED(cumsum_screen_lanes)

#if FAST_VECTORS

/* Whether a line of the block is refused is asked every so many rows. Then the block ends. */
#define ROWS_AT_ONCE 256

#define ALL_LANES ((1u << LANES) - 1)

/* The sums of lines. */
typedef struct lane_sums {
    floats running;    /* the sequential one */
    doubles sum;       /* S */
    doubles magnitude; /* A */
} lane_sums;

/* What is known of lines. */
typedef struct lane_facts {
    doubles most;       /* the greatest magnitude of a term */
    doubles least;      /* FLOAT32: the least one other than zero, or one step below */
    small_truths wrong; /* one that is not the sequential sum, or not rounded as asked for */
    doubles largest;    /* the largest error so far, in units of u A, and */
    truths place;       /* its first output, counted from 0, if no line before has it */
    truths refused;     /* an error is too large */
} lane_facts;

/* What a loop over lines is compiled for. */
typedef struct lane_kind {
    bool halves;
    bool rounded;
} lane_kind;

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
    return magnitudes(widened(output) - a->sum);
}

/* Adds a row of terms, and looks at the outputs. Returns their |y - S|. */
CUMSUM_ALWAYS_INLINE doubles judge_row(lane_sums *a, lane_facts *facts, floats term, floats output,
                                       lane_kind kind, bool minus_zeros) {
    const doubles distance = add_lane_row(a, term, output), size = magnitudes(widened(term));
    facts->most = larger_lanes(facts->most, size);
    if (kind.halves)
        facts->wrong |= (floats)((small_truths)output & INT32_MAX) >= 65504.0F;
    else /* one step below a zero is a NaN */
        facts->least = smaller_lanes((doubles)((truths)size - 1), facts->least);
    facts->wrong |= (kind.halves ? rounded_to_half(a->running) : a->running) != output;
    if (kind.rounded)
        facts->wrong |= narrowed(kind.halves ? rounded_once_to_half(a->sum) : a->sum) != output;
    if (minus_zeros)
        facts->wrong |= is_minus_zero(output);
    return distance;
}

/* The lanes that are refused. So are those where a sum may have been rounded to binary64, or the
 * last output is not finite. A sequential sum stays infinite or NaN, once it is, and so every term
 * and output is finite, if the last output is. Of FLOAT16 every term and output is looked at. */
CUMSUM_ALWAYS_INLINE unsigned refused_lanes(const lane_facts *facts, const lane_sums *a,
                                            size_t count, bool halves) {
    if (halves)
        return true_lanes(facts->refused | (facts->most >= 65504) | (a->magnitude >= 0x1p28),
                          facts->wrong);
    const doubles most = facts->most * all((double)count * 0x1p-29);
    return true_lanes(facts->refused | (facts->least < most), facts->wrong | (a->running * 0 != 0));
}

/* The largest error that an output behind k terms and its own may have, in units of u A. */
CUMSUM_ALWAYS_INLINE double limit_behind(const screen_lanes *f, size_t k) {
    const unsigned log2_terms = k ? 32 - (unsigned)__builtin_clz((unsigned)k) : 0;
    const double limit = f->limit + f->log_limit * log2_terms;
    return limit < f->models_limit ? limit : f->models_limit;
}

/* Computes the errors of `count` rows from the sums before them. */
static void find_errors(const screen_lanes *f, lane_facts *facts, lane_sums a, const floats *x,
                        const floats *y, size_t k, size_t count) {
    for (size_t row = 0; row < count; row++) {
        const doubles distance = add_lane_row(&a, x[row], y[row]);
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
    for (size_t row = 0; row < count; row++)
        far |= judge_row(a, facts, x[row], y[row], kind, f->minus_zeros) > a->magnitude * harmless;
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
        if (k % ROWS_AT_ONCE == ROWS_AT_ONCE - LANES &&
            refused_lanes(facts, &a, f->count, kind.halves))
            return ALL_LANES;
    }
    if (k + LANES / 2 <= f->count) {
        judge_rows(f, &a, facts, terms, outputs, k, LANES / 2, kind);
        k += LANES / 2;
    }
    for (; k < f->count; k++)
        judge_rows(f, &a, facts, terms, outputs, k, 1, kind);
    return refused_lanes(facts, &a, f->count, kind.halves);
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
        lane_facts facts = {.largest = all(f->h), .least = all(INFINITY)};
        const unsigned refused = judge_lanes(f, &facts, f->terms + f->term_pitch * (int64_t)first,
                                             f->outputs + f->output_pitch * (int64_t)first, kind,
                                             line + 2 * (size_t)LANES <= f->lines);
        const unsigned accepted = refused ? (unsigned)__builtin_ctz(refused) : LANES;
        for (unsigned lane = 0; lane < accepted; lane++)
            keep_error(f, &facts, first, lane);
        if (refused)
            return first + accepted;
    }
    return f->lines;
}

/* Lines of one term, next to each other: each output is that term. */
CUMSUM_ALWAYS_INLINE size_t accept_terms(const screen_lanes *f, bool halves) {
    const size_t size = halves ? 2 : 4;
    size_t line = 0;
    for (; line + LANES <= f->lines; line += LANES) {
        const floats x = load_elements(f->terms + size * line, halves);
        const floats y = load_elements(f->outputs + size * line, halves);
        const floats magnitude = (floats)((small_truths)x & INT32_MAX);
        const small_truths special = halves ? magnitude >= 65504.0F : x * 0 != 0;
        if (true_lanes((truths){0}, special | (x != y)))
            break;
    }
    return line;
}

size_t ACCEPT(screen_lanes *f) {
    const int64_t size = f->halves ? 2 : 4;
    if (f->lines < LANES)
        return 0;
    if (f->count == 1 && !f->exclusive && !f->minus_zeros && f->term_pitch == size &&
        f->output_pitch == size)
        return f->halves ? accept_terms(f, true) : accept_terms(f, false);
    /* Each combination is a loop of its own. */
    if (f->halves)
        return f->rounded ? accept_lines(f, (lane_kind){true, true})
                          : accept_lines(f, (lane_kind){true, false});
    return f->rounded ? accept_lines(f, (lane_kind){false, true})
                      : accept_lines(f, (lane_kind){false, false});
}

#else

size_t ACCEPT(screen_lanes *f) {
    (void)f;
    return 0;
}

#endif
