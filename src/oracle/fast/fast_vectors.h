/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_VECTORS_H
#define CUMSUM_ORACLE_FAST_VECTORS_H

/* Vectors of as many binary64 numbers as a register of FAST_ISA holds, and of as many floats:
 * fast_segment.c, fast_rows.h. Empty where a compiler has no vectors. */

#include <stdint.h>

#include "compiler.h"
#include "fast_isa.h"

#if FAST_VECTORS

#define LANES (FAST_FLOATS / 2)

typedef double doubles __attribute__((vector_size(8 * LANES)));
typedef int64_t truths __attribute__((vector_size(8 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t small_truths __attribute__((vector_size(4 * LANES)));

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

#endif

#endif
