/* SPDX-License-Identifier: MIT */
/* x86_cpuid.h: which instruction sets can be used, on made-up processors and on this one, where the
 * compiler's runtime must give the same answer. */
#include "x86_cpuid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const cumsum_cpuid everything = {UINT32_MAX, UINT32_MAX, UINT64_MAX};

static void test_everything_and_nothing(void **state) {
    (void)state;
    const cumsum_cpuid nothing = {0};
    assert_true(cumsum_cpuid_avx2(everything) && cumsum_cpuid_avx512(everything));
    assert_false(cumsum_cpuid_avx2(nothing) || cumsum_cpuid_avx512(nothing));
}

/* Exactly these bits matter, as the manuals of Intel and AMD number them. */
static void test_each_bit(void **state) {
    (void)state;
    for (unsigned bit = 0; bit < 32; bit++) {
        const bool basic = bit == 12 || bit == 27 || bit == 28 || bit == 29, avx2 = bit == 5;
        const bool avx512 = avx2 || bit == 16 || bit == 17 || bit == 30 || bit == 31;
        cumsum_cpuid found = everything;
        found.basic &= ~(1u << bit);
        assert_true(cumsum_cpuid_avx2(found) == !basic);
        assert_true(cumsum_cpuid_avx512(found) == !basic);
        found = everything;
        found.extended &= ~(1u << bit);
        assert_true(cumsum_cpuid_avx2(found) == !avx2);
        assert_true(cumsum_cpuid_avx512(found) == !avx512);
    }
}

/* A system that does not save ymm, or masks and zmm, does not let programs use them. */
static void test_what_the_system_saves(void **state) {
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        cumsum_cpuid found = everything;
        found.saved &= ~(UINT64_C(1) << bit);
        assert_true(cumsum_cpuid_avx2(found) == (bit != 1 && bit != 2));
        assert_true(cumsum_cpuid_avx512(found) ==
                    (bit != 1 && bit != 2 && bit != 5 && bit != 6 && bit != 7));
    }
}

static void test_this_processor(void **state) {
    (void)state;
#if defined(__x86_64__)
    const cumsum_cpuid found = cumsum_cpuid_ask();
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      (found.basic & CUMSUM_CPUID_F16C);
    assert_true(cumsum_cpuid_avx2(found) == avx2);
    assert_true(cumsum_cpuid_avx512(found) ==
                (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")));
#else
    assert_false(cumsum_cpuid_avx2(cumsum_cpuid_ask()));
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_and_nothing),
        cmocka_unit_test(test_each_bit),
        cmocka_unit_test(test_what_the_system_saves),
        cmocka_unit_test(test_this_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
