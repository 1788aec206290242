/* SPDX-License-Identifier: MIT */
/*
 * Processor features without cpuinfo: x86 processors are asked by CPUID (x86_cpuid.h); on others
 * the instruction sets that a build has are the ones that every processor of its kind has. Caches
 * have fixed, modest sizes: too small a size costs some speed, too large a size costs more.
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

static int known(void) {
    static _Atomic int answer;
    int bits = answer;
    if (!bits) {
        const cumsum_cpuid found = cumsum_cpuid_ask();
        bits = ASKED | (cumsum_cpuid_avx2(found) ? HAS_AVX2 : 0) |
               (cumsum_cpuid_avx512(found) ? HAS_AVX512 : 0);
        answer = bits;
    }
    return bits;
}

const char *cumsum_missing_avx2(void) {
    return known() & HAS_AVX2 ? NULL : "this processor has no AVX2, FMA and F16C";
}

const char *cumsum_missing_avx512(void) {
    const char *missing = cumsum_missing_avx2();
    if (missing)
        return missing;
    return known() & HAS_AVX512 ? NULL : "this processor has no AVX-512 F, BW, DQ and VL";
}

/* AArch64 has NEON on every processor that runs a hosted system. */
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
