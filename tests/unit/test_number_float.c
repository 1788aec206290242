/* SPDX-License-Identifier: MIT */
/* Decimal text to binary16 and binary32: every half and its neighbours, long texts; and sums of
 * elements. tests/reject/numbers.txt has single numbers of each type. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "element.h"
#include "number.h"
#include "splitmix64.h"

static uint16_t half(const char *text) {
    uint16_t bits = 0xFFFF;
    number_store(CUMSUM_DATA_TYPE_FLOAT16, text, strlen(text), &bits);
    return bits;
}

static uint32_t single(const char *text) {
    float value;
    uint32_t bits;
    number_store(CUMSUM_DATA_TYPE_FLOAT32, text, strlen(text), &value);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The value of a finite half, from its definition. */
static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double mantissa = (bits & 1023) + (exponent ? 1024 : 0);
    double magnitude = ldexp(mantissa, (exponent ? exponent : 1) - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

/* Every half, written exactly, is read as itself. */
static void every_half(void) {
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        if ((bits & 0x7C00) == 0x7C00)
            continue;
        char text[64];
        snprintf(text, sizeof text, "%.25f", half_value((uint16_t)bits));
        assert_int_equal(half(text), bits);
        snprintf(text, sizeof text, "%.30e", half_value((uint16_t)bits));
        assert_int_equal(half(text), bits);
    }
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
        double upper = low == 0x7BFF ? 65536.0 : half_value((uint16_t)(low + 1));
        double middle = (half_value((uint16_t)low) + upper) / 2;
        snprintf(text, sizeof text, "%.26f", middle);
        assert_int_equal(half(text), low + (low & 1));
        strcat(text, "0000000000000000000000000000000001");
        assert_int_equal(half(text), low + 1);
        snprintf(text, sizeof text, "-%.26f", middle);
        write_below(text);
        assert_int_equal(half(text), low | 0x8000);
    }
}

/* Nine digits tell any two FLOAT32 apart. */
static void random_singles(void) {
    uint64_t random = 1;
    for (uint32_t i = 0; i < random_trials(200000); i++) {
        uint32_t bits = (uint32_t)random_next(&random);
        float value;
        char text[64];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        snprintf(text, sizeof text, "%.9g", (double)value);
        assert_int_equal(single(text), bits);
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
    number_store(CUMSUM_DATA_TYPE_FLOAT16, text, 5000, &bits);
    assert_int_equal(bits, 0x3C00);
    number_store(CUMSUM_DATA_TYPE_FLOAT16, "12", 1, &bits);
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
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x6800, 0x3C00) == 0x6800); /* 2048 + 1 */
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x6801, 0x3C00) == 0x6802); /* 2050 + 1: to even */
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x7BFF, 0x4C00) == 0x7C00); /* 65504 + 16 = 65520 */
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT16, 0x7BFF, 0x4BFF) == 0x7BFF);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT32, 0x4B800000, 0x3F800000) == 0x4B800000);
    assert_true(sum(CUMSUM_DATA_TYPE_FLOAT64, UINT64_C(0x3FF0000000000000),
                    UINT64_C(0x3FF0000000000000)) == UINT64_C(0x4000000000000000));
}

CHECK_GROUP(test_number_float, T(every_half), T(every_middle), T(random_singles), T(long_text),
            T(addition));
