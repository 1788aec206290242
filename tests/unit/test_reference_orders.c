/* SPDX-License-Identifier: MIT */
/*
 * The sequential and the blocked order, compared with their definitions (textbook_scans.h), on
 * every length up to 3000 and on long lines. With the fastest kernels that this processor has, and
 * with the reference.
 */
#include "check.h"
#include "real_arithmetic.h"
#include "scan_case.h"
#include "textbook_scans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cumsum_kernel kernel = CUMSUM_KERNEL_AUTO;

/* scan_sequential_with or scan_blocked_with. */
typedef void scan_order(float_addition *add, float *v, uint32_t n);

/* running sums[k] = S(k) for k = 0..n, as docs/numerics.md defines it: n + 1 of them. */
static void compute_tallies(scan_order *order, float_addition *add, const float *x, size_t n,
                            float *sums) {
    sums[0] = 0;
    memcpy(sums + 1, x, n * sizeof *x);
    order(add, sums + 1, (uint32_t)n);
}

static float flushed(float value) {
    return real_is_subnormal(&real_binary32, (double)value) ? copysignf(0, value) : value;
}

static float add_flushed(float a, float b) {
    return flushed(flushed(a) + flushed(b));
}

/* Two binary16 numbers add exactly in binary64, so there is one rounding only. */
static float add_binary16(float a, float b) {
    return (float)real_round(&real_binary16, (double)a + (double)b, REAL_NEAREST);
}

/* Floats of both signs, exponents spread over `spread` powers of two below 2^top. */
static float random_float(uint64_t *seed, int top, uint32_t spread) {
    const uint64_t r = random_next(seed);
    const uint32_t exponent = (uint32_t)(127 + top) - (uint32_t)(r >> 32) % spread;
    const uint32_t bits = (uint32_t)(r & 0x807FFFFF) | exponent << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void *new_bytes(size_t size) {
    void *bytes = malloc(size);
    assert_non_null(bytes);
    return bytes;
}

/* The first element whose output is not the running sum that it should be, or n. */
static size_t first_difference(const float *output, const float *sums, size_t n, bool exclusive) {
    const float *expected = exclusive ? sums : sums + 1;
    for (size_t k = 0; k < n; k++)
        if (memcmp(&output[k], &expected[k], sizeof *output) != 0)
            return k;
    return n;
}

static void run_floats(cumsum_numerics numerics, bool exclusive, const float *x, size_t n,
                       float *output) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, (uint32_t)n);
    c.options.numerics = numerics;
    c.desc.has_exclusive_sum = exclusive;
    c.options.kernel = kernel;
    scan_case_execute(&c, x, output);
}

static void expect_order(cumsum_numerics numerics, scan_order *order, float_addition *add,
                         const float *x, size_t n) {
    float *sums = new_bytes((n + 1) * sizeof *sums);
    float *output = new_bytes(n * sizeof *output);
    compute_tallies(order, add, x, n, sums);
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        run_floats(numerics, exclusive, x, n, output);
        const size_t k = first_difference(output, sums, n, exclusive);
        if (k != n)
            fail_msg("%s, %zu elements: element %zu", exclusive ? "exclusive" : "inclusive", n, k);
    }
    free(sums);
    free(output);
}

static const cumsum_numerics sequential = {.order = CUMSUM_ORDER_SEQUENTIAL};
static const cumsum_numerics blocked = {.order = CUMSUM_ORDER_BLOCKED};
static const cumsum_numerics sequential_flush = {.order = CUMSUM_ORDER_SEQUENTIAL,
                                                 .denormals = CUMSUM_DENORMALS_FLUSH};
static const cumsum_numerics blocked_flush = {.order = CUMSUM_ORDER_BLOCKED,
                                              .denormals = CUMSUM_DENORMALS_FLUSH};

