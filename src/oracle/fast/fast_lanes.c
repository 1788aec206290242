/* SPDX-License-Identifier: MIT */
/*
 * Judges short FLOAT32 lines with vectors (fast_lanes.h). The file is compiled for several
 * instruction sets, whose name is FAST_ISA. Where a compiler has no vectors, nothing is accepted.
 *
 * Invariant: where a line is accepted, every addition to `sum` and `magnitude` was exact.
 */
#include "fast_lanes.h"

#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_vectors.h"

#define ACCEPT FAST_NAMED(cumsum_fast_lanes_accept)

#if FAST_VECTORS

/* A block has a line in each lane. A row of it has one term or output of each; so many rows are
 * gathered at a time. */
#define ROWS       8
#define LOG2_TERMS 10

typedef uint32_t words __attribute__((vector_size(4 * LANES)));

/* Of magnitudes, below 2^31. */
CUMSUM_ALWAYS_INLINE words larger_words(words a, words b) {
#if LANES == 8
    return (words)_mm256_max_epi32((__m256i)a, (__m256i)b);
#elif LANES == 4
    return (words)_mm_max_epi32((__m128i)a, (__m128i)b);
#else
    const words first = (words)((small_truths)a > (small_truths)b);
    return (a & first) | (b & ~first);
#endif
}

CUMSUM_ALWAYS_INLINE words smaller_words(words a, words b) {
#if LANES == 8
    return (words)_mm256_min_epu32((__m256i)a, (__m256i)b);
#elif LANES == 4
    return (words)_mm_min_epu32((__m128i)a, (__m128i)b);
#else
    const words first = (words)(a < b);
    return (a & first) | (b & ~first);
#endif
}

/* ---- rows ---- */

typedef float rows_of_lines[ROWS][LANES];

#if LANES > 2
typedef uint32_t four_words __attribute__((vector_size(16)));

CUMSUM_ALWAYS_INLINE four_words load_four(const unsigned char *from) {
    four_words v;
    memcpy(&v, from, sizeof v);
    return v;
}

