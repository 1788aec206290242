/* SPDX-License-Identifier: MIT */
/*
 * Compares FLOAT16 outputs with named orders, with vectors (fast_binary16_order.h). The file is
 * compiled for several instruction sets, whose name is FAST_ISA. Only the additions of a running
 * sum wait for each other; what is done before and behind them is done for a few outputs at a time,
 * so that a processor does it while it waits.
 */
#include "fast_binary16_order.h"

#include <cumsum/cumsum.h>
#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_binary16_value.h"
#include "fast_isa.h"

/* Additions that wait for each other, and outputs that are compared meanwhile. */
#define FEW 64

/* Below this, and as multiples of 2^-24, sums are binary64 numbers. */
#define LARGE 0x1p28

/* The bits of a finite binary32 number, stored. A running sum is a multiple of 2^-24, and so is
 * each number below the normal ones of binary16, so that nothing is rounded there. */
CUMSUM_ALWAYS_INLINE uint32_t stored_sum(float sum, int store) {
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const uint32_t magnitude = bits & 0x7FFFFFFF, normal = 0x38800000;
    const uint32_t most = store == CUMSUM_HALF_STORE_IEEE ? 0x477FEFFF : 0x477FE000;
    const uint32_t up = store == CUMSUM_HALF_STORE_TOWARD_ZERO ? 0 : 0xFFF + (magnitude >> 13 & 1);
    const uint32_t rounded = ((magnitude + up) >> 13) - (112 << 10);
    const float small = binary32_of_bits(magnitude < normal ? magnitude : 0);
    const uint32_t units = (uint32_t)(int32_t)(small * 0x1p24f);
    const uint32_t finite = magnitude < normal ? units : rounded;
    return (magnitude > most ? 0x7C00 : finite) | (bits >> 16 & 0x8000);
}

/* The same for a binary64 number, and the IEEE conversion. */
CUMSUM_ALWAYS_INLINE uint32_t rounded_once(double sum) {
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const uint64_t magnitude = bits & INT64_MAX, normal = UINT64_C(1009) << 52;
    const uint64_t up = (UINT64_C(1) << 41) - 1 + (magnitude >> 42 & 1);
    const uint64_t rounded = ((magnitude + up) >> 42) - (UINT64_C(1008) << 10);
    /* Added to 2^28, a multiple of 2^-24 has its units in the lowest bits. */
    const double shifted = fabs(sum) + 0x1p28;
    uint64_t units;
    memcpy(&units, &shifted, sizeof units);
    const uint64_t finite = magnitude < normal ? units & 0x3FF : rounded;
    return (uint32_t)((finite > 0x7C00 ? 0x7C00 : finite) | (bits >> 48 & 0x8000));
}

CUMSUM_ALWAYS_INLINE uint32_t differs(uint32_t expected, uint32_t y) {
    return ((expected ^ y) != 0) & (((expected | y) & 0x7FFF) != 0);
}

CUMSUM_ALWAYS_INLINE bool is_stored(const float *running, const uint16_t *y, size_t n, int store) {
    uint32_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong |= differs(stored_sum(running[i], store), y[i]);
    return !wrong;
}

/* All outputs of a few, each with a store that is a constant of its loop. */
CUMSUM_ALWAYS_INLINE bool are_stored(const float *running, const uint16_t *y, size_t n, int store) {
    switch (store) {
    case CUMSUM_HALF_STORE_NEAREST_EVEN:
        return is_stored(running, y, n, CUMSUM_HALF_STORE_NEAREST_EVEN);
    case CUMSUM_HALF_STORE_TOWARD_ZERO:
        return is_stored(running, y, n, CUMSUM_HALF_STORE_TOWARD_ZERO);
    default:
        return is_stored(running, y, n, CUMSUM_HALF_STORE_IEEE);
    }
}

/* The values of the terms; the greatest magnitude's bits are returned. */
CUMSUM_ALWAYS_INLINE uint32_t values(const uint16_t *bits, float *to, size_t n) {
    uint32_t most = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t magnitude = bits[i] & 0x7FFF;
        to[i] = binary16_value_of(bits[i]);
        most = magnitude > most ? magnitude : most;
    }
    return most;
}

