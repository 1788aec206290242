/* SPDX-License-Identifier: MIT */
/*
 * The exact order, compared with MPFR: sums in 400 bits, wide enough for any of these lines, are
 * rounded once by MPFR to the output format, subnormals included. With the fastest kernels that
 * this processor has, and with the reference.
 */
#include "check.h"
#include "scan_case.h"

#include <math.h>
#include <string.h>

#include <mpfr.h>

#define LENGTH 2000

static cumsum_kernel kernel = CUMSUM_KERNEL_AUTO;

/* Rounds value to a format of `precision` bits whose smallest step is 2^least, to nearest, ties to
 * even. Does not overflow: MPFR's exponents are larger than any format's. */
static double round_to_format(mpfr_t value, int precision, int least) {
    mpfr_t rounded;
    if (mpfr_zero_p(value))
        return 0.0;
    /* A number of n bits at or above the step: below the normal range there are fewer than
     * `precision` of them, and below half a step none. */
    const long available = (long)mpfr_get_exp(value) - least;
    if (available < 1) {
        mpfr_init2(rounded, 400);
        mpfr_mul_2si(rounded, value, -least, MPFR_RNDN);
        mpfr_rint(rounded, rounded, MPFR_RNDN);
        mpfr_mul_2si(rounded, rounded, least, MPFR_RNDN);
    } else {
        mpfr_init2(rounded, available < precision ? available : precision);
        mpfr_set(rounded, value, MPFR_RNDN);
    }
    const double result = mpfr_get_d(rounded, MPFR_RNDN);
    mpfr_clear(rounded);
    return result;
}

/* The output for an exact prefix sum. NaN and infinities do not occur. */
static float rounded_float(mpfr_t sum) {
    const double value = round_to_format(sum, 24, -149);
    return fabs(value) >= ldexp(1, 128) ? copysignf(INFINITY, (float)value) : (float)value;
}

static float rounded_half(mpfr_t sum) {
    const double value = round_to_format(sum, 11, -24);
    return fabs(value) >= 65536 ? copysignf(INFINITY, (float)value) : (float)value;
}

static bool same(float a, float b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* The number of outputs that are not the exact sum of x, rounded. */
static unsigned count_wrong(const float *x, const float *output, unsigned length, bool exclusive,
                            float (*rounded)(mpfr_t)) {
    unsigned wrong = 0;
    mpfr_t sum;
    mpfr_init2(sum, 400);
    mpfr_set_zero(sum, 1);
    float before = 0.0f;
    for (unsigned k = 0; k < length; k++) {
        mpfr_add_d(sum, sum, (double)x[k], MPFR_RNDN);
        const float now = rounded(sum);
        wrong += !same(output[k], exclusive ? before : now);
        before = now;
    }
    mpfr_clear(sum);
    return wrong;
}

/* Element k of an adversarial line of a kind: 0 all exponents; 1 pairs that cancel except for their
 * last bits; 2 near overflow; 3 subnormals; 4 powers of two, whose sums are ties. */
static float adversary(unsigned kind, unsigned k, uint64_t *seed) {
    static uint32_t previous;
    const uint64_t r = random_next(seed);
    const uint32_t all = (uint32_t)(r >> 20);
    uint32_t bits = all;
    switch (kind) {
    case 0:
        break;
    case 1:
        bits = k % 2 ? previous ^ 0x80000000 ^ (uint32_t)(r % 4) : all;
        break;
    case 2:
        bits = (all & 0x80FFFFFF) | 0x7E000000;
        break;
    case 3:
        bits = all & 0x80FFFFFF;
        break;
    default:
        bits = (all & 0x80000000) | (uint32_t)(100 + r % 30) << 23;
        break;
    }
    if ((bits & 0x7F800000) == 0x7F800000)
        bits ^= 0x40000000;
    previous = bits;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const cumsum_numerics exact = {.order = CUMSUM_ORDER_EXACT};

static void run_floats(const float *x, float *output, bool exclusive, uint32_t length) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, length);
    c.options.numerics = exact;
    c.desc.has_exclusive_sum = exclusive;
    c.options.kernel = kernel;
    scan_case_execute(&c, x, output);
}

