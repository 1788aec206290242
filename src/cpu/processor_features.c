/* SPDX-License-Identifier: MIT */
/*
 * x86 processors are asked by CPUID (x86_cpuid.h). On others the instruction sets that a build has
 * are the ones that every processor of its kind has, and the sizes of caches are not known.
 */
#include "processor_features.h"

#include "x86_cpuid.h"

/* The bits of the answer that is kept. CPUID traps in a virtual machine and then takes a
 * microsecond or more, so it is executed once. Threads that ask at the same time find the same
 * answer. */
enum {
    ASKED = 1,
    HAS_AVX2 = 2,
    HAS_AVX512 = 4
};

/* Larger caches are those of servers with many cores, of which a thread can use a part only: on a
 * processor with 480 MiB, cache-bypassing copies were faster from 2 x 48 MiB on. */
#define LARGEST_SHARE (UINT64_C(96) << 20)

static _Atomic uint64_t second_cache;
static _Atomic uint64_t last_cache;

static int known(void) {
    static _Atomic int answer;
    int bits = answer;
    if (!bits) {
        const cumsum_cpuid found = cumsum_cpuid_ask();
        const cumsum_cpuid_caches caches = cumsum_cpuid_ask_caches();
        bits = ASKED | (cumsum_cpuid_avx2(found) ? HAS_AVX2 : 0) |
               (cumsum_cpuid_avx512(found) ? HAS_AVX512 : 0);
        second_cache = caches.second;
        last_cache = caches.last > LARGEST_SHARE ? LARGEST_SHARE : caches.last;
        answer = bits;
    }
    return bits;
}

const char *cumsum_missing_avx2(void) {
    return known() & HAS_AVX2 ? NULL : "this processor or system has no AVX2, FMA and F16C";
}

const char *cumsum_missing_avx512(void) {
    const char *missing = cumsum_missing_avx2();
    if (missing)
        return missing;
    return known() & HAS_AVX512 ? NULL
                                : "this processor or system has no AVX-512 F, BW, DQ, VL and BMI2";
}

/* Programs for AArch64 pass floats in NEON's registers, so every processor that runs one has it. */
const char *cumsum_missing_neon(void) {
    return NULL;
}

/* An engine without SIMD128 refuses the module whose portable kernels use it. */
const char *cumsum_missing_portable(void) {
    return NULL;
}

/* Too small a size costs some speed, too large a size costs more. */
uint64_t cumsum_last_cache_size(void) {
    known();
    return last_cache ? last_cache : UINT64_C(1) << 20;
}

uint64_t cumsum_second_cache_size(void) {
    known();
    return second_cache ? second_cache : UINT64_C(512) << 10;
}
