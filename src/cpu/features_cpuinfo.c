/* SPDX-License-Identifier: MIT */
/*
 * Processor features from the library cpuinfo. It starts at the first question, and may fail to,
 * for example in a sandbox without /proc: then no vector kernels but the portable ones are
 * available, and caches have fixed, modest sizes.
 *
 * The features of core 0 stand for all: cpuinfo reports instruction sets that every core has, and
 * the sizes of caches only affect speed.
 */
#include "processor_features.h"

#include <cpuinfo.h>
#include <stdbool.h>
#ifdef __linux__
#include <unistd.h>
#endif

static const char unknown[] = "the processor is not known: cpuinfo cannot read it";

/* cpuinfo_initialize does its work at the first call and is safe to call from several threads.
 * Without /proc/cpuinfo it would print an error message, which a library must not do, so that file
 * is checked first; the answer is kept. */
static bool known(void) {
#ifdef __linux__
    static _Atomic int readable; /* 1: yes, -1: no, 0: not checked yet */
    int answer = readable;
    if (answer == 0)
        readable = answer = access("/proc/cpuinfo", R_OK) == 0 ? 1 : -1;
    if (answer < 0)
        return false;
#endif
    return cpuinfo_initialize();
}

const char *cumsum_missing_avx2(void) {
    if (!known())
        return unknown;
    if (!cpuinfo_has_x86_avx2() || !cpuinfo_has_x86_f16c() || !cpuinfo_has_x86_fma3())
        return "this processor has no AVX2, FMA and F16C";
    return NULL;
}

const char *cumsum_missing_avx512(void) {
    const char *missing = cumsum_missing_avx2();
    if (missing)
        return missing;
    if (!cpuinfo_has_x86_avx512f() || !cpuinfo_has_x86_avx512bw() || !cpuinfo_has_x86_avx512dq() ||
        !cpuinfo_has_x86_avx512vl())
        return "this processor has no AVX-512 F, BW, DQ and VL";
    return NULL;
}

const char *cumsum_missing_neon(void) {
    if (!known())
        return unknown;
    return cpuinfo_has_arm_neon() ? NULL : "this processor has no NEON";
}

const char *cumsum_missing_portable(void) {
    return NULL;
}

size_t cumsum_last_cache_size(void) {
    const size_t modest = (size_t)1 << 20;
    if (!known())
        return modest;
    const struct cpuinfo_cache *cache = cpuinfo_get_l3_cache(0);
    if (!cache)
        cache = cpuinfo_get_l2_cache(0);
    return cache ? cache->size : modest;
}

size_t cumsum_second_cache_size(void) {
    const struct cpuinfo_cache *cache = known() ? cpuinfo_get_l2_cache(0) : NULL;
    if (!cache)
        return (size_t)512 << 10;
    return cache->processor_count > 1 ? cache->size / cache->processor_count : cache->size;
}
