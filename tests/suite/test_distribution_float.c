/* SPDX-License-Identifier: MIT */
/* The data of each floating-point distribution is what its name says. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "distribution.h"
#include "made_data.h"

#define LINES  8
#define LENGTH 2000

static const cumsum_data_type types[] = {CUMSUM_DATA_TYPE_FLOAT32, CUMSUM_DATA_TYPE_FLOAT16};

static double largest(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? 65504 : FLT_MAX;
}

static double least_normal(cumsum_data_type type) {
    return type == CUMSUM_DATA_TYPE_FLOAT16 ? 0x1p-14 : 0x1p-126;
}

/* The numbers of Random123's own test vectors. */
static void philox_is_philox(void **state) {
    (void)state;
    const uint32_t zeros[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    const uint32_t ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    uint32_t words[4];
    draw_words(0, 0, 0, words);
    assert_memory_equal(words, zeros, sizeof zeros);
    draw_words(UINT64_MAX, UINT64_MAX, UINT64_MAX, words);
    assert_memory_equal(words, ones, sizeof ones);
}

static void normal_has_its_moments(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data made;
        double sum = 0;
        double squares = 0;
        double beyond = 0; /* 2 standard deviations: 4.55 % */
        make_data(&made, types[t], "normal", 1, LINES, LENGTH);
        for (uint32_t i = 0; i < LINES * LENGTH; i++) {
            double x = value_at(&made, i / LENGTH, i % LENGTH);
            sum += x;
            squares += x * x;
            beyond += fabs(x) > 2;
        }
        assert_true(fabs(sum / (LINES * LENGTH)) < 0.03);
        assert_true(fabs(squares / (LINES * LENGTH) - 1) < 0.04);
        assert_true(fabs(beyond / (LINES * LENGTH) - 0.0455) < 0.006);
        free_data(&made);
    }
}

static void uniform_fills_its_interval(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data made;
        int tenths[10] = {0};
        make_data(&made, types[t], "uniform", 1, LINES, LENGTH);
        for (uint32_t i = 0; i < LINES * LENGTH; i++) {
            double x = value_at(&made, i / LENGTH, i % LENGTH);
            assert_true(x >= 0 && x < 1);
            tenths[(int)(10 * x)]++;
        }
        for (int i = 0; i < 10; i++)
            assert_true(LINES * LENGTH / 10 - 200 <= tenths[i] &&
                        tenths[i] <= LINES * LENGTH / 10 + 200);
        free_data(&made);
    }
}

/* Data from the smallest subnormal up, whose sums do not overflow with any signs. */
static void log_uniform_has_every_exponent(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data made;
        bool seen[400] = {false};
        int least = t ? -24 : -149;
        int exponents = 0;
        make_data(&made, types[t], "log-uniform", 1, LINES, LENGTH);
        for (uint32_t line = 0; line < LINES; line++) {
            double sum = 0;
            for (uint32_t k = 0; k < LENGTH; k++) {
                double x = fabs(value_at(&made, line, k));
                sum += x;
                assert_true(x > 0);
                exponents += !seen[ilogb(x) - least];
                seen[ilogb(x) - least] = true;
            }
            assert_true(sum <= largest(types[t]));
        }
        assert_true(seen[0]);
        assert_true((t ? 14 : 126) - 11 - least <= exponents &&
                    exponents <= (t ? 14 : 126) - 11 - least + 1);
        free_data(&made);
    }
}

/* With an accumulator of the type's own width every sum is half way between two numbers. */
static void ties_are_ties(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data made;
        double gap = t ? 0x1p11 : 0x1p24;
        make_data(&made, types[t], "ties", 1, LINES, LENGTH);
        for (uint32_t line = 0; line < LINES; line++) {
            assert_true(fabs(value_at(&made, line, 0)) == 1.5 * gap);
            for (uint32_t k = 1; k < LENGTH; k++) {
                assert_true(fmod(fabs(value_at(&made, line, k)), 2) == 1);
                assert_true(fabs(expected_at(&made, line, k)) > gap);
                assert_true(fabs(expected_at(&made, line, k)) < 2 * gap);
            }
        }
        assert_true(value_at(&made, 1, 0) < 0); /* downwards too */
        free_data(&made);
    }
}

static void ladders_go_over_the_top(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data made;
        double sum = 0;
        int over = 0;
        make_data(&made, types[t], t ? "ladder-11" : "ladder-24", 0, 2, LENGTH);
        for (uint32_t k = 0; k < LENGTH; k++) {
            sum += value_at(&made, 0, k);
            over += sum == (t ? 0x1p11 : 0x1p24);
        }
        assert_int_equal(over, (LENGTH + 31 - 8) / 32);
        assert_true(value_at(&made, 1, 0) == -value_at(&made, 0, 0));
        free_data(&made);
    }
}

