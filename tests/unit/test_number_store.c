/* SPDX-License-Identifier: MIT */
/* Numbers and words of case files stored as elements of each type, added to, and rejected. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "number.h"

/* The bytes of a number of this type, as an integer. */
static bool store(cumsum_data_type type, const char *text, uint64_t *bits) {
    unsigned char bytes[8] = {0};
    const bool status = number_store(type, text, strlen(text), bytes);
    *bits = element_load(bytes, type);
    return status;
}

static const struct {
    cumsum_data_type type;
    const char *least;
    const char *too_small;
    const char *most;
    const char *too_large;
    uint64_t least_bits;
    uint64_t most_bits;
} ranges[] = {
    {CUMSUM_DATA_TYPE_UINT8, "0", "-1", "255", "256", 0, 0xFF},
    {CUMSUM_DATA_TYPE_INT8, "-128", "-129", "127", "128", 0x80, 0x7F},
    {CUMSUM_DATA_TYPE_UINT16, "0", "-1", "65535", "65536", 0, 0xFFFF},
    {CUMSUM_DATA_TYPE_INT16, "-32768", "-32769", "32767", "32768", 0x8000, 0x7FFF},
    {CUMSUM_DATA_TYPE_UINT32, "0", "-1", "4294967295", "4294967296", 0, 0xFFFFFFFF},
    {CUMSUM_DATA_TYPE_INT32, "-2147483648", "-2147483649", "2147483647", "2147483648", 0x80000000,
     0x7FFFFFFF},
    {CUMSUM_DATA_TYPE_UINT64, "0", "-1", "18446744073709551615", "18446744073709551616", 0,
     UINT64_MAX},
    {CUMSUM_DATA_TYPE_INT64, "-9223372036854775808", "-9223372036854775809", "9223372036854775807",
     "9223372036854775808", UINT64_C(0x8000000000000000), INT64_MAX},
};

static void integer_ranges(void) {
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        uint64_t bits;
        assert_true(store(ranges[i].type, ranges[i].least, &bits));
        assert_true(bits == ranges[i].least_bits);
        assert_true(store(ranges[i].type, ranges[i].most, &bits));
        assert_true(bits == ranges[i].most_bits);
        assert_false(store(ranges[i].type, ranges[i].too_small, &bits));
        assert_false(store(ranges[i].type, ranges[i].too_large, &bits));
        assert_false(store(ranges[i].type, "1.0", &bits));
        assert_false(store(ranges[i].type, "1e0", &bits));
        assert_true(store(ranges[i].type, "-0", &bits));
        assert_true(bits == 0);
        assert_false(store(ranges[i].type, "99999999999999999999999999999", &bits));
    }
}

/* The ranges are what errors say of types. */
static void ranges_of_types(void) {
    int64_t minimum = 0;
    uint64_t maximum = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        char text[64];
        assert_true(element_integer_range(ranges[i].type, &minimum, &maximum));
        snprintf(text, sizeof text, "%" PRId64, minimum);
        assert_string_equal(text, ranges[i].least);
        snprintf(text, sizeof text, "%" PRIu64, maximum);
        assert_string_equal(text, ranges[i].most);
    }
    assert_false(element_integer_range(CUMSUM_DATA_TYPE_FLOAT32, &minimum, &maximum));
    assert_false(element_integer_range(CUMSUM_DATA_TYPE_INT4, &minimum, &maximum));
}

static void other_types(void) {
    uint64_t bits;
    assert_false(store(CUMSUM_DATA_TYPE_UNKNOWN, "1", &bits));
    assert_false(store(CUMSUM_DATA_TYPE_UINT4, "1", &bits));
    assert_false(store((cumsum_data_type)99, "1", &bits));
    assert_true(store(CUMSUM_DATA_TYPE_FLOAT64, "0.1", &bits));
    assert_true(bits == UINT64_C(0x3FB999999999999A));
    assert_true(store(CUMSUM_DATA_TYPE_FLOAT32, "-0", &bits));
    assert_true(bits == 0x80000000);
    assert_true(store(CUMSUM_DATA_TYPE_FLOAT16, "1e9", &bits));
    assert_true(bits == 0x7C00);
}