CUMSUM_ALWAYS_INLINE uint32_t load_one(const unsigned char *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

/* Four rows of four lines that each have their elements next to each other. */
CUMSUM_ALWAYS_INLINE void transpose_four(rows_of_lines rows, int row, int line, bool back,
                                         const unsigned char *from, int64_t pitch) {
    const four_words a = load_four(from), b = load_four(from + pitch);
    const four_words c = load_four(from + 2 * pitch), d = load_four(from + 3 * pitch);
    const four_words ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const four_words cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const four_words ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const four_words cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const four_words turned[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                                  __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                                  __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                                  __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
    CUMSUM_UNROLL
    for (int i = 0; i < 4; i++)
        memcpy(&rows[row + (back ? 3 - i : i)][line], &turned[i], sizeof turned[i]);
}
#endif

/* Elements of lines, from the same place of each. Vectors are stored, since they are loaded. */
CUMSUM_ALWAYS_INLINE void gather_row(rows_of_lines rows, size_t row, const unsigned char *from,
                                     int64_t pitch) {
    if (pitch == (int64_t)sizeof(float)) {
        memcpy(rows[row], from, sizeof rows[row]);
        return;
    }
#if LANES == 2
    memcpy(&rows[row][0], from, sizeof(float));
    memcpy(&rows[row][1], from + pitch, sizeof(float));
#else
    CUMSUM_UNROLL
    for (int line = 0; line < LANES; line += 4) {
        const unsigned char *four = from + line * pitch;
        const four_words v = {load_one(four), load_one(four + pitch), load_one(four + 2 * pitch),
                              load_one(four + 3 * pitch)};
        memcpy(&rows[row][line], &v, sizeof v);
    }
#endif
}

CUMSUM_ALWAYS_INLINE void gather_rows(rows_of_lines rows, size_t count, const unsigned char *from,
                                      int64_t step, int64_t pitch) {
    size_t row = 0;
#if LANES > 2
    const int64_t size = sizeof(float);
    if ((step == size || step == -size) && pitch != size)
        for (; row + 4 <= count; row += 4) {
            const unsigned char *first = from + step * (int64_t)row + (step < 0 ? 3 * step : 0);
            CUMSUM_UNROLL
            for (int line = 0; line < LANES; line += 4)
                transpose_four(rows, (int)row, line, step < 0, first + line * pitch, pitch);
        }
#endif
    for (; row < count; row++)
        gather_row(rows, row, from + step * (int64_t)row, pitch);
}

/* ---- lines ---- */

/* A vector of lines. */
typedef struct lane_sums {
    floats running;     /* the sequential sum */
    doubles sum;        /* S */
    doubles magnitude;  /* A */
    words most;         /* the greatest magnitude of a term, as bits */
    words least;        /* the least one other than zero, as bits, minus 1 */
    truths refused;     /* an output whose error may be too large */
    small_truths wrong; /* one that is not the sequential sum, or not rounded as asked for */
} lane_sums;

/* How the lines of a block are judged. */
typedef struct lane_limits {
    double most[LOG2_TERMS + 1]; /* the largest error, by ceil(log2 m), in units of u A or of A */
    bool rounded;
    bool no_minus_zero;
} lane_limits;

CUMSUM_ALWAYS_INLINE small_truths is_minus_zero(floats y) {
    return (words)y == 0x80000000u;
}

CUMSUM_ALWAYS_INLINE void judge_row(lane_sums *a, const float *x, const float *y, double most,
                                    bool quotient, bool rounded, bool no_minus_zero) {
    floats term, output;
    memcpy(&term, x, sizeof term);
    memcpy(&output, y, sizeof output);
    const words magnitude = (words)term & 0x7FFFFFFFu;
    a->most = larger_words(a->most, magnitude);
    a->least = smaller_words(a->least, magnitude - 1); /* a zero becomes the largest number */
    const doubles value = widened(term);
    a->running += term;
    a->sum += value;
    a->magnitude += magnitudes(value);
    a->wrong |= a->running != output;
    const doubles distance = magnitudes(widened(output) - a->sum);
    if (quotient)
        a->refused |= distance / (a->magnitude * all(0x1p-24)) > all(most);
    else
        a->refused |= distance > a->magnitude * all(most);
    if (rounded)
        a->wrong |= narrowed(a->sum) != output;
    if (no_minus_zero)
        a->wrong |= is_minus_zero(output);
}

CUMSUM_ALWAYS_INLINE unsigned ceil_log2(size_t m) {
    return m < 2 ? 0 : 32 - (unsigned)__builtin_clz((unsigned)m - 1);
}

/* A bit for each lane that is true. */
CUMSUM_ALWAYS_INLINE unsigned true_lanes(truths v, small_truths w) {
#if LANES == 8
    return _mm512_movepi64_mask((__m512i)v) | (unsigned)_mm256_movemask_ps((__m256)w);
#elif LANES == 4
    return (unsigned)_mm256_movemask_pd((__m256d)v) | (unsigned)_mm_movemask_ps((__m128)w);
#else
    return (v[0] | w[0] ? 1u : 0) | (v[1] | w[1] ? 2u : 0);
#endif
}

/* The lanes that are refused. So are those where a sum may have been rounded to binary64, or the
 * last output is not finite. A sequential sum stays infinite or NaN, once it is, and so every term
 * and output is finite, if the last output is. */
CUMSUM_ALWAYS_INLINE unsigned refused_lanes(const lane_sums *a, size_t count) {
    const doubles least = widened((floats)(a->least + 1)); /* 0 if there are only zeros */
    const doubles most = widened((floats)a->most) * all((double)count * 0x1p-29);
    return true_lanes(a->refused | (least < most), a->wrong | (a->running * 0 != 0));
}

/* Terms and outputs from number k on. If they are fewer than ROWS, it is one of each. */
CUMSUM_ALWAYS_INLINE void judge_rows(lane_sums *a, const fast_lanes *f, const unsigned char *terms,
                                     const unsigned char *outputs, size_t k, size_t count,
                                     const lane_limits *limits, bool quotient, bool rounded) {
    rows_of_lines x, y;
    gather_rows(x, count, terms + f->term_step * (int64_t)k, f->term_step, f->term_pitch);
    gather_rows(y, count, outputs + f->output_step * (int64_t)k, f->output_step, f->output_pitch);
    const unsigned log2_terms = ceil_log2(k + count); /* of all rows, but those of the first ones */
    CUMSUM_UNROLL
    for (size_t row = 0; row < count; row++)
        judge_row(a, x[row], y[row], limits->most[k ? log2_terms : ceil_log2(row + 1)], quotient,
                  rounded, limits->no_minus_zero);
}

/* Asks for a part of the next block: lines are too many for the processor to foresee them. */
CUMSUM_ALWAYS_INLINE void ask_for(const unsigned char *elements, int64_t step, int64_t pitch,
                                  size_t k) {
    const unsigned char *first = elements + LANES * pitch + step * (int64_t)k;
    for (int line = 0; line < LANES; line++)
        CUMSUM_PREFETCH(first + line * pitch);
}

/* The lines of a block that are refused. */
CUMSUM_ALWAYS_INLINE unsigned judge_lanes(const fast_lanes *f, const unsigned char *terms,
                                          const unsigned char *outputs, const lane_limits *limits,
                                          bool quotient, bool rounded, bool ask) {
    lane_sums a = {.least = (words){0} - 1};
    if (f->exclusive) { /* the sum of no terms is zero */
        rows_of_lines y;
        floats first;
        gather_row(y, 0, outputs - f->output_step, f->output_pitch);
        memcpy(&first, y[0], sizeof first);
        a.wrong = first != 0;
        if (limits->no_minus_zero)
            a.wrong |= is_minus_zero(first);
    }
    size_t k = 0;
    for (; k + ROWS <= f->count; k += ROWS) {
        if (ask && k % 16 == 0) {
            ask_for(terms, f->term_step, f->term_pitch, k);
            ask_for(outputs, f->output_step, f->output_pitch, k);
        }
        judge_rows(&a, f, terms, outputs, k, ROWS, limits, quotient, rounded);
    }
    for (; k < f->count; k++)
        judge_rows(&a, f, terms, outputs, k, 1, limits, quotient, rounded);
    return refused_lanes(&a, f->count);
}

/* How many lines are accepted, from this one on. The last block may hold lines of the one before,
 * which change nothing. */
CUMSUM_ALWAYS_INLINE size_t accept_lines(const fast_lanes *f, size_t from,
                                         const lane_limits *limits, bool quotient, bool rounded) {
    for (size_t line = from; line < f->lines; line += LANES) {
        const size_t first = line + LANES <= f->lines ? line : f->lines - LANES;
        const unsigned refused =
            judge_lanes(f, f->terms + f->term_pitch * (int64_t)first,
                        f->outputs + f->output_pitch * (int64_t)first, limits, quotient, rounded,
                        line + 2 * (size_t)LANES <= f->lines);
        if (refused)
            return first + (size_t)__builtin_ctz(refused);
    }
    return f->lines;
}

/* Lines of one term: each output is that term. */
CUMSUM_ALWAYS_INLINE size_t accept_terms(const fast_lanes *f) {
    size_t line = 0;
    for (; line + LANES <= f->lines; line += LANES) {
        floats x, y;
        memcpy(&x, f->terms + sizeof(float) * line, sizeof x);
        memcpy(&y, f->outputs + sizeof(float) * line, sizeof y);
        small_truths wrong = (x != y) | (x * 0 != 0);
        if (f->no_minus_zero)
            wrong |= is_minus_zero(y);
        const unsigned refused = true_lanes((truths){0}, wrong);
        if (refused)
            return line + (size_t)__builtin_ctz(refused);
    }
    return line;
}

size_t ACCEPT(const fast_lanes *f) {
    lane_limits limits = {.rounded = f->rounded, .no_minus_zero = f->no_minus_zero};
    lane_limits products = limits;
    for (unsigned i = 0; i <= LOG2_TERMS; i++) {
        const double limit = f->limit + f->log_limit * i;
        limits.most[i] = f->h < limit ? f->h : limit;
        products.most[i] = limits.most[i] * (0x1p-24 * (1 - 0x1p-50));
    }
    if (f->lines < LANES)
        return 0;
    if (f->count == 1 && !f->exclusive && f->term_pitch == (int64_t)sizeof(float) &&
        f->output_pitch == (int64_t)sizeof(float))
        return accept_terms(f);
    const size_t accepted = f->rounded ? accept_lines(f, 0, &products, false, true)
                                       : accept_lines(f, 0, &products, false, false);
    if (accepted == f->lines)
        return accepted;
    /* Where one error is near h, the next one may be. */
    return f->rounded ? accept_lines(f, accepted, &limits, true, true)
                      : accept_lines(f, accepted, &limits, true, false);
}

#else

size_t ACCEPT(const fast_lanes *f) {
    (void)f;
    return 0;
}

#endif