static void test_floats(void) {
    static float x[LENGTH];
    static float output[LENGTH];
    for (unsigned kind = 0; kind < 5; kind++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            uint64_t random = seed * 1000 + kind;
            for (unsigned k = 0; k < LENGTH; k++)
                x[k] = adversary(kind, k, &random);
            run_floats(x, output, seed % 2, LENGTH);
            assert_int_equal(count_wrong(x, output, LENGTH, seed % 2, rounded_float), 0);
        }
}

static void test_overflow_threshold(void) {
    /* FLT_MAX + 2^103 is half way to 2^128: infinity. One step of 2^-149 less is FLT_MAX. */
    const float largest = ldexpf(1, 127) * (2 - ldexpf(1, -23));
    const float x[4] = {largest, ldexpf(1, 103), -ldexpf(1, -149), -largest};
    const float expected[4] = {largest, INFINITY, largest, ldexpf(1, 103)};
    float output[4];
    run_floats(x, output, false, 4);
    for (int k = 0; k < 4; k++)
        assert_true(same(output[k], expected[k]));
    assert_int_equal(count_wrong(x, output, 4, false, rounded_float), 0);
}

/* Carries and borrows from the lowest limb of a sum through all others to the highest. */
static void test_long_carries(void) {
    const float x[6] = {1, -ldexpf(1, -149), ldexpf(1, -149), -1, -ldexpf(1, 127), ldexpf(1, 127)};
    float output[6];
    run_floats(x, output, false, 6);
    assert_int_equal(count_wrong(x, output, 6, false, rounded_float), 0);
    assert_true(same(output[3], 0.0f));
    assert_true(same(output[5], 0.0f));
}

static void test_halves(void) {
    static uint16_t halves[LENGTH];
    static uint16_t stored[LENGTH];
    static float x[LENGTH];
    static float output[LENGTH];
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t random = seed;
        const uint16_t mask = seed % 3 == 0 ? 0x87FF : seed % 3 == 1 ? 0xFFFF : 0xE7FF;
        for (unsigned k = 0; k < LENGTH; k++) {
            halves[k] = (uint16_t)random_next(&random) & mask;
            if ((halves[k] & 0x7C00) == 0x7C00)
                halves[k] ^= 0x4000;
            x[k] = cumsum_half_to_float(halves[k]);
        }
        scan_case c;
        scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT16, LENGTH);
        c.options.numerics = exact;
        c.options.numerics.half_store = (cumsum_half_store)(seed % 3); /* has no effect */
        c.options.numerics.half_accumulator =
            (cumsum_half_accumulator)(seed % 2); /* nor has this */
        c.options.kernel = kernel;
        scan_case_execute(&c, halves, stored);
        for (unsigned k = 0; k < LENGTH; k++)
            output[k] = cumsum_half_to_float(stored[k]);
        assert_int_equal(count_wrong(x, output, LENGTH, false, rounded_half), 0);
    }
}

/* The comparison finds one wrong bit, and sums that are rounded at every step. */
static void test_the_check_sees_faults(void) {
    static float x[LENGTH];
    static float output[LENGTH];
    uint64_t random = 9;
    for (unsigned k = 0; k < LENGTH; k++)
        x[k] = (float)(random_next(&random) % 1000000) / 7;
    run_floats(x, output, false, LENGTH);
    assert_int_equal(count_wrong(x, output, LENGTH, false, rounded_float), 0);
    ((unsigned char *)output)[0] ^= 1;
    assert_int_equal(count_wrong(x, output, LENGTH, false, rounded_float), 1);
    float running = 0.0f;
    for (unsigned k = 0; k < LENGTH; k++)
        output[k] = running += x[k];
    assert_true(count_wrong(x, output, LENGTH, false, rounded_float) > LENGTH / 2);
}

/* All of it once more. */
static void test_with_the_reference(void) {
    kernel = CUMSUM_KERNEL_REFERENCE;
    test_floats();
    test_overflow_threshold();
    test_long_carries();
    test_halves();
    test_the_check_sees_faults();
}

CHECK_GROUP(test_reference_exact, T(test_floats), T(test_overflow_threshold), T(test_long_carries),
            T(test_halves), T(test_the_check_sees_faults), T(test_with_the_reference));
