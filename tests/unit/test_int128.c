/* SPDX-License-Identifier: MIT */
/* 128-bit integers, compared with the compiler's own if it has them, and bit scans, compared with
 * plain C. */
#include "check.h"
#include "int128.h"
#include "splitmix64.h"

#include <stddef.h>

/* Words with runs of ones or zeros at either end, which make long carries and shifts. */
static uint64_t next_word(uint64_t *seed) {
    const uint64_t word = random_next(seed), how = random_next(seed) >> 32;
    const unsigned bits = (unsigned)(how >> 8 & 63);
    switch (how & 3) {
    case 0:
        return word >> bits;
    case 1:
        return word << bits;
    case 2:
        return UINT64_MAX >> bits;
    default:
        return UINT64_MAX << bits;
    }
}

static void test_bit_scans(void) {
    uint64_t seed = 3;
    for (unsigned bit = 0; bit < 64; bit++) {
        const uint64_t one = UINT64_C(1) << bit;
        for (int i = 0; i < 100; i++) {
            const uint64_t below = next_word(&seed) & (one - 1),
                           above = next_word(&seed) & ~(one - 1);
            assert_int_equal(cumsum_highest_bit(one | below), bit);
            assert_int_equal(cumsum_highest_bit_plain(one | below), bit);
            assert_int_equal(cumsum_lowest_bit(one | above), bit);
            assert_int_equal(cumsum_lowest_bit_plain(one | above), bit);
        }
    }
}

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 whole_number;
__extension__ typedef __int128 signed_number;

static whole_number joined(cumsum_int128 a) {
    return (whole_number)a.high << 64 | a.low;
}

static void expect_leading_of(whole_number a, cumsum_leading_bits leading) {
    unsigned length = 128;
    while (!(a >> (length - 1)))
        length--;
    assert_int_equal(leading.length, length);
    const whole_number first = length <= 64 ? a << (64 - length) : a >> (length - 64);
    const bool more = length > 64 && a << (192 - length) != 0;
    assert_true(leading.bits == ((uint64_t)first | more));
}

static void test_against_the_compiler(void) {
    uint64_t seed = 128;
    for (int i = 0; i < 200000; i++) {
        const cumsum_int128 a = {next_word(&seed), next_word(&seed)};
        const cumsum_int128 b = {next_word(&seed), next_word(&seed)};
        const whole_number whole = joined(a);
        const bool negative = (signed_number)whole < 0;
        const unsigned places = (unsigned)(random_next(&seed) >> 40) % 128;
        const whole_number word = (whole_number)(signed_number)(int64_t)b.low;
        assert_true(cumsum_int128_negative(a) == negative);
        assert_true(joined(cumsum_int128_add(a, b)) == whole + joined(b));
        assert_true(joined(cumsum_int128_shifted((int64_t)b.low, places)) == word << places);
        assert_true(joined(cumsum_int128_magnitude(a)) == (negative ? -whole : whole));
        if (whole)
            expect_leading_of(whole, cumsum_int128_leading(a));
    }
}

#else

static void test_against_the_compiler(void) {
    check_skip("the compiler has no integers of 128 bits");
}

#endif

CHECK_GROUP(test_int128, T(test_bit_scans), T(test_against_the_compiler));