static float *random_line(uint64_t seed, size_t n, int top, uint32_t spread) {
    float *x = new_bytes(n * sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = random_float(&seed, top, spread);
    return x;
}

static void test_every_short_length(void) {
    float *x = random_line(3, 3000, 10, 20);
    for (size_t n = 1; n <= 3000; n++) {
        expect_order(blocked, scan_blocked_with, add_binary32, x, n);
        if (n % 16 < 2)
            expect_order(sequential, scan_sequential_with, add_binary32, x, n);
    }
    free(x);
}

/* Three levels: 1024 tiles and a little more. */
static void test_a_long_line(void) {
    const size_t n = 1024 * 1024 + 5;
    float *x = random_line(4, n, 10, 20);
    expect_order(blocked, scan_blocked_with, add_binary32, x, n);
    expect_order(sequential, scan_sequential_with, add_binary32, x, n);
    expect_order(blocked, scan_blocked_with, add_binary32, x, n - 5 - 16 * 1024);
    free(x);
}

/* Inputs and sums around the smallest normal number, so that some of both are flushed. */
static void test_flushing(void) {
    const size_t n = 20000;
    float *x = random_line(5, n, -124, 4);
    expect_order(sequential, scan_sequential_with, add_binary32, x, n);
    expect_order(sequential_flush, scan_sequential_with, add_flushed, x, n);
    expect_order(blocked, scan_blocked_with, add_binary32, x, n);
    expect_order(blocked_flush, scan_blocked_with, add_flushed, x, n);
    free(x);
}

/* A binary16 line, and the same numbers as floats. */
static void random_halves(uint64_t seed, size_t n, uint16_t *halves, float *x) {
    for (size_t i = 0; i < n; i++) {
        halves[i] = (uint16_t)random_next(&seed);
        if ((halves[i] & 0x7C00) >= 0x7800) /* large, infinite or NaN: one in eight */
            halves[i] &= 0xBFFF;
        x[i] = (float)real_value(&real_binary16, halves[i]);
    }
}

static void expect_half_order(cumsum_numerics numerics, scan_order *order, size_t n) {
    const bool narrow = numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    uint16_t *halves = new_bytes(n * sizeof *halves);
    uint16_t *output = new_bytes(n * sizeof *output);
    float *x = new_bytes(n * sizeof *x);
    float *sums = new_bytes((n + 1) * sizeof *sums);
    random_halves(n, n, halves, x);
    compute_tallies(order, narrow ? add_binary16 : add_binary32, x, n, sums);
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT16, (uint32_t)n);
    c.options.numerics = numerics;
    c.options.kernel = kernel;
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        c.desc.has_exclusive_sum = exclusive;
        scan_case_execute(&c, halves, output);
        for (size_t k = 0; k < n; k++) {
            const double running = (double)sums[k + !exclusive];
            const double stored =
                narrow ? running : real_store(&real_binary16, running, numerics.half_store);
            assert_int_equal(output[k], real_bits(&real_binary16, stored));
        }
    }
    free(halves);
    free(output);
    free(x);
    free(sums);
}

static void test_halves(void) {
    static const size_t lengths[] = {1, 15, 17, 1023, 1024, 1041, 20000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_BLOCKED; order++)
            for (int accumulator = 0; accumulator < 2; accumulator++)
                for (int store = 0; store < 3; store++) {
                    const cumsum_numerics numerics = {
                        .order = (cumsum_order)order,
                        .half_accumulator = (cumsum_half_accumulator)accumulator,
                        .half_store = (cumsum_half_store)store,
                        .denormals = CUMSUM_DENORMALS_FLUSH}; /* has no effect on FLOAT16 */
                    expect_half_order(numerics,
                                      order == CUMSUM_ORDER_BLOCKED ? scan_blocked_with
                                                                    : scan_sequential_with,
                                      lengths[i]);
                }
}

/* The comparison tells the two orders apart on this data, and finds one changed bit. */
static void test_the_comparison_sees_differences(void) {
    const size_t n = 3000;
    float *x = random_line(6, n, 10, 20);
    float *output = new_bytes(n * sizeof *output);
    float *sums = new_bytes((n + 1) * sizeof *sums);
    run_floats(blocked, false, x, n, output);
    compute_tallies(scan_sequential_with, add_binary32, x, n, sums);
    assert_true(first_difference(output, sums, n, false) < n);
    compute_tallies(scan_blocked_with, add_binary32, x, n, sums);
    assert_int_equal(first_difference(output, sums, n, false), n);
    assert_int_equal(first_difference(output, sums, n, true), 0);
    ((unsigned char *)output)[4 * 2999] ^= 1;
    assert_int_equal(first_difference(output, sums, n, false), 2999);
    free(x);
    free(output);
    free(sums);
}

/* All of it once more. */
static void test_with_the_reference(void) {
    kernel = CUMSUM_KERNEL_REFERENCE;
    test_every_short_length();
    test_a_long_line();
    test_flushing();
    test_halves();
    test_the_comparison_sees_differences();
}

CHECK_GROUP(test_reference_orders, T(test_every_short_length), T(test_a_long_line),
            T(test_flushing), T(test_halves), T(test_the_comparison_sees_differences),
            T(test_with_the_reference));
