/* SPDX-License-Identifier: MIT */
/*
 * Adds up the terms of a line with vectors (fast_terms.h). The file is compiled for several
 * instruction sets, whose name is FAST_ISA. Its loops do the same for every element of small
 * arrays, so that compilers make vectors of them.
 */
#include "fast_terms.h"

#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_binary16_value.h"
#include "fast_isa.h"

CUMSUM_ALWAYS_INLINE void copy_elements(void *to, const unsigned char *base, int64_t step,
                                        size_t count, size_t size) {
    if (step == (int64_t)size)
        memcpy(to, base, count * size);
    else
        for (size_t i = 0; i < count; i++)
            memcpy((char *)to + i * size, base + step * (int64_t)i, size);
    memset((char *)to + count * size, 0, (TERMS_BLOCK - count) * size);
}

static bool load_16_bit(double *to, const uint16_t *bits, bool binary16) {
    const uint32_t infinity = binary16 ? 0x7C00 : 0x7F80;
    uint32_t special = 0;
    for (int i = 0; i < TERMS_BLOCK; i++)
        special |= (bits[i] & infinity) == infinity;
    if (binary16)
        for (int i = 0; i < TERMS_BLOCK; i++)
            to[i] = (double)binary16_value_of(bits[i]);
    else
        for (int i = 0; i < TERMS_BLOCK; i++)
            to[i] = (double)binary32_of_bits((uint32_t)bits[i] << 16);
    return special;
}

void FAST_NAMED(cumsum_terms_load)(fast_terms *t, const unsigned char *base, int64_t step,
                                   size_t count, int precision) {
    double *to = t->value + TERMS_LANES;
    uint16_t halves[TERMS_BLOCK];
    float singles[TERMS_BLOCK];
    memset(t->value, 0, TERMS_LANES * sizeof *t->value);
    t->count = count;
    t->special = false;
    if (precision == 53) {
        copy_elements(to, base, step, count, sizeof *to);
    } else if (precision == 24) {
        copy_elements(singles, base, step, count, sizeof *singles);
        for (int i = 0; i < TERMS_BLOCK; i++)
            to[i] = (double)singles[i];
    } else {
        copy_elements(halves, base, step, count, sizeof *halves);
        t->special = load_16_bit(to, halves, precision == 11);
    }
}

#if FAST_VECTORS
/* A vector of the instruction set: of longer ones gcc compares the lanes one by one. */
#define LANES (FAST_FLOATS / 2)

typedef double terms_lanes __attribute__((vector_size(8 * LANES)));
typedef int64_t terms_truths __attribute__((vector_size(8 * LANES)));

CUMSUM_ALWAYS_INLINE void add_window(terms_lanes *sums, const double *quads) {
    terms_lanes first, second;
    memcpy(&first, quads - 4, sizeof first);
    memcpy(&second, quads, sizeof second);
    *sums += second + first;
}

/* The lanes of v that are larger, or smaller, replace others. */
CUMSUM_ALWAYS_INLINE void keep_largest(terms_lanes *kept, const terms_lanes *v) {
    const terms_truths larger = *v > *kept;
    *kept = (terms_lanes)(((terms_truths)*v & larger) | ((terms_truths)*kept & ~larger));
}

CUMSUM_ALWAYS_INLINE void keep_least(terms_lanes *kept, const terms_lanes *v) {
    const terms_truths smaller = *v < *kept;
    *kept = (terms_lanes)(((terms_truths)*v & smaller) | ((terms_truths)*kept & ~smaller));
}

CUMSUM_ALWAYS_INLINE void load_magnitudes(terms_lanes *v, const double *from) {
    memcpy(v, from, sizeof *v);
    *v = (terms_lanes)((terms_truths)*v & INT64_MAX);
}

/* The sums and extremes of a block. The lanes of a vector are added before those of the next. */
CUMSUM_ALWAYS_INLINE void sum_terms(fast_terms *t) {
    double of[5][TERMS_LANES];
    for (int lane = 0; lane < TERMS_LANES; lane += LANES) {
        terms_lanes magnitude, total = {0}, largest = {0};
        terms_lanes running = t->sum - (terms_lanes){0}, top = t->top - (terms_lanes){0};
        terms_lanes bottom = t->bottom - (terms_lanes){0};
        for (int i = TERMS_LANES + lane; i < TERMS_LANES + TERMS_BLOCK; i += TERMS_LANES) {
            add_window(&running, t->quads + i);
            keep_largest(&top, &running);
            keep_least(&bottom, &running);
            load_magnitudes(&magnitude, t->value + i);
            total += magnitude;
            keep_largest(&largest, &magnitude);
        }
        memcpy(of[0] + lane, &running, sizeof running);
        memcpy(of[1] + lane, &top, sizeof top);
        memcpy(of[2] + lane, &bottom, sizeof bottom);
        memcpy(of[3] + lane, &total, sizeof total);
        memcpy(of[4] + lane, &largest, sizeof largest);
    }
    t->sum = of[0][TERMS_LANES - 1];
    for (int j = 0; j < TERMS_LANES; j++) {
        t->total += of[3][j];
        t->largest = of[4][j] > t->largest ? of[4][j] : t->largest;
        t->top = of[1][j] > t->top ? of[1][j] : t->top;
        t->bottom = of[2][j] < t->bottom ? of[2][j] : t->bottom;
    }
}
#else
CUMSUM_ALWAYS_INLINE void sum_terms(fast_terms *t) {
    double running[TERMS_LANES], total[TERMS_LANES] = {0};
    for (int j = 0; j < TERMS_LANES; j++)
        running[j] = t->sum;
    for (int i = 0; i < TERMS_BLOCK; i++) {
        const double magnitude = fabs(t->value[TERMS_LANES + i]);
        double *sum = &running[i % TERMS_LANES];
        *sum += t->quads[TERMS_LANES + i] + t->quads[4 + i];
        t->top = *sum > t->top ? *sum : t->top;
        t->bottom = *sum < t->bottom ? *sum : t->bottom;
        total[i % TERMS_LANES] += magnitude;
        t->largest = magnitude > t->largest ? magnitude : t->largest;
    }
    t->sum = running[TERMS_LANES - 1];
    for (int j = 0; j < TERMS_LANES; j++)
        t->total += total[j];
}
#endif

void FAST_NAMED(cumsum_terms_add)(fast_terms *t, double grid, double least) {
    const double *v = t->value + TERMS_LANES;
    uint64_t off_grid = 0, small = 0, zeros = 0;
    memset(t->pairs, 0, TERMS_LANES * sizeof *t->pairs);
    memset(t->quads, 0, TERMS_LANES * sizeof *t->quads);
    for (int i = 0; i < TERMS_BLOCK; i++) {
        const double magnitude = fabs(v[i]);
        off_grid |= (v[i] + grid) - grid != v[i] ? 1 : 0;
        small |= ((magnitude < least) & (magnitude != 0)) ? 1 : 0;
        zeros += magnitude == 0 ? 1 : 0;
        t->pairs[TERMS_LANES + i] = v[i] + v[i - 1];
    }
    for (int i = 0; i < TERMS_BLOCK; i++)
        t->quads[TERMS_LANES + i] = t->pairs[TERMS_LANES + i] + t->pairs[TERMS_LANES + i - 2];
    t->off_grid = off_grid;
    t->small = small;
    t->nonzero = t->count - (size_t)(zeros - (TERMS_BLOCK - t->count));
    t->total = 0;
    t->largest = 0;
    sum_terms(t);
    t->special |= !(t->total < INFINITY); /* or the magnitudes overflow */
}