/* Sums in even lines of `overflow` become infinite of both signs; its odd lines stay at the edge of
 * the range. Sums of `near-overflow` stay finite, although a sum of two of its elements would not.
 */
static void overflow_is_where_it_should_be(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data near_it;
        made_data over;
        int infinities[2] = {0, 0};
        make_data(&near_it, types[t], "near-overflow", 0, LINES, LENGTH);
        make_data(&over, types[t], "overflow", 0, LINES, LENGTH);
        for (uint32_t i = 0; i < LINES * LENGTH; i++) {
            assert_true(isfinite(expected_at(&near_it, i / LENGTH, i % LENGTH)));
            double sum = expected_at(&over, i / LENGTH, i % LENGTH);
            infinities[0] += sum == INFINITY;
            infinities[1] += sum == -INFINITY;
            assert_true(i / LENGTH % 2 == 0 || isfinite(sum));
        }
        assert_true(value_at(&near_it, 0, 0) - value_at(&near_it, 0, 1) > largest(types[t]));
        assert_true(infinities[0] > 0 && infinities[1] > 0);
        free_data(&near_it);
        free_data(&over);
    }
}

static void subnormals_and_zeros(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data tiny;
        made_data sums;
        made_data zeros;
        int negative = 0;
        int subnormal_sums = 0;
        make_data(&tiny, types[t], "subnormal", 1, LINES, LENGTH);
        make_data(&sums, types[t], "subnormal-sums", 1, LINES, LENGTH);
        make_data(&zeros, types[t], "zeros", 1, LINES, LENGTH);
        for (uint32_t i = 0; i < LINES * LENGTH; i++) {
            uint32_t line = i / LENGTH;
            uint32_t k = i % LENGTH;
            double sum = fabs(expected_at(&sums, line, k));
            assert_true(fabs(value_at(&tiny, line, k)) < least_normal(types[t]));
            assert_true(fabs(value_at(&sums, line, k)) >= least_normal(types[t]));
            assert_true(value_at(&zeros, line, k) == 0);
            subnormal_sums += sum > 0 && sum < least_normal(types[t]);
            negative += signbit(value_at(&zeros, line, k)) != 0;
            assert_true(line % 2 || signbit(value_at(&zeros, line, k)));
        }
        assert_true(subnormal_sums > LENGTH);
        assert_true(LINES * LENGTH * 7 / 10 <= negative && negative <= LINES * LENGTH * 8 / 10);
        free_data(&tiny);
        free_data(&sums);
        free_data(&zeros);
    }
}

/* How many elements of a line are not finite. */
static int poisoned(const made_data *made, uint32_t line) {
    int count = 0;
    for (uint32_t k = 0; k < made->length; k++)
        count += !isfinite(value_at(made, line, k));
    return count;
}

static void poison_is_where_it_is_said_to_be(void **state) {
    (void)state;
    for (int t = 0; t < 2; t++) {
        made_data nans;
        made_data infinities;
        make_data(&nans, types[t], "nan-poison", 1, LINES, LENGTH);
        make_data(&infinities, types[t], "infinity-poison", 1, LINES, LENGTH);
        for (uint32_t line = 0; line < LINES; line += 4) {
            assert_int_equal(poisoned(&nans, line), 1);
            assert_int_equal(poisoned(&nans, line + 1), 0);
            assert_int_equal(poisoned(&nans, line + 2), 1);
            assert_true(isnan(value_at(&nans, line + 2, LENGTH - 1)));
            assert_int_equal(poisoned(&nans, line + 3), 1);
            assert_true(isnan(value_at(&nans, line + 3, 0)));
            assert_int_equal(poisoned(&infinities, line), 1);
            assert_int_equal(poisoned(&infinities, line + 1), 0);
            assert_true(value_at(&infinities, line + 2, LENGTH - 1) == -INFINITY);
            assert_int_equal(poisoned(&infinities, line + 3), 2);
            assert_true(isnan(expected_at(&infinities, line + 3, LENGTH - 1)));
        }
        free_data(&nans);
        free_data(&infinities);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_is_philox),
        cmocka_unit_test(normal_has_its_moments),
        cmocka_unit_test(uniform_fills_its_interval),
        cmocka_unit_test(log_uniform_has_every_exponent),
        cmocka_unit_test(ties_are_ties),
        cmocka_unit_test(ladders_go_over_the_top),
        cmocka_unit_test(overflow_is_where_it_should_be),
        cmocka_unit_test(subnormals_and_zeros),
        cmocka_unit_test(poison_is_where_it_is_said_to_be),
    };
    return draw_missing() ? 77 : cmocka_run_group_tests(tests, NULL, NULL);
}
