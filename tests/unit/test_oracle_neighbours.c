/* SPDX-License-Identifier: MIT */
/*
 * The bound of neighbours (docs/oracle.md, "Not by neighbours") against brute force: every tree
 * that adds neighbours, in a format of 3 bits, of all lines of up to 3 terms (with two arguments,
 * 4) from 48 values, and of random longer ones, whose number is the first argument. Binary64 holds
 * all numbers here exactly.
 *
 * A planted bound, whose power is that of one rounding less, is left by some tree. The greatest
 * error is close to the bound, so that it is no wide one either.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "splitmix64.h"

enum {
    PRECISION = 3,
    MOST_TERMS = 7,
    MOST_VALUES = 20000
};

/* The results that trees over some consecutive terms have, each with the additions that rounded. */
typedef struct results {
    size_t count;
    double value[MOST_VALUES];
    unsigned rounded[MOST_VALUES];
} results;

/* To nearest, ties to even, with any exponent. */
static double to_format(double value) {
    int exponent;
    if (value == 0)
        return 0;
    frexp(value, &exponent);
    return ldexp(nearbyint(ldexp(value, PRECISION - exponent)), exponent - PRECISION);
}

static bool keep_result(results *r, double value, unsigned rounded) {
    for (size_t i = 0; i < r->count; i++)
        if (r->value[i] == value && r->rounded[i] == rounded)
            return true;
    if (r->count == MOST_VALUES)
        return false;
    r->value[r->count] = value;
    r->rounded[r->count++] = rounded;
    return true;
}

/* All sums of a result of one part and a result of the other. */
static bool add_results(results *sums, const results *left, const results *right) {
    for (size_t i = 0; i < left->count; i++)
        for (size_t k = 0; k < right->count; k++) {
            const double exact = left->value[i] + right->value[k], sum = to_format(exact);
            const unsigned rounded = left->rounded[i] + right->rounded[k] + (sum != exact);
            if (!keep_result(sums, sum, rounded))
                return false;
        }
    return true;
}

/* The results of all trees of neighbours over x[0..n). */
static const results *all_trees(const double *x, unsigned n) {
    static results of[MOST_TERMS][MOST_TERMS + 1]; /* [first term][number of terms] */
    for (unsigned length = 1; length <= n; length++)
        for (unsigned first = 0; first + length <= n; first++) {
            results *r = &of[first][length];
            r->count = 0;
            if (length == 1)
                keep_result(r, x[first], 0);
            for (unsigned left = 1; left < length; left++)
                if (!add_results(r, &of[first][left], &of[first + left][length - left])) {
                    puts("FAIL: more results than there is room for");
                    exit(1);
                }
        }
    return &of[0][n];
}

typedef struct neighbour_counts {
    unsigned long results;
    unsigned long outside; /* of the bound */
    unsigned long planted; /* outside of the planted bound */
    double most;           /* the greatest error in units of the bound */
} neighbour_counts;

/* R ((1 + u)^r - 1). */
static double bound_of(double range, unsigned roundings) {
    double power = 1;
    for (unsigned i = 0; i < roundings; i++)
        power *= 1 + ldexp(1, -PRECISION);
    return range * (power - 1);
}

static void try_line(neighbour_counts *c, const double *x, unsigned n) {
    double sum = 0, top = 0, bottom = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += x[i];
        top = fmax(top, sum);
        bottom = fmin(bottom, sum);
    }
    const results *r = all_trees(x, n);
    for (size_t i = 0; i < r->count; i++) {
        const double error = fabs(r->value[i] - sum);
        const unsigned rounded = r->rounded[i];
        const double bound = bound_of(top - bottom, rounded);
        c->results++;
        c->outside += error > bound;
        c->planted += error > bound_of(top - bottom, rounded ? rounded - 1 : 0);
        if (bound > 0)
            c->most = fmax(c->most, error / bound);
    }
}

/* One of the values: 4 significands, 6 exponents, 2 signs. */
enum {
    VALUES = 48
};

static double value_of(unsigned number) {
    const double significand = ldexp(4 + number % 4, (int)(number / 4 % 6) - 3);
    return number < VALUES / 2 ? significand : -significand;
}

static void try_all_lines(neighbour_counts *c, unsigned n) {
    unsigned long count = 1;
    double x[MOST_TERMS];
    for (unsigned i = 0; i < n; i++)
        count *= VALUES;
    for (unsigned long line = 0; line < count; line++) {
        unsigned long rest = line;
        for (unsigned i = 0; i < n; i++, rest /= VALUES)
            x[i] = value_of((unsigned)(rest % VALUES));
        try_line(c, x, n);
    }
}

static void try_random_line(neighbour_counts *c, uint64_t *state) {
    double x[MOST_TERMS];
    const unsigned n = random_between(state, 4, MOST_TERMS);
    for (unsigned i = 0; i < n; i++)
        x[i] = value_of(random_below(state, VALUES));
    try_line(c, x, n);
}

static int try_lines(int argc, char **argv) {
    const unsigned long lines = argc > 1 ? strtoul(argv[1], NULL, 10) : 20000;
    neighbour_counts c = {0};
    uint64_t state = 1;
    for (unsigned n = 2; n <= (argc > 2 ? 4 : 3); n++)
        try_all_lines(&c, n);
    for (unsigned long i = 0; i < lines; i++)
        try_random_line(&c, &state);
    printf(
        "%lu results of trees of neighbours: %lu outside of the bound, the greatest error is %.3f "
        "of it; %lu outside of the planted one\n",
        c.results, c.outside, c.most, c.planted);
    return c.outside != 0 || c.planted == 0 || c.most < 0.5;
}

CHECK_MAIN(test_oracle_neighbours, try_lines);