/* A binary16 accumulator is the output before. */
CUMSUM_ALWAYS_INLINE bool binary16_in_sequence(binary16_sequence *s, const float *terms,
                                               const uint16_t *y, size_t n) {
    float sums[HALVES + 1];
    sums[0] = (float)s->sum;
    s->unknown |= values(y, sums + 1, n) >= 0x7C00;
    s->sum = (double)sums[n];
    for (size_t i = 0; i < n; i++)
        sums[i] += terms[i];
    return is_stored(sums, y, n, CUMSUM_HALF_STORE_IEEE);
}

/* While a few terms are added, the running sums of those before are compared: if they were read at
 * once, the processor would wait for their way to memory. */
CUMSUM_ALWAYS_INLINE bool binary32_in_sequence(binary16_sequence *s, const float *terms,
                                               const uint16_t *y, size_t n, int store) {
    float running[HALVES], sum = (float)s->sum;
    bool same = true;
    size_t k = 0;
    for (; k + FEW <= n && same; k += FEW) {
        for (size_t i = 0; i < FEW; i++)
            running[k + i] = sum += terms[k + i];
        if (k > 0)
            same = is_stored(running + k - FEW, y + k - FEW, FEW, store);
    }
    s->sum = (double)sum;
    if (k > 0)
        same = same && is_stored(running + k - FEW, y + k - FEW, FEW, store);
    for (size_t i = k; i < n; i++)
        running[i] = sum += terms[i];
    s->sum = (double)sum;
    return same && is_stored(running + k, y + k, n - k, store);
}

CUMSUM_ALWAYS_INLINE bool is_rounded(const double *sums, const uint16_t *y, size_t n) {
    uint32_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong |= differs(rounded_once(sums[i]), y[i]);
    return !wrong;
}

CUMSUM_ALWAYS_INLINE bool binary64_in_sequence(binary16_sequence *s, const float *terms,
                                               const uint16_t *y, size_t n) {
    double sums[HALVES], sum = s->sum;
    float running[HALVES];
    uint32_t large = 0;
    for (size_t i = 0; i < n; i++)
        sums[i] = sum += (double)terms[i];
    s->sum = sum;
    if (s->accumulator == IN_EXACT) {
        for (size_t i = 0; i < n; i++)
            large |= fabs(sums[i]) >= LARGE;
        s->unknown |= large;
        return is_rounded(sums, y, n);
    }
    for (size_t i = 0; i < n; i++)
        running[i] = (float)sums[i];
    return are_stored(running, y, n, s->store);
}

bool FAST_NAMED(cumsum_binary16_in_sequence)(binary16_sequence *s, const uint16_t *x,
                                             const uint16_t *y, size_t n) {
    float terms[HALVES];
    s->unknown |= values(x, terms, n) >= 0x7C00;
    if (s->accumulator == IN_BINARY16)
        return binary16_in_sequence(s, terms, y, n);
    if (s->accumulator != IN_BINARY32)
        return binary64_in_sequence(s, terms, y, n);
    switch (s->store) {
    case CUMSUM_HALF_STORE_NEAREST_EVEN:
        return binary32_in_sequence(s, terms, y, n, CUMSUM_HALF_STORE_NEAREST_EVEN);
    case CUMSUM_HALF_STORE_TOWARD_ZERO:
        return binary32_in_sequence(s, terms, y, n, CUMSUM_HALF_STORE_TOWARD_ZERO);
    default:
        return binary32_in_sequence(s, terms, y, n, CUMSUM_HALF_STORE_IEEE);
    }
}

bool FAST_NAMED(cumsum_binary16_values)(const uint16_t *bits, float *to, size_t n) {
    return values(bits, to, n) < 0x7C00;
}

bool FAST_NAMED(cumsum_binary16_stored)(const float *running, const uint16_t *y, size_t n,
                                        int store) {
    return are_stored(running, y, n, store);
}
