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
CUMSUM_ALWAYS_INLINE void scan_float_block(floats v[VECTORS], const float *x) {
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

/* v behind `before`, moved on by 1, 2, 4 and 8 elements, where a vector has more. */
#if LANES == 16
#define LATER_1(before, v)                                                                         \
    __builtin_shufflevector(before, v, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, \
                            30)
#define LATER_2(before, v)                                                                         \
    __builtin_shufflevector(before, v, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, \
                            29)
#define LATER_4(before, v)                                                                         \
    __builtin_shufflevector(before, v, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, \
                            27)
#define LATER_8(before, v)                                                                         \
    __builtin_shufflevector(before, v, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
#elif LANES == 8
#define LATER_1(before, v) __builtin_shufflevector(before, v, 7, 8, 9, 10, 11, 12, 13, 14)
#define LATER_2(before, v) __builtin_shufflevector(before, v, 6, 7, 8, 9, 10, 11, 12, 13)
#define LATER_4(before, v) __builtin_shufflevector(before, v, 4, 5, 6, 7, 8, 9, 10, 11)
#else
#define LATER_1(before, v) __builtin_shufflevector(before, v, 3, 4, 5, 6)
#define LATER_2(before, v) __builtin_shufflevector(before, v, 2, 3, 4, 5)
#endif

/* Vectors that go through all rounds together. */
#define STRIP 8

/* What the rounds of less than STRIP vectors need of the strip before: the last vector of each
 * round inside a vector, and the last 1, 2 and 4 vectors of the others. */
typedef struct strip_before {
    floats inside[4];
    floats one[1], two[2], four[4];
} strip_before;

#define ROUND_INSIDE(number, later)                                                                \
    do {                                                                                           \
        const floats last = v[STRIP - 1];                                                          \
        CUMSUM_UNROLL                                                                              \
        for (int i = STRIP - 1; i > 0; i--)                                                        \
            v[i] = later(v[i - 1], v[i]) + v[i];                                                   \
        v[0] = later(before->inside[number], v[0]) + v[0];                                         \
        before->inside[number] = last;                                                             \
    } while (false)

/* The round of `distance` vectors, with as many from before. */
CUMSUM_ALWAYS_INLINE void round_of(const int distance, floats v[STRIP], floats *before) {
    floats last[STRIP / 2];
    CUMSUM_UNROLL
    for (int i = 0; i < distance; i++)
        last[i] = v[STRIP - distance + i];
    CUMSUM_UNROLL
    for (int i = STRIP - 1; i >= distance; i--)
        v[i] = v[i - distance] + v[i];
    CUMSUM_UNROLL
    for (int i = 0; i < distance; i++) {
        v[i] = before[i] + v[i];
        before[i] = last[i];
    }
}

/* The rounds of less than STRIP vectors. */
CUMSUM_ALWAYS_INLINE void short_rounds(floats v[STRIP], strip_before *before) {
    ROUND_INSIDE(0, LATER_1);
    ROUND_INSIDE(1, LATER_2);
#if LANES > 4
    ROUND_INSIDE(2, LATER_4);
#endif
#if LANES > 8
    ROUND_INSIDE(3, LATER_8);
#endif
    round_of(1, v, before->one);
    round_of(2, v, before->two);
    round_of(4, v, before->four);
}

enum {
    STRIP_LENGTH = STRIP * LANES
};

CUMSUM_ALWAYS_INLINE floats load_inputs(const float *from) {
    floats v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Vectors go between registers and memory one at a time: gcc keeps the strip in registers then. */
CUMSUM_ALWAYS_INLINE void load_strip(floats v[STRIP], const float *from) {
    CUMSUM_UNROLL
    for (size_t i = 0; i < STRIP; i++)
        v[i] = load_inputs(from + i * LANES);
}

CUMSUM_ALWAYS_INLINE void store_strip(float *to, const floats v[STRIP]) {
    CUMSUM_UNROLL
    for (size_t i = 0; i < STRIP; i++)
        memcpy(to + i * LANES, &v[i], sizeof v[i]);
}

/* A round of `place`, where the strips of its distance before are kept. */
CUMSUM_ALWAYS_INLINE void long_round(floats v[STRIP], float *place, bool adds, bool keeps) {
    CUMSUM_UNROLL
    for (size_t i = 0; i < STRIP; i++) {
        const floats own = v[i];
        if (adds)
            v[i] = load_inputs(place + i * LANES) + own;
        if (keeps)
            memcpy(place + i * LANES, &own, sizeof own);
    }
}

/* The other rounds, of a strip of the line. A round of distance d adds the strip that is d strips
 * before, from a ring of d strips. The first d strips of the line only fill the ring, and the last
 * d are not stored, since no strip comes after to add them. So all rings together are shorter than
 * the line. */
CUMSUM_ALWAYS_INLINE void long_rounds(floats v[STRIP], size_t strip, size_t strips, float *ring) {
    for (size_t distance = 1; distance < strips; distance *= 2) {
        float *place = ring + (strip & (distance - 1)) * STRIP_LENGTH;
        if (strip < distance && strip + distance < strips)
            long_round(v, place, false, true);
        else if (strip + distance < strips)
            long_round(v, place, true, true);
        else if (strip >= distance)
            long_round(v, place, true, false);
        ring += distance * STRIP_LENGTH;
    }
}

void FAST_NAMED(cumsum_fast_hillis_steele)(float *v, float *history, size_t n) {
    const size_t strips = (n + STRIP_LENGTH - 1) / STRIP_LENGTH, rest = n % STRIP_LENGTH;
    strip_before before = {0};
    for (size_t strip = 0; strip < strips; strip++) {
        float *place = v + strip * STRIP_LENGTH, last[STRIP_LENGTH];
        float *part = strip == strips - 1 && rest ? memcpy(last, place, rest * sizeof *v) : place;
        floats sums[STRIP];
        load_strip(sums, part);
        short_rounds(sums, &before);
        long_rounds(sums, strip, strips, history);
        store_strip(part, sums);
        if (part == last)
            memcpy(place, last, rest * sizeof *v);
    }
}

bool FAST_NAMED(cumsum_fast_tile)(const float *x, const float *y, size_t n, float carry_in,
                                  float *total) {
    truths differs = {0};
    float carry = 0;
    size_t k = 0;
    for (; k + BLOCK <= n; k += BLOCK) {
        floats v[VECTORS];
        scan_float_block(v, x + k);
        const float base = carry_in + carry;
        for (int i = 0; i < VECTORS; i++)
            differs |= base + v[i] != load_inputs(y + k + LANES * (size_t)i);
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
        scan_float_block(v, rest);
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
        scan_float_block(v, count < BLOCK ? block : x + k);
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

void FAST_NAMED(cumsum_fast_hillis_steele)(float *v, float *history, size_t n) {
    (void)history;
    for (size_t distance = 1; distance < n; distance *= 2)
        for (size_t k = n; k-- > distance;)
            v[k] = v[k - distance] + v[k];
}

static void scan_float_block(float v[BLOCK]) {
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
        scan_float_block(v);
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
        scan_float_block(v);
        for (size_t i = 0; i < count; i++)
            same &= (carry_in + carry) + v[i] == y[k + i];
        carry += v[BLOCK - 1];
    }
    *total = carry;
    return same;
}

#endif
