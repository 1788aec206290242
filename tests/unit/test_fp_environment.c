/* SPDX-License-Identifier: MIT */
/* The caller's floating-point mode does not change the bits, and the library does not change the
 * mode: all rounding directions, and on x86 the flush modes and unmasked exceptions. */
#include "check.h"
#include "scan_case.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#define LENGTH 3000

static float input[LENGTH];

/* Normal numbers whose sums are inexact, with subnormals in between. */
static void make_input(void) {
    uint64_t seed = 41;
    for (int i = 0; i < LENGTH; i++) {
        const uint64_t r = random_next(&seed);
        input[i] = ldexpf((float)(int64_t)(r >> 40) - 8388608.0f, i % 3 ? -149 : -160);
    }
}

static void run_denormals(cumsum_order order, cumsum_denormals denormals, float *output) {
    scan_case c;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT32, LENGTH);
    c.options.numerics.order = order;
    c.options.numerics.denormals = denormals;
    scan_case_execute(&c, input, output);
}

static void run(cumsum_order order, float *output) {
    run_denormals(order, CUMSUM_DENORMALS_PRESERVE, output);
}

static void run_halves(uint16_t *output) {
    static uint16_t halves[LENGTH];
    scan_case c;
    for (int i = 0; i < LENGTH; i++)
        halves[i] = (uint16_t)(i * 7919) & 0xBBFF;
    scan_case_init_line(&c, CUMSUM_DATA_TYPE_FLOAT16, LENGTH);
    scan_case_execute(&c, halves, output);
}

static void test_rounding_direction(void) {
    static const int directions[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static float expected[LENGTH];
    static float output[LENGTH];
    static uint16_t expected_halves[LENGTH];
    static uint16_t halves[LENGTH];
    make_input();
    run_halves(expected_halves);
    for (int order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_EXACT; order++) {
        run((cumsum_order)order, expected);
        for (int d = 0; d < 3; d++) {
            fesetround(directions[d]);
            run((cumsum_order)order, output);
            run_halves(halves);
            const int found = fegetround();
            fesetround(FE_TONEAREST);
            assert_int_equal(found, directions[d]);
            assert_memory_equal(output, expected, sizeof expected);
            assert_memory_equal(halves, expected_halves, sizeof halves);
        }
    }
}

#if defined(__SSE2__)

/* The input is sensitive to the modes: a plain loop in such a mode gives other bits. */
static void test_the_modes_matter(void) {
    static float expected[LENGTH];
    static float careless[LENGTH];
    make_input();
    run(CUMSUM_ORDER_SEQUENTIAL, expected);
    static const unsigned modes[] = {0x9FC0, 0x5F80};
    for (size_t m = 0; m < 2; m++) {
        _mm_setcsr(modes[m]);
        volatile float running = 0.0f;
        for (int i = 0; i < LENGTH; i++) {
            running = running + input[i];
            careless[i] = running;
        }
        _mm_setcsr(0x1F80);
        assert_memory_not_equal(careless, expected, sizeof expected);
    }
}

/* The mode is found as it was, flags that were raised stay, and the bits are the same: also where
 * the library flushes, which it does in a mode of its own. */
static void check_mxcsr(cumsum_order order, cumsum_denormals denormals) {
    /* FTZ 8000, rounding 6000, DAZ 0040, flags 003F; the last traps on inexact results. */
    static const unsigned modes[] = {0x9F80, 0x1FC0, 0x9FC0, 0x5F80,
                                     0xFFC0, 0x1FBF, 0x1F81, 0x0F80};
    static float expected[LENGTH];
    static float output[LENGTH];
    run_denormals(order, denormals, expected);
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        _mm_setcsr(modes[m]);
        run_denormals(order, denormals, output);
        const unsigned found = _mm_getcsr();
        _mm_setcsr(0x1F80);
        assert_int_equal(found & ~0x3Fu, modes[m] & ~0x3Fu);
        assert_int_equal(modes[m] & 0x3Fu & ~found, 0);
        assert_memory_equal(output, expected, sizeof expected);
    }
}

static void test_mxcsr(void) {
    make_input();
    for (int order = CUMSUM_ORDER_SEQUENTIAL; order <= CUMSUM_ORDER_EXACT; order++) {
        check_mxcsr((cumsum_order)order, CUMSUM_DENORMALS_PRESERVE);
        check_mxcsr((cumsum_order)order, CUMSUM_DENORMALS_FLUSH);
    }
}

CHECK_GROUP(test_fp_environment, T(test_rounding_direction), T(test_the_modes_matter),
            T(test_mxcsr));

#else

CHECK_GROUP(test_fp_environment, T(test_rounding_direction));

#endif
