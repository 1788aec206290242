/* SPDX-License-Identifier: MIT */
/* x86_cpuid.h: which instruction sets can be used and how large the caches are, on made-up
 * processors and on this one, where the compiler's runtime must give the same answer. */
#include "check.h"
#include "x86_cpuid.h"

#include <cumsum/cumsum.h>
#include <stddef.h>
#include <string.h>

static const cumsum_cpuid everything = {UINT32_MAX, UINT32_MAX, UINT64_MAX};

static void test_everything_and_nothing(void) {
    const cumsum_cpuid nothing = {0};
    assert_true(cumsum_cpuid_avx2(everything) && cumsum_cpuid_avx512(everything));
    assert_false(cumsum_cpuid_avx2(nothing) || cumsum_cpuid_avx512(nothing));
}

/* Exactly these bits matter, as the manuals of Intel and AMD number them. */
static void test_each_bit(void) {
    for (unsigned bit = 0; bit < 32; bit++) {
        const bool basic = bit == 0 || bit == 9 || bit == 12 || bit == 19 || bit == 20 ||
                           bit == 23 || (bit >= 26 && bit <= 29);
        const bool avx2 = bit == 5;
        const bool avx512 = avx2 || bit == 8 || bit == 16 || bit == 17 || bit == 30 || bit == 31;
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
static void test_what_the_system_saves(void) {
    for (unsigned bit = 0; bit < 64; bit++) {
        cumsum_cpuid found = everything;
        found.saved &= ~(UINT64_C(1) << bit);
        assert_true(cumsum_cpuid_avx2(found) == (bit != 1 && bit != 2));
        assert_true(cumsum_cpuid_avx512(found) ==
                    (bit != 1 && bit != 2 && bit != 5 && bit != 6 && bit != 7));
    }
}

/* The library offers the kernels of a build to each processor that has what they need. */
static void expect_offered(cumsum_kernel kernel, bool has) {
    const char *reason = "";
    const bool offered = cumsum_kernel_available(kernel, &reason);
    assert_true(offered == has || (!offered && strstr(reason, "this build has no")));
}

static void test_this_processor(void) {
#if defined(__x86_64__) || defined(__i386__)
    const cumsum_cpuid found = cumsum_cpuid_ask();
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("popcnt") && (found.basic & CUMSUM_CPUID_F16C);
    assert_true(cumsum_cpuid_avx2(found) == avx2);
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
    assert_true(cumsum_cpuid_avx512(found) == avx512);
    expect_offered(CUMSUM_KERNEL_AVX2, avx2);
    expect_offered(CUMSUM_KERNEL_AVX512, avx512);
#else
    assert_false(cumsum_cpuid_avx2(cumsum_cpuid_ask()));
    expect_offered(CUMSUM_KERNEL_AVX2, false);
#endif
}

/* A cache as leaf 4 describes it: 64-byte lines, 16 ways. */
static void make_leaf(uint32_t leaf[4], uint32_t type, uint32_t level, uint32_t threads,
                      uint32_t kibibytes) {
    leaf[0] = type | level << 5 | (threads - 1) << 14;
    leaf[1] = 63 | 15u << 22;
    leaf[2] = kibibytes - 1; /* sets: 16 * 64 bytes are a KiB */
    leaf[3] = 0;
}

static void test_caches(void) {
    cumsum_cpuid_caches caches = {0};
    uint32_t leaf[4];
    make_leaf(leaf, 1, 1, 2, 32); /* data */
    assert_true(cumsum_cpuid_add_cache(&caches, leaf));
    make_leaf(leaf, 2, 2, 2, 64); /* instructions */
    assert_true(cumsum_cpuid_add_cache(&caches, leaf));
    assert_int_equal(caches.last, 0);
    make_leaf(leaf, 3, 2, 2, 2048);
    assert_true(cumsum_cpuid_add_cache(&caches, leaf));
    assert_int_equal(caches.second, 1 << 20);
    assert_int_equal(caches.last, 2 << 20);
    make_leaf(leaf, 3, 3, 128, 480 << 10);
    assert_true(cumsum_cpuid_add_cache(&caches, leaf));
    make_leaf(leaf, 0, 0, 1, 1);
    assert_false(cumsum_cpuid_add_cache(&caches, leaf));
    assert_int_equal(caches.second, 1 << 20);
    assert_int_equal(caches.last, 480 << 20);
}

CHECK_GROUP(test_cpuid, T(test_everything_and_nothing), T(test_each_bit),
            T(test_what_the_system_saves), T(test_this_processor), T(test_caches));
