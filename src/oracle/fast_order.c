/* SPDX-License-Identifier: MIT */
/*
 * Compares FLOAT32 outputs with named orders, with vectors (fast_order.h). The file is compiled for
 * several instruction sets, whose name is FAST_ISA. Each order is written from its definition in
 * docs/oracle.md and shares nothing with the kernels.
 */
#include "fast_order.h"

#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "fast_isa.h"

bool FAST_NAMED(cumsum_fast_in_sequence)(const float *x, const float *y, size_t n) {
    uint32_t differs = 0;
    for (size_t k = 0; k < n; k++)
        differs |= y[(ptrdiff_t)k - 1] + x[k] != y[k];
    return !differs;
}

/* A round has v[k] = x[k - distance] + x[k], and x[k] for k < distance. */
void FAST_NAMED(cumsum_fast_rounds)(const float *restrict x, float *restrict v, size_t n,
                                    size_t distance, bool two) {
    const size_t d = distance, single = two && 2 * d < n ? 2 * d : n;
    memcpy(v, x, (d < n ? d : n) * sizeof *x);
    for (size_t k = d; k < single; k++)
        v[k] = x[k - d] + x[k];
    for (size_t k = single; k < n && k < 3 * d; k++)
        v[k] = x[k - 2 * d] + (x[k - d] + x[k]);
    for (size_t k = single == n ? n : 3 * d; k < n; k++)
        v[k] = (x[k - 3 * d] + x[k - 2 * d]) + (x[k - d] + x[k]);
}

/* The left total of each aligned group is added to all of its right half. */
void FAST_NAMED(cumsum_fast_sklansky)(float *v, size_t n) {
    for (size_t s = 1; s < n; s *= 2)
        for (size_t group = s; group < n; group += 2 * s) {
            const size_t end = n - group < s ? n : group + s;
            const float left = v[group - 1];
            for (size_t k = group; k < end; k++)
                v[k] = left + v[k];
        }
}

/* The sum of the aligned blocks of k elements, the largest first: that of all but the last one, and
 * the last one, whose size is the lowest bit of k. */
void FAST_NAMED(cumsum_fast_blelloch)(float *v, size_t n) {
    for (size_t size = 2; size <= n; size *= 2)
        for (size_t end = size; end <= n; end += size)
            v[end - 1] = v[end - 1 - size / 2] + v[end - 1];
    for (size_t k = 1; k <= n; k++) {
        const size_t others = k & (k - 1);
        if (others)
            v[k - 1] = v[others - 1] + v[k - 1];
    }
}

#define BLOCK 16

#if FAST_VECTORS

#define LANES   FAST_FLOATS
#define VECTORS (BLOCK / LANES)

typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int32_t truths __attribute__((vector_size(4 * LANES)));

/* A step of Sklansky's network inside a vector: where the bit of the step is set in a lane's
 * number, the lane gets the last sum of the lanes before the group that have it clear. */
#if LANES == 16
#define STEP_1(v)                                                                                  \
    __builtin_shufflevector(v, v, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14)
#define STEP_2(v) __builtin_shufflevector(v, v, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13)
#define STEP_4(v)                                                                                  \
    __builtin_shufflevector(v, v, 3, 3, 3, 3, 3, 3, 3, 3, 11, 11, 11, 11, 11, 11, 11, 11)
#define STEP_8(v) __builtin_shufflevector(v, v, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7)
static const truths numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
#elif LANES == 8
#define STEP_1(v) __builtin_shufflevector(v, v, 0, 0, 2, 2, 4, 4, 6, 6)
#define STEP_2(v) __builtin_shufflevector(v, v, 1, 1, 1, 1, 5, 5, 5, 5)
#define STEP_4(v) __builtin_shufflevector(v, v, 3, 3, 3, 3, 3, 3, 3, 3)
static const truths numbers = {0, 1, 2, 3, 4, 5, 6, 7};
#else
#define STEP_1(v) __builtin_shufflevector(v, v, 0, 0, 2, 2)
#define STEP_2(v) __builtin_shufflevector(v, v, 1, 1, 1, 1)
static const truths numbers = {0, 1, 2, 3};
#endif

CUMSUM_ALWAYS_INLINE floats step(floats v, floats left, int bit) {
    const truths takes = (numbers & bit) != 0;
    const floats sum = left + v;
    return (floats)(((truths)sum & takes) | ((truths)v & ~takes));
}

