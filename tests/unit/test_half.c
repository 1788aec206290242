/* SPDX-License-Identifier: MIT */
/*
 * Conversion between binary16 and binary32 against real arithmetic (real_arithmetic.h): every half,
 * and floats around every place where the result changes.
 */
#include "check.h"
#include "oracle_data.h"

static void test_widening_of_every_half(void) {
    for (uint32_t half = 0; half <= 0xFFFF; half++) {
        const float widened = cumsum_half_to_float((uint16_t)half);
        const bool nan = (half & 0x7FFF) > 0x7C00;
        const uint32_t expected = nan ? (half & 0x8000) << 16 | 0x7FC00000 | (half & 0x3FF) << 13
                                      : bits_of((float)real_value(&real_binary16, half));
        assert_int_equal(bits_of(widened), expected);
    }
}

static void test_round_trip_of_every_half(void) {
    for (uint32_t half = 0; half <= 0xFFFF; half++)
        for (int store = CUMSUM_HALF_STORE_NEAREST_EVEN; store <= CUMSUM_HALF_STORE_IEEE; store++) {
            const bool nan = (half & 0x7FFF) > 0x7C00;
            const uint32_t expected = nan ? (half & 0x8000) | 0x7E00 : half;
            assert_int_equal(cumsum_half_from_float(cumsum_half_to_float((uint16_t)half),
                                                    (cumsum_half_store)store),
                             expected);
        }
}

typedef uint16_t narrow_function(float value, cumsum_half_store store);

/* The number of stores that a function gets wrong for this float, with either sign. */
static unsigned wrong_stores(narrow_function *narrow, uint32_t bits) {
    unsigned wrong = 0;
    for (int s = CUMSUM_HALF_STORE_NEAREST_EVEN; s <= CUMSUM_HALF_STORE_IEEE; s++)
        for (uint32_t sign = 0; sign < 2; sign++) {
            const cumsum_half_store store = (cumsum_half_store)s;
            const float value = float_of(bits | sign << 31);
            const double rounded = real_store(&real_binary16, (double)value, store);
            wrong += narrow(value, store) != real_bits(&real_binary16, rounded);
        }
    return wrong;
}

/* Around each half and each midpoint of two, three floats to either side; around infinity, which is
 * between the largest floats and NaNs, and around a NaN. */
static void test_narrowing_around_every_boundary(void) {
    for (uint32_t half = 0; half <= 0x7C00; half++) {
        const double here = real_value(&real_binary16, half);
        const double next = half == 0x7BFF ? 65536.0 : real_value(&real_binary16, half + 1);
        const uint32_t places[2] = {bits_of((float)here), bits_of((float)((here + next) / 2))};
        for (int p = 0; p < 2; p++)
            for (int d = -3; d <= 3; d++)
                if ((int64_t)places[p] + d >= 0)
                    assert_int_equal(
                        wrong_stores(cumsum_half_from_float, (uint32_t)((int64_t)places[p] + d)),
                        0);
    }
}

static void test_narrowing_of_random_floats(void) {
    uint64_t seed = 1;
    for (uint32_t i = 0; i < random_trials(500000); i++)
        assert_int_equal(
            wrong_stores(cumsum_half_from_float, (uint32_t)random_next(&seed) & 0x7FFFFFFF), 0);
}

static void test_unknown_store_is_nearest_even(void) {
    assert_int_equal(cumsum_half_from_float(65505.0f, (cumsum_half_store)99), 0x7C00);
    assert_int_equal(cumsum_half_from_float(1.0009f, (cumsum_half_store)99), 0x3C01);
}

CHECK_GROUP(test_half, T(test_widening_of_every_half), T(test_round_trip_of_every_half),
            T(test_narrowing_around_every_boundary), T(test_narrowing_of_random_floats),
            T(test_unknown_store_is_nearest_even));