/* Rounded once, although the middle between two numbers is rounded to on the way. */
static void bfloat16(void) {
    static const struct {
        const char *text;
        uint64_t bits;
    } cases[] = {
        {"1.00390625", 0x3F80},
        {"1.00390625000000000000000000000000001", 0x3F81},
        {"1.01171875", 0x3F82},
        {"1.01171874999999999999999999999999999", 0x3F81},
        {"-3.3961775292304857e38", 0xFF80}, /* the largest number and half a step */
        {"3.3961e38", 0x7F7F},
        {"1e39", 0x7F80},
        {"4.5917748078995e-41", 0x0000}, /* 2^-134, and a little less than that */
        {"4.5917748078996e-41", 0x0001},
        {"-1e-60", 0x8000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t bits = 0;
        assert_true(store(CUMSUM_DATA_TYPE_BFLOAT16, cases[i].text, &bits));
        assert_int_equal(bits, cases[i].bits);
    }
    char middle[160];
    uint64_t bits = 0;
    snprintf(middle, sizeof middle, "%.120e", ldexp(1, -134)); /* all of its digits */
    assert_true(store(CUMSUM_DATA_TYPE_BFLOAT16, middle, &bits));
    assert_int_equal(bits, 0);
    middle[100] = '1';
    assert_true(store(CUMSUM_DATA_TYPE_BFLOAT16, middle, &bits));
    assert_int_equal(bits, 1);
}

static uint64_t word(cumsum_data_type type, const char *text) {
    unsigned char bytes[8] = {0};
    return number_store_word(type, text, bytes) ? element_load(bytes, type) : 0xBAD;
}

static void words(void) {
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT16, "nan") == 0x7E00);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT16, "inf") == 0x7C00);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT16, "-Inf") == 0xFC00);
    assert_true(word(CUMSUM_DATA_TYPE_BFLOAT16, "-inf") == 0xFF80);
    assert_true(word(CUMSUM_DATA_TYPE_BFLOAT16, "nan") == 0x7FC0);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "NaN") == 0x7FC00000);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "INF") == 0x7F800000);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "-inf") == 0xFF800000);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT64, "-inf") == UINT64_C(0xFFF0000000000000));
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT64, "nan") == UINT64_C(0x7FF8000000000000));
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "+inf") == 0xBAD);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "-nan") == 0xBAD);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "infinity") == 0xBAD);
    assert_true(word(CUMSUM_DATA_TYPE_FLOAT32, "1") == 0xBAD);
    assert_true(word(CUMSUM_DATA_TYPE_INT32, "nan") == 0xBAD);
}

static uint64_t sum(cumsum_data_type type, uint64_t a, uint64_t b) {
    unsigned char value[8], delta[8];
    element_store(value, type, a);
    element_store(delta, type, b);
    number_add(type, value, delta);
    return element_load(value, type);
}

static void addition(void) {
    assert_true(sum(CUMSUM_DATA_TYPE_INT8, 0x7F, 1) == 0x80);
    assert_true(sum(CUMSUM_DATA_TYPE_UINT8, 0xFF, 2) == 1);
    assert_true(sum(CUMSUM_DATA_TYPE_INT32, 0x7FFFFFFF, 1) == 0x80000000);
    assert_true(sum(CUMSUM_DATA_TYPE_UINT64, UINT64_MAX, 2) == 1);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x6800, 0x3C00) == 0x6800); /* 2048 + 1 */
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x6801, 0x3C00) == 0x6802); /* 2050 + 1: to even */
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x7BFF, 0x4C00) == 0x7C00); /* 65504 + 16 = 65520 */
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x7BFF, 0x4BFF) == 0x7BFF);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT32, 0x4B800000, 0x3F800000) == 0x4B800000);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT64, UINT64_C(0x3FF0000000000000),
                    UINT64_C(0x3FF0000000000000)) == UINT64_C(0x4000000000000000));
}

CHECK_GROUP(test_number_store, T(integer_ranges), T(other_types), T(bfloat16), T(ranges_of_types),
            T(words), T(addition));
