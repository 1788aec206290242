/* SPDX-License-Identifier: MIT */
/* Sums of binary64 lines: where they are given, additions in any order give the same bits; and the
 * limits, from both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "binary64_sums.h"
#include "oracle_data.h"

#define LONGEST 12

typedef struct scan {
    double sums[LONGEST];
    double magnitudes[LONGEST];
    uint64_t terms[LONGEST];
    uint32_t visited;
    binary64_line line;
} scan;

static void keep(void *state, const binary64_output *output) {
    scan *s = state;
    s->sums[output->index] = output->sum;
    s->magnitudes[output->index] = output->magnitudes;
    s->terms[output->index] = output->terms;
    s->visited++;
}

static bool do_scan(const double *x, const uint32_t *sizes, uint32_t axis, bool decreasing,
                    bool exclusive, scan *s) {
    const cumsum_buffer_tensor_desc buffer = {
        .data_type = CUMSUM_DATA_TYPE_FLOAT64, .dimension_count = 2, .sizes = sizes};
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor,
                                       .output_tensor = &tensor,
                                       .axis = axis,
                                       .axis_direction = decreasing
                                                             ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                             : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       .has_exclusive_sum = exclusive};
    *s = (scan){0};
    return binary64_sums(&desc, (const unsigned char *)x, keep, s, &s->line);
}

static bool do_line(const double *x, uint32_t length, scan *s) {
    const uint32_t sizes[] = {1, length};
    return do_scan(x, sizes, 1, false, false, s);
}

static binary64_limit limit_of(double a, double b, double c) {
    const double x[] = {a, b, c};
    scan s;
    return do_line(x, 3, &s) ? BINARY64_EXACT : s.line.limit;
}

static void just_within(void **state) {
    (void)state;
    assert_int_equal(limit_of(0x1p53, 0, -0.0), BINARY64_EXACT);
    assert_int_equal(limit_of(0x1p53 - 1, 1, 0), BINARY64_EXACT);
    assert_int_equal(limit_of(0x1p52, -0x1p52 + 1, -1), BINARY64_EXACT);
    assert_int_equal(limit_of(0x1p-1021, -0x1p-1074, 0), BINARY64_ROUNDS);
    assert_int_equal(limit_of(0x1p-1021 - 0x1p-1074, -0x1p-1074, 0), BINARY64_EXACT);
    assert_int_equal(limit_of(0x1p1023, 0x1p1023 - 0x1p971, 0), BINARY64_EXACT);
    assert_int_equal(limit_of(INFINITY, 0x1p1023, NAN), BINARY64_EXACT);
    assert_int_equal(limit_of(0, 0, 0), BINARY64_EXACT);
}

static void just_over(void **state) {
    (void)state;
    assert_int_equal(limit_of(0x1p53, 1, 0), BINARY64_ROUNDS);
    assert_int_equal(limit_of(0x1p52, 1, -0x1p52), BINARY64_ROUNDS);
    assert_int_equal(limit_of(0x1p53, INFINITY, -1), BINARY64_ROUNDS);
    assert_int_equal(limit_of(0.1, 0.2, 0.3), BINARY64_ROUNDS);
    assert_int_equal(limit_of(0x1p1023, 0x1p-1074, 0), BINARY64_ROUNDS);
    assert_int_equal(limit_of(0x1p1023, 0x1p1023, 0), BINARY64_OVERFLOWS);
    assert_int_equal(limit_of(0x1p1023, -0x1p1023, 0), BINARY64_OVERFLOWS);
}

static void names_the_place(void **state) {
    (void)state;
    const uint32_t sizes[] = {3, 2};
    const double x[] = {1, 0x1p53, 3, 0.5, 4, 0.5};
    scan s;
    assert_false(do_scan(x, sizes, 0, true, false, &s));
    assert_int_equal(s.line.limit, BINARY64_ROUNDS);
    assert_int_equal(s.line.first, 1);
    assert_int_equal(s.line.lowest, 3);
    assert_int_equal(s.line.exponent, -1);
    assert_int_equal(s.visited, 3);
}

static void directions_and_prefixes(void **state) {
    (void)state;
    const uint32_t sizes[] = {2, 3};
    const double x[] = {1, -2, 4, 8, 16, -32};
    const double sums[] = {2, 4, 0, -16, -32, 0};
    const double magnitudes[] = {6, 4, 0, 48, 32, 0};
    const uint64_t terms[] = {2, 1, 0, 2, 1, 0};
    scan s;
    assert_true(do_scan(x, sizes, 1, true, true, &s));
    assert_memory_equal(s.sums, sums, sizeof sums);
    assert_memory_equal(s.magnitudes, magnitudes, sizeof magnitudes);
    assert_memory_equal(s.terms, terms, sizeof terms);
}

static void what_is_not_finite(void **state) {
    (void)state;
    const double x[] = {1, INFINITY, 2, -INFINITY, 3};
    scan s;
    assert_true(do_line(x, 5, &s));
    assert_true(s.sums[0] == 1 && s.sums[1] == INFINITY && s.sums[2] == INFINITY);
    assert_true(isnan(s.sums[3]) && isnan(s.sums[4]));
    assert_true(s.magnitudes[4] == 6);
}

static void zeros_are_positive(void **state) {
    (void)state;
    const double x[] = {-0.0, -1, 1};
    scan s;
    assert_true(do_line(x, 3, &s));
    assert_true(s.sums[0] == 0 && !signbit(s.sums[0]));
    assert_true(s.sums[2] == 0 && !signbit(s.sums[2]));
}

/* Adds two numbers that are left, and so on: any tree over the terms. */
static double add_in_random_order(const double *x, uint32_t count, uint64_t *seed) {
    double left[LONGEST];
    memcpy(left, x, count * sizeof *x);
    while (count > 1) {
        const uint32_t a = (uint32_t)(random_next(seed) % count);
        const double term = left[a];
        left[a] = left[--count];
        left[random_next(seed) % count] += term;
    }
    return left[0];
}

/* Signed integers of so many bits that about half of the lines are over the limit, in units from
 * the smallest to nearly the largest. */
static void fill(double *x, uint32_t length, uint64_t *seed) {
    const int unit = (int)(random_next(seed) % 2040) - 1074;
    const uint32_t bits = 48 + (uint32_t)(random_next(seed) % 6);
    for (uint32_t i = 0; i < length; i++) {
        const uint64_t r = random_next(seed) >> (64 - bits);
        x[i] = ldexp((double)(random_next(seed) % 2 ? (int64_t)r : -(int64_t)r), unit);
    }
}

static void no_order_gives_other_bits(void **state) {
    (void)state;
    uint64_t seed = 64;
    uint32_t given = 0, refused = 0;
    for (int i = 0; i < 20000; i++) {
        const uint32_t length = 1 + (uint32_t)(random_next(&seed) % LONGEST);
        double x[LONGEST];
        scan s;
        fill(x, length, &seed);
        if (!do_line(x, length, &s)) {
            refused++;
            continue;
        }
        given++;
        for (uint32_t k = 0; k < length; k++)
            assert_true(s.sums[k] == add_in_random_order(x, k + 1, &seed));
    }
    assert_true(given > 2000 && refused > 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(just_within),
        cmocka_unit_test(just_over),
        cmocka_unit_test(names_the_place),
        cmocka_unit_test(directions_and_prefixes),
        cmocka_unit_test(what_is_not_finite),
        cmocka_unit_test(zeros_are_positive),
        cmocka_unit_test(no_order_gives_other_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