/* Sklansky's network over a block. */
CUMSUM_ALWAYS_INLINE void scan_block(floats v[VECTORS], const float *x) {
    memcpy(v, x, BLOCK * sizeof *x);
    CUMSUM_UNROLL
    for (int i = 0; i < VECTORS; i++) {
        v[i] = step(v[i], STEP_1(v[i]), 1);
        v[i] = step(v[i], STEP_2(v[i]), 2);
#if LANES > 4
        v[i] = step(v[i], STEP_4(v[i]), 4);
#endif
#if LANES > 8
        v[i] = step(v[i], STEP_8(v[i]), 8);
#endif
    }
    CUMSUM_UNROLL
    for (int width = 1; width < VECTORS; width *= 2)
        for (int i = 0; i < VECTORS; i++)
            if (i & width)
                v[i] = v[(i | (width - 1)) ^ width][LANES - 1] + v[i];
}

bool FAST_NAMED(cumsum_fast_tile)(const float *x, const float *y, size_t n, float carry_in,
                                  float *total) {
    truths differs = {0};
    float carry = 0;
    size_t k = 0;
    for (; k + BLOCK <= n; k += BLOCK) {
        floats v[VECTORS];
        scan_block(v, x + k);
        const float base = carry_in + carry;
        for (int i = 0; i < VECTORS; i++) {
            floats output;
            memcpy(&output, y + k + LANES * (size_t)i, sizeof output);
            differs |= base + v[i] != output;
        }
        carry += v[VECTORS - 1][LANES - 1];
    }
    *total = carry;
    int32_t any = 0;
    for (int i = 0; i < LANES; i++)
        any |= differs[i];
    if (k < n) {
        float rest[BLOCK] = {0}, sums[BLOCK];
        floats v[VECTORS];
        memcpy(rest, x + k, (n - k) * sizeof *x);
        scan_block(v, rest);
        memcpy(sums, v, sizeof sums);
        for (size_t i = 0; i < n - k; i++)
            any |= (carry_in + carry) + sums[i] != y[k + i];
    }
    return !any;
}

float FAST_NAMED(cumsum_fast_scan_tile)(const float *x, float *sums, size_t n, float carry_in) {
    float carry = 0;
    for (size_t k = 0; k < n; k += BLOCK) {
        floats v[VECTORS];
        float block[BLOCK] = {0};
        const size_t count = n - k < BLOCK ? n - k : BLOCK;
        if (count < BLOCK)
            memcpy(block, x + k, count * sizeof *x);
        scan_block(v, count < BLOCK ? block : x + k);
        const float base = carry_in + carry;
        carry += v[VECTORS - 1][LANES - 1];
        for (int i = 0; i < VECTORS; i++)
            v[i] = base + v[i];
        if (count == BLOCK)
            memcpy(sums + k, v, sizeof v);
        else
            memcpy(sums + k, v, count * sizeof *x);
    }
    return carry;
}

#else

static void scan_block(float v[BLOCK]) {
    for (unsigned s = 1; s < BLOCK; s *= 2)
        for (unsigned i = s; i < BLOCK; i++)
            if (i & s)
                v[i] = v[(i | (s - 1)) ^ s] + v[i];
}

float FAST_NAMED(cumsum_fast_scan_tile)(const float *x, float *sums, size_t n, float carry_in) {
    float carry = 0;
    for (size_t k = 0; k < n; k += BLOCK) {
        const size_t count = n - k < BLOCK ? n - k : BLOCK;
        float v[BLOCK] = {0};
        memcpy(v, x + k, count * sizeof *x);
        scan_block(v);
        for (size_t i = 0; i < count; i++)
            sums[k + i] = (carry_in + carry) + v[i];
        carry += v[BLOCK - 1];
    }
    return carry;
}

bool FAST_NAMED(cumsum_fast_tile)(const float *x, const float *y, size_t n, float carry_in,
                                  float *total) {
    float carry = 0;
    bool same = true;
    for (size_t k = 0; k < n; k += BLOCK) {
        const size_t count = n - k < BLOCK ? n - k : BLOCK;
        float v[BLOCK] = {0};
        memcpy(v, x + k, count * sizeof *x);
        scan_block(v);
        for (size_t i = 0; i < count; i++)
            same &= (carry_in + carry) + v[i] == y[k + i];
        carry += v[BLOCK - 1];
    }
    *total = carry;
    return same;
}

#endif
