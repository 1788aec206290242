/* SPDX-License-Identifier: MIT */
/* An element as text: it must read back as the same bits, and be the shortest that does. Text that
 * is near the middle of two elements, or long; and sums of elements. tests/reject/numbers.txt has
 * single numbers of each type. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "number.h"
#include "splitmix64.h"
#include "words.h"

#define FLOAT16 CUMSUM_DATA_TYPE_FLOAT16

/* Between two neighbours of 16 bits: the middle goes to the even one, what is a hair off it to the
 * nearer one. A hair is far below the digits of binary32. */
static void nearest_of_16_bits(void) {
    static const cumsum_data_type types[] = {FLOAT16, CUMSUM_DATA_TYPE_BFLOAT16};
    for (int t = 0; t < 2; t++) {
        const uint64_t infinity = t ? 0x7F80 : 0x7C00;
        for (uint64_t a = 0; a < infinity; a++) {
            const double low = element_value(types[t], a);
            const double step = low - (a ? element_value(types[t], a - 1) : 0);
            const double high = a + 1 < infinity ? element_value(types[t], a + 1) : low + step;
            const double middle = low + (high - low) / 2;
            const uint64_t sign = element_sign(types[t]);
            assert_true(element_nearest(types[t], low) == a);
            assert_true(element_nearest(types[t], middle) == a + a % 2);
            assert_true(element_nearest(types[t], middle * (1 - 0x1p-50)) == a);
            assert_true(element_nearest(types[t], -middle * (1 + 0x1p-50)) == (a + 1) + sign);
        }
        assert_true(element_nearest(types[t], 1e300) == infinity);
        assert_true(element_is_nan(types[t], element_nearest(types[t], (double)NAN)));
    }
    assert_true(element_nearest(CUMSUM_DATA_TYPE_FLOAT32, 0.1) == 0x3DCCCCCD);
    assert_true(element_nearest(CUMSUM_DATA_TYPE_FLOAT64, 0.1) == UINT64_C(0x3FB999999999999A));
}

static int significant_digits(const char *text) {
    int digits = 0;
    bool leading = true;
    for (const char *c = text; *c && *c != 'e'; c++) {
        leading = leading && !(*c >= '1' && *c <= '9');
        digits += !leading && *c >= '0' && *c <= '9';
    }
    return digits;
}

static bool reads_as(cumsum_data_type type, const char *text, uint64_t bits) {
    unsigned char back[8];
    number_store(type, text, strlen(text), back);
    return element_load(back, type) == bits;
}

/* The text reads back. With one digit less, neither the decimal below nor the one above does; both
 * are cut from many digits of the value. Whole numbers are written with every digit. */
static void expect_shortest(cumsum_data_type type, uint64_t bits) {
    char text[CUMSUM_ELEMENT_TEXT];
    char longer[200];
    cumsum_element_decimal(text, type, bits);
    assert_true(reads_as(type, text, bits));
    const int digits = significant_digits(text);
    if (!strpbrk(text, ".e") || digits == 1)
        return;
    const char *sign = bits & element_sign(type) ? "-" : "";
    snprintf(longer, sizeof longer, "%.120e", fabs(element_value(type, bits)));
    const long exponent = strtol(strchr(longer, 'e') + 1, NULL, 10);
    char shorter[CUMSUM_ELEMENT_TEXT] = {longer[0]};
    memcpy(shorter + 1, longer + 2, (size_t)digits - 2);
    const uint64_t below = strtoull(shorter, NULL, 10);
    for (uint64_t tried = below; tried <= below + 1; tried++) {
        snprintf(shorter, sizeof shorter, "%s%" PRIu64 "e%ld", sign, tried,
                 exponent - (digits - 2));
        assert_false(reads_as(type, shorter, bits));
    }
}

static void every_half(void) {
    for (unsigned bits = 0; bits < 0x10000; bits++)
        if ((bits & 0x7C00) != 0x7C00)
            expect_shortest(FLOAT16, bits);
}

static void many_floats(void) {
    uint64_t random = 1;
    for (uint32_t i = 0; i < random_trials(200000); i++) {
        const uint32_t bits = (uint32_t)random_next(&random);
        if ((bits & 0x7F800000) != 0x7F800000)
            expect_shortest(CUMSUM_DATA_TYPE_FLOAT32, bits);
    }
}

static void about_powers_of_two(void) {
    for (uint32_t exponent = 1; exponent < 255; exponent++)
        for (uint32_t i = 0; i < 3; i++)
            expect_shortest(CUMSUM_DATA_TYPE_FLOAT32, (exponent << 23) - 1 + i);
    for (uint64_t exponent = 1; exponent < 2047; exponent++)
        expect_shortest(CUMSUM_DATA_TYPE_FLOAT64, exponent << 52);
}

/* 0.5 -> 0.4999...: below the number by less than any double can tell. */
static void write_below(char *text) {
    size_t i = strlen(text);
    while (text[i - 1] == '0' || text[i - 1] == '.') {
        i--;
        text[i] = text[i] == '0' ? '9' : '.';
    }
    text[i - 1]--;
    strcat(text, "99999999999999999999999999999999");
}

/* The middle between two halves goes to the even one; the least bit more or less decides. */
static void every_middle(void) {
    for (uint32_t low = 0; low < 0x7C00; low++) {
        char text[128];
        const double upper = low == 0x7BFF ? 65536.0 : element_value(FLOAT16, low + 1);
        const double middle = (element_value(FLOAT16, low) + upper) / 2;
        snprintf(text, sizeof text, "%.26f", middle);
        assert_true(reads_as(FLOAT16, text, low + (low & 1)));
        strcat(text, "0000000000000000000000000000000001");
        assert_true(reads_as(FLOAT16, text, low + 1));
        snprintf(text, sizeof text, "-%.26f", middle);
        write_below(text);
        assert_true(reads_as(FLOAT16, text, low | 0x8000));
    }
}

/* Longer than the buffer on the stack; and digits that no terminator follows. */
static void long_text(void) {
    char text[5001];
    uint16_t bits;
    memset(text, '0', sizeof text);
    memcpy(text, "1.", 2);
    text[4999] = '1';
    text[5000] = '9';
    number_store(FLOAT16, text, 5000, &bits);
    assert_int_equal(bits, 0x3C00);
    number_store(FLOAT16, "12", 1, &bits);
    assert_int_equal(bits, 0x3C00);
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
    assert_true(sum(FLOAT16, 0x6800, 0x3C00) == 0x6800); /* 2048 + 1 */
    assert_true(sum(FLOAT16, 0x6801, 0x3C00) == 0x6802); /* 2050 + 1: to even */
    assert_true(sum(FLOAT16, 0x7BFF, 0x4C00) == 0x7C00); /* 65504 + 16 = 65520 */
    assert_true(sum(FLOAT16, 0x7BFF, 0x4BFF) == 0x7BFF);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT32, 0x4B800000, 0x3F800000) == 0x4B800000);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT64, UINT64_C(0x3FF0000000000000),
                    UINT64_C(0x3FF0000000000000)) == UINT64_C(0x4000000000000000));
}

CHECK_GROUP(test_element_text, T(nearest_of_16_bits), T(every_half), T(many_floats),
            T(about_powers_of_two), T(every_middle), T(long_text), T(addition));
