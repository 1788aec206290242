/* SPDX-License-Identifier: MIT */
/* What the compiler's runtime library knows of the processor: it asks CPUID once, and whether the
 * system saves the registers. It knows nothing of caches. */
#include "processor_features.h"

#include <stdbool.h>

#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>

/* Not every runtime knows it by name. Its registers are those of AVX. */
static bool has_f16c(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
}

static bool has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

const char *cumsum_missing_avx2(void) {
    return has_avx2() ? NULL : "this processor has no AVX2, FMA and F16C";
}

const char *cumsum_missing_avx512(void) {
    const char *missing = cumsum_missing_avx2();
    if (missing)
        return missing;
    return has_avx512() ? NULL : "this processor has no AVX-512 F, BW, DQ and VL";
}

#endif

/* Every AArch64 processor that runs a hosted system has it. */
const char *cumsum_missing_neon(void) {
    return NULL;
}

const char *cumsum_missing_portable(void) {
    return NULL;
}

size_t cumsum_last_cache_size(void) {
    return (size_t)1 << 20;
}

size_t cumsum_second_cache_size(void) {
    return (size_t)512 << 10;
}
