/* SPDX-License-Identifier: MIT */
/*
 * Judges a segment of a FLOAT32 line with vectors (fast_segment.h). The file is compiled for
 * several instruction sets, whose name is FAST_ISA. It uses the vector types of gcc and clang;
 * where a compiler has none, nothing is accepted, and the loops over single elements judge
 * everything.
 *
 * Invariant: every addition to `sum` and `magnitude` is exact, so that the width of the vectors
 * does not show.
 */
#include "fast_segment.h"

#include <string.h>

#include "compiler.h"
#include "fast_isa.h"

#define ACCEPT FAST_NAMED(cumsum_fast_accept)
#define REST   FAST_NAMED(cumsum_fast_rest)

#if FAST_VECTORS

#define LANES (FAST_FLOATS / 2)

typedef double doubles __attribute__((vector_size(8 * LANES)));
typedef int64_t truths __attribute__((vector_size(8 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t small_truths __attribute__((vector_size(4 * LANES)));

/* The lanes, moved up by so many places, with zeros below. */
#if LANES == 8
#define UP_1(v) __builtin_shufflevector(v, (doubles){0}, 8, 0, 1, 2, 3, 4, 5, 6)
#define UP_2(v) __builtin_shufflevector(v, (doubles){0}, 8, 9, 0, 1, 2, 3, 4, 5)
#define UP_4(v) __builtin_shufflevector(v, (doubles){0}, 8, 9, 10, 11, 0, 1, 2, 3)
#elif LANES == 4
#define UP_1(v) __builtin_shufflevector(v, (doubles){0}, 4, 0, 1, 2)
#define UP_2(v) __builtin_shufflevector(v, (doubles){0}, 4, 5, 0, 1)
#else
#define UP_1(v) __builtin_shufflevector(v, (doubles){0}, 2, 0)
#endif

/* Vectors for a chunk of a segment: the outputs of a chunk are compared with the magnitude at its
 * start. */
#define CHUNK   32
#define VECTORS (CHUNK / LANES)

CUMSUM_ALWAYS_INLINE doubles all(double value) {
    return value - (doubles){0};
}

CUMSUM_ALWAYS_INLINE doubles magnitudes(doubles v) {
    return (doubles)((truths)v & INT64_MAX);
}

CUMSUM_ALWAYS_INLINE doubles scan(doubles v) {
    v += UP_1(v);
#if LANES > 2
    v += UP_2(v);
#endif
#if LANES > 4
    v += UP_4(v);
#endif
    return v;
}

CUMSUM_ALWAYS_INLINE double total(doubles v) {
    double sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += v[i];
    return sum;
}

CUMSUM_ALWAYS_INLINE bool any(truths v) {
    int64_t found = 0;
    for (int i = 0; i < LANES; i++)
        found |= v[i];
    return found != 0;
}

CUMSUM_ALWAYS_INLINE floats load(const float *from) {
    floats v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* gcc 12 converts in pieces, unless it is told the instruction. */
CUMSUM_ALWAYS_INLINE doubles widened(floats v) {
#if LANES == 8
    return _mm512_cvtps_pd(v);
#elif LANES == 4
    return _mm256_cvtps_pd(v);
#else
    return __builtin_convertvector(v, doubles);
#endif
}

CUMSUM_ALWAYS_INLINE floats narrowed(doubles v) {
#if LANES == 8
    return _mm512_cvtpd_ps(v);
#elif LANES == 4
    return _mm256_cvtpd_ps(v);
#else
    return __builtin_convertvector(v, floats);
#endif
}

/* A chunk of terms or outputs: where they are, or copied to `room`, the last one filled up with
 * `filler`. */
CUMSUM_ALWAYS_INLINE const float *chunk_of(const unsigned char *base, int64_t step, size_t begin,
                                           size_t count, float *room) {
    const unsigned char *first = base + step * (int64_t)begin;
    if (step == (int64_t)sizeof(float) && count == CHUNK)
        return (const float *)(const void *)first;
    for (size_t i = 0; i < count; i++)
        memcpy(&room[i], first + step * (int64_t)i, sizeof room[i]);
    return room;
}

typedef struct accept_sums {
    doubles sum;       /* P after the terms so far, in all lanes */
    doubles magnitude; /* in no order */
    truths refused;
    truths off_grid;
    small_truths zeros; /* minus their number */
} accept_sums;

CUMSUM_ALWAYS_INLINE void accept_chunk(accept_sums *a, const fast_segment *s, const float *x,
                                       const float *y, doubles bound, bool rounding) {
    CUMSUM_UNROLL
    for (int i = 0; i < VECTORS; i++) {
        const floats term = load(x + LANES * i), output = load(y + LANES * i);
        const doubles value = widened(term), rounded = (value + s->grid) - s->grid;
        const doubles sum = a->sum + scan(rounded);
        const doubles distance = magnitudes(widened(output) - sum);
        a->zeros += term == 0;
        a->off_grid |= rounded != value;
        a->refused |= ~(distance <= bound);
        a->magnitude += magnitudes(rounded);
        a->sum = all(sum[LANES - 1]);
        if (rounding) {
            const doubles low = widened(narrowed(sum - s->doubt));
            const doubles high = widened(narrowed(sum + s->doubt));
            a->refused |= (low != high) | (low != widened(output));
        }
    }
}

CUMSUM_ALWAYS_INLINE bool has_minus_zero(const float *y) {
    uint32_t bits, found = 0;
    for (int i = 0; i < CHUNK; i++) {
        memcpy(&bits, y + i, sizeof bits);
        found |= bits == 0x80000000u;
    }
    return found;
}

CUMSUM_ALWAYS_INLINE bool accept(fast_segment *s, bool rounding) {
    float terms[CHUNK], outputs[CHUNK];
    accept_sums a = {.sum = all(s->sum)};
    double magnitude = s->magnitude;
    bool minus_zero = false;
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const size_t count = s->count - k < CHUNK ? s->count - k : CHUNK;
        const float *x = chunk_of(s->terms, s->term_step, k, count, terms);
        const float *y = chunk_of(s->outputs, s->output_step, k, count, outputs);
        for (size_t i = count; i < CHUNK; i++) { /* the last sum and output again */
            terms[i] = 0;
            outputs[i] = outputs[count - 1];
        }
        if (s->no_minus_zero)
            minus_zero |= has_minus_zero(y);
        accept_chunk(&a, s, x, y, all(s->coefficient * magnitude), rounding);
        magnitude = s->magnitude + total(a.magnitude);
    }
    s->zeros = 0;
    for (int i = 0; i < LANES; i++)
        s->zeros += (uint32_t)-a.zeros[i];
    s->zeros -= (CHUNK - s->count % CHUNK) % CHUNK;
    s->sum = a.sum[0];
    s->magnitude = magnitude;
    s->off_grid = any(a.off_grid);
    return !any(a.refused) && !minus_zero;
}

bool ACCEPT(fast_segment *s) {
    return s->rounding ? accept(s, true) : accept(s, false);
}

bool REST(const fast_segment *s, fast_rest *rest) {
    float terms[CHUNK];
    doubles sum = {0}, magnitude = {0};
    truths off_grid = {0};
    for (size_t k = 0; k < s->count; k += CHUNK) {
        const size_t count = s->count - k < CHUNK ? s->count - k : CHUNK;
        const float *x = chunk_of(s->terms, s->term_step, k, count, terms);
        for (size_t i = count; i < CHUNK; i++)
            terms[i] = 0;
        CUMSUM_UNROLL
        for (int i = 0; i < VECTORS; i++) {
            const doubles value = widened(load(x + LANES * i));
            const doubles rounded = (value + s->grid) - s->grid, lost = value - rounded;
            off_grid |= ((lost + rest->grid) - rest->grid) != lost;
            sum += lost;
            magnitude += magnitudes(value) - magnitudes(rounded);
        }
    }
    rest->sum = total(sum);
    rest->magnitude = total(magnitude);
    return !any(off_grid);
}

#else

bool ACCEPT(fast_segment *s) {
    (void)s;
    return false;
}

bool REST(const fast_segment *s, fast_rest *rest) {
    (void)s, (void)rest;
    return false;
}

#endif
