/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_SCREEN_VECTORS_H
#define CUMSUM_ORACLE_SCREEN_VECTORS_H

/* Vectors of as many binary64 numbers as a register of FAST_ISA holds, and of as many floats.
 * Empty where a compiler has no vectors. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "fast_isa.h"

#if FAST_VECTORS

#define LANES (FAST_FLOATS / 2)

typedef double doubles __attribute__((vector_size(8 * LANES)));
typedef int64_t truths __attribute__((vector_size(8 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t small_truths __attribute__((vector_size(4 * LANES)));
typedef uint32_t small_counts __attribute__((vector_size(4 * LANES)));

CUMSUM_ALWAYS_INLINE doubles all(double value) {
    return value - (doubles){0};
}

CUMSUM_ALWAYS_INLINE doubles magnitudes(doubles v) {
    return (doubles)((truths)v & INT64_MAX);
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

/* In each lane `yes` if the condition is true there, else `no`. */
CUMSUM_ALWAYS_INLINE doubles chosen_lanes(truths condition, doubles yes, doubles no) {
    return (doubles)(((truths)yes & condition) | ((truths)no & ~condition));
}

/* Of a NaN and a number, either. */
CUMSUM_ALWAYS_INLINE doubles larger_lanes(doubles a, doubles b) {
#if LANES == 8
    return _mm512_max_pd(a, b);
#elif LANES == 4
    return _mm256_max_pd(a, b);
#else
    return chosen_lanes(a > b, a, b);
#endif
}

CUMSUM_ALWAYS_INLINE doubles smaller_lanes(doubles a, doubles b) {
#if LANES == 8
    return _mm512_min_pd(a, b);
#elif LANES == 4
    return _mm256_min_pd(a, b);
#else
    return chosen_lanes(a < b, a, b);
#endif
}

CUMSUM_ALWAYS_INLINE small_counts smaller_counts(small_counts a, small_counts b) {
#if LANES == 8
    return (small_counts)_mm256_min_epu32((__m256i)a, (__m256i)b);
#elif LANES == 4
    return (small_counts)_mm_min_epu32((__m128i)a, (__m128i)b);
#else
    const small_counts less = (small_counts)(a < b);
    return (a & less) | (b & ~less);
#endif
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

CUMSUM_ALWAYS_INLINE double total(doubles v) {
    double sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += v[i];
    return sum;
}

CUMSUM_ALWAYS_INLINE double largest_of(doubles v) {
    double most = v[0];
    for (int i = 1; i < LANES; i++)
        most = v[i] > most ? v[i] : most;
    return most;
}

/* The lanes, moved up by 1, 2 or 4 places, with zeros below. */
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

/* The sum of each lane and those below it. */
CUMSUM_ALWAYS_INLINE doubles scanned(doubles v) {
    v += UP_1(v);
#if LANES > 2
    v += UP_2(v);
#endif
#if LANES > 4
    v += UP_4(v);
#endif
    return v;
}

CUMSUM_ALWAYS_INLINE floats load_floats(const unsigned char *from) {
    floats v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* binary16_widened of elements, from their bits with the sign above. */
CUMSUM_ALWAYS_INLINE floats widened_halves(small_truths bits) {
    return (floats)((bits << 13) & (int32_t)0x8FFFE000) * 0x1p112F;
}

CUMSUM_ALWAYS_INLINE floats load_half_floats(const unsigned char *from) {
#if LANES == 8
    __m128i bits;
    memcpy(&bits, from, sizeof bits);
    return widened_halves((small_truths)_mm256_cvtepi16_epi32(bits));
#elif LANES == 4
    int64_t four;
    memcpy(&four, from, sizeof four);
    return widened_halves((small_truths)_mm_cvtepi16_epi32(_mm_cvtsi64_si128(four)));
#else
    int16_t bits[LANES];
    memcpy(bits, from, sizeof bits);
    return widened_halves((small_truths){bits[0], bits[1]});
#endif
}

/* Of FLOAT32 or FLOAT16. */
CUMSUM_ALWAYS_INLINE floats load_elements(const unsigned char *from, bool halves) {
    return halves ? load_half_floats(from) : load_floats(from);
}

#endif

#endif
