/* SPDX-License-Identifier: MIT */
/*
 * anyorder.h on lines of 2^33 terms, and products with counts that are larger: the state behind
 * 2^16 equal terms is made that behind 2^33 of them, by doubling what it counts and adds.
 */
#include "anyorder.h"

#include <stdio.h>

static int failures;

/* 2^33 terms with these bits. */
static ao_line long_line(const ao_profile *profile, uint64_t bits) {
    ao_line line;
    if (ao_begin(&line, profile)) {
        failures++;
        return line;
    }
    for (uint32_t i = 0; i < 1 << 16; i++)
        ao_add(&line, bits);
    line.terms <<= 17;
    line.nonzero <<= 17;
    line.integer <<= 17;
    for (int i = 0; i < 2; i++) {
        ao_shift_up(&line.side[i], 17);
        ao_shift_up(&line.reach[i], 17);
    }
    ao_shift_up(&line.sum.size, 17);
    return line;
}

static void check(const char *what, ao_line *line, uint64_t bits, ao_verdict expected) {
    const ao_verdict found = ao_judge_sum(line, bits);
    if (found == expected)
        return;
    failures++;
    printf("%s: expected %d, found %d: %s\n", what, expected, found, ao_reason(line));
}

/* x (2^64 - 1) is 2^64 x - x, and needs all bits of a factor. */
static void check_product(void) {
    ao_big product, expected, x;
    ao_clear(&x);
    ao_add_bits(&x, UINT64_MAX, 40);
    ao_copy(&product, &x);
    ao_multiply(&product, UINT64_MAX);
    ao_copy(&expected, &x);
    ao_shift_up(&expected, 64);
    ao_difference_of(&expected, &expected, &x);
    if (ao_compare(&product, &expected) == 0)
        return;
    failures++;
    printf("a product with a factor of 64 bits is wrong\n");
}

int main(void) {
    check_product();
    /* 2^33 ones are exact in binary64. */
    ao_profile profile = ao_ieee(AO_FLOAT64);
    ao_line line = long_line(&profile, UINT64_C(0x3FF0000000000000));
    check("binary64, 2^33", &line, UINT64_C(0x4200000000000000), AO_PASS);
    check("binary64, the next number", &line, UINT64_C(0x4200000000000001), AO_FAIL);
    check("binary64, 2^32", &line, UINT64_C(0x41F0000000000000), AO_FAIL);
    /* In binary32 some order stops at 2^24, and so does one addition after the other; but no tree
     * that is known does. The bound is 2^33 (1 + 2^9) and less. */
    profile = ao_ieee(AO_FLOAT32);
    line = long_line(&profile, 0x3F800000);
    check("binary32, 2^33", &line, 0x50000000, AO_PASS);
    line.run[0].low = line.run[0].high = 0; /* the sequential sum, which was not followed */
    check("binary32, 2^24", &line, 0x4B800000, AO_SUSPECT);
    check("binary32, 2^24 - 1", &line, 0x4B7FFFFF, AO_FAIL);
    check("binary32, 2^41", &line, 0x54000000, AO_SUSPECT);
    check("binary32, 2^43", &line, 0x55000000, AO_FAIL);
    /* Binary16 overflows: terms of one sign give no NaN. */
    profile = ao_ieee(AO_FLOAT16);
    line = long_line(&profile, 0x3C00);
    check("binary16, infinity", &line, 0x7C00, AO_PASS);
    check("binary16, NaN", &line, 0x7E00, AO_FAIL);
    /* Truncated sums stop at the greatest number. */
    profile.rounding = AO_TOWARD_ZERO;
    line = long_line(&profile, 0x3C00);
    check("binary16 toward zero, infinity", &line, 0x7C00, AO_FAIL);
    profile.rounding = AO_EITHER;
    line = long_line(&profile, 0x3C00);
    check("binary16, either neighbour, infinity", &line, 0x7C00, AO_PASS);
    profile = ao_ieee(AO_UINT64);
    line = long_line(&profile, 3);
    check("integers", &line, UINT64_C(3) << 33, AO_PASS);
    check("integers of 32 bits", &line, 0, AO_FAIL);
    printf("%d failures\n", failures);
    return failures ? 1 : 0;
}
