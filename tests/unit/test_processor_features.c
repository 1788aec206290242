/* SPDX-License-Identifier: MIT */
/*
 * features_cpuinfo.c on made-up processors: this file defines the functions of libcpuinfo.
 * usage: test_processor_features [unreadable]
 * With `unreadable` there is no /proc/cpuinfo, which the library checks once per process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <cpuinfo.h>

#include "processor_features.h"

struct cpuinfo_x86_isa cpuinfo_isa;

static bool readable;
static bool started;
static struct cpuinfo_cache second;
static struct cpuinfo_cache last;

int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode) {
    (void)mode;
    assert_string_equal(path, "/proc/cpuinfo");
    return readable ? 0 : -1;
}

bool cpuinfo_initialize(void) {
    assert_true(readable); /* otherwise it would print an error */
    return started;
}

const struct cpuinfo_cache *cpuinfo_get_l2_cache(uint32_t index) {
    assert_int_equal(index, 0);
    return second.size ? &second : NULL;
}

const struct cpuinfo_cache *cpuinfo_get_l3_cache(uint32_t index) {
    assert_int_equal(index, 0);
    return last.size ? &last : NULL;
}

static int set_up(void **state) {
    (void)state;
    started = true;
    second = (struct cpuinfo_cache){.size = 1 << 21, .processor_count = 2};
    last = (struct cpuinfo_cache){.size = 1 << 25, .processor_count = 8};
    memset(&cpuinfo_isa, 0, sizeof cpuinfo_isa);
    cpuinfo_isa.avx2 = cpuinfo_isa.fma3 = cpuinfo_isa.f16c = true;
    cpuinfo_isa.avx512f = cpuinfo_isa.avx512bw = true;
    cpuinfo_isa.avx512dq = cpuinfo_isa.avx512vl = true;
    return 0;
}

static void expect_missing(const char *avx2, const char *avx512) {
    const char *const expected[] = {avx2, avx512};
    const char *const found[] = {cumsum_missing_avx2(), cumsum_missing_avx512()};
    for (int i = 0; i < 2; i++)
        if (expected[i])
            assert_string_equal(found[i], expected[i]);
        else
            assert_null(found[i]);
}

/* Each instruction set that the kernels are compiled with is required. */
static void test_instruction_sets(void **state) {
    static const char no_avx2[] = "this processor has no AVX2, FMA and F16C";
    static const char no_avx512[] = "this processor has no AVX-512 F, BW, DQ and VL";
    (void)state;
    expect_missing(NULL, NULL);
    bool *const of_avx2[] = {&cpuinfo_isa.avx2, &cpuinfo_isa.fma3, &cpuinfo_isa.f16c};
    bool *const of_avx512[] = {&cpuinfo_isa.avx512f, &cpuinfo_isa.avx512bw, &cpuinfo_isa.avx512dq,
                               &cpuinfo_isa.avx512vl};
    for (int i = 0; i < 3; i++) {
        *of_avx2[i] = false;
        expect_missing(no_avx2, no_avx2);
        *of_avx2[i] = true;
    }
    for (int i = 0; i < 4; i++) {
        *of_avx512[i] = false;
        expect_missing(NULL, no_avx512);
        *of_avx512[i] = true;
    }
    assert_string_equal(cumsum_missing_neon(), "this processor has no NEON");
    assert_null(cumsum_missing_portable());
}

static void test_caches(void **state) {
    (void)state;
    assert_int_equal(cumsum_last_cache_size(), 1 << 25);
    assert_int_equal(cumsum_second_cache_size(), 1 << 20); /* shared by two */
    second.processor_count = 1;
    assert_int_equal(cumsum_second_cache_size(), 1 << 21);
    last.size = 0;
    assert_int_equal(cumsum_last_cache_size(), 1 << 21);
    second.size = 0;
    assert_int_equal(cumsum_last_cache_size(), 1 << 20);
    assert_int_equal(cumsum_second_cache_size(), 1 << 19);
}

/* An unknown processor: no vector kernels but the portable ones, and modest caches. */
static void expect_unknown(void **state) {
    static const char unknown[] = "the processor is not known: cpuinfo cannot read it";
    (void)state;
    expect_missing(unknown, unknown);
    assert_string_equal(cumsum_missing_neon(), unknown);
    assert_null(cumsum_missing_portable());
    assert_int_equal(cumsum_last_cache_size(), 1 << 20);
    assert_int_equal(cumsum_second_cache_size(), 1 << 19);
}

static void test_unknown(void **state) {
    started = false;
    expect_unknown(state);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_instruction_sets, set_up),
                                       cmocka_unit_test_setup(test_caches, set_up),
                                       cmocka_unit_test_setup(test_unknown, set_up)};
    const struct CMUnitTest no_tests[] = {cmocka_unit_test_setup(expect_unknown, set_up)};
    readable = argc < 2 || strcmp(argv[1], "unreadable") != 0;
    return readable ? cmocka_run_group_tests(tests, NULL, NULL)
                    : cmocka_run_group_tests(no_tests, NULL, NULL);
}
