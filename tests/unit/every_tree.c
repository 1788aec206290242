/* SPDX-License-Identifier: MIT */
/* See every_tree.h. */
#include "every_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

static void note(tree_sums *sums, double value) {
    for (uint32_t i = sums->count; i-- > 0;)
        if (same(sums->values[i], value))
            return;
    if (sums->count == sums->room) {
        sums->room = sums->room ? 2 * sums->room : 64;
        sums->values = realloc(sums->values, sums->room * sizeof *sums->values);
        if (!sums->values)
            abort();
    }
    sums->values[sums->count++] = value == 0 ? 0 : value;
}

/* Real arithmetic: the sum of two numbers of 16 bits is exact, or rounded to many more bits than
 * they have, and is cut into steps of its binade. */
static double to_half(double exact, tree_arithmetic how) {
    int exponent;
    if (!isfinite(exact) || exact == 0)
        return exact;
    frexp(exact, &exponent);
    const double step = how == TREE_BFLOAT16 ? ldexp(1, exponent < -125 ? -133 : exponent - 8)
                                             : ldexp(1, exponent < -13 ? -24 : exponent - 11);
    const double steps = exact / step;
    const double whole =
        how == TREE_BINARY16 || how == TREE_BFLOAT16 ? nearbyint(steps) : trunc(steps);
    const double rounded = whole * step;
    if (fabs(rounded) < (how == TREE_BFLOAT16 ? 0x1p128 : 65536))
        return rounded;
    return copysign(how == TREE_BINARY16_SATURATING ? 65504 : (double)INFINITY, exact);
}

static double sum_of(double a, double b, tree_arithmetic how) {
    if (how == TREE_BINARY64 || how == TREE_BINARY64_FLUSH)
        return a + b;
    if (how == TREE_BINARY32 || how == TREE_BINARY32_FLUSH) {
        const float x = (float)a;
        const float y = (float)b;
        return (double)(x + y);
    }
    return to_half(a + b, how);
}

/* Is it one that a device of this arithmetic flushes? */
static bool is_flushed(double value, tree_arithmetic how) {
    const double least = how == TREE_BINARY32_FLUSH   ? 0x1p-126
                         : how == TREE_BINARY64_FLUSH ? 0x1p-1022
                                                      : 0;
    return value != 0 && fabs(value) < least;
}

/* Replaces two of the values, from every pair, by their sum. */
static void grow(const double *values, uint32_t count, tree_arithmetic how, tree_sums *sums) {
    double left[8];
    if (count < 2) {
        const double sum = count ? values[0] : 0;
        if (!is_flushed(sum, how)) /* a device that flushes returns none */
            note(sums, sum);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++) {
            memcpy(left, values, count * sizeof *left);
            left[i] = sum_of(values[i], values[j], how);
            left[j] = left[count - 1];
            grow(left, count - 1, how, sums);
            if (is_flushed(left[i], how)) {
                left[i] = 0;
                grow(left, count - 1, how, sums);
            }
        }
}

/* Every choice of which subnormal terms are flushed. */
static void flush_terms(double *values, uint32_t from, uint32_t count, tree_arithmetic how,
                        tree_sums *sums) {
    while (from < count && !is_flushed(values[from], how))
        from++;
    if (from == count) {
        grow(values, count, how, sums);
        return;
    }
    const double kept = values[from];
    flush_terms(values, from + 1, count, how, sums);
    values[from] = 0;
    flush_terms(values, from + 1, count, how, sums);
    values[from] = kept;
}

void every_tree(const double *terms, uint32_t count, tree_arithmetic how, tree_sums *sums) {
    double values[8];
    sums->count = 0;
    memcpy(values, terms, count * sizeof *values);
    flush_terms(values, 0, count, how, sums);
}
