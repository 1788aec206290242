/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_X86_CPUID_H
#define CUMSUM_CPU_X86_CPUID_H

/* What an x86 processor says of itself, and what the system saves of its registers: a processor may
 * have instructions that a system does not let programs use. */

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cumsum_cpuid {
    uint32_t basic;    /* leaf 1, ECX */
    uint32_t extended; /* leaf 7, EBX */
    uint64_t saved;    /* XCR0; 0 where it cannot be read */
} cumsum_cpuid;

/* In `basic`. */
#define CUMSUM_CPUID_FMA     (1u << 12)
#define CUMSUM_CPUID_OSXSAVE (1u << 27) /* XCR0 can be read */
#define CUMSUM_CPUID_AVX     (1u << 28)
#define CUMSUM_CPUID_F16C    (1u << 29)

/* In `extended`. */
#define CUMSUM_CPUID_AVX2     (1u << 5)
#define CUMSUM_CPUID_AVX512F  (1u << 16)
#define CUMSUM_CPUID_AVX512DQ (1u << 17)
#define CUMSUM_CPUID_AVX512BW (1u << 30)
#define CUMSUM_CPUID_AVX512VL (1u << 31)

/* In `saved`: xmm and the upper halves of ymm; and masks, the upper halves of zmm, zmm16 to 31. */
#define CUMSUM_CPUID_SAVES_AVX    0x06u
#define CUMSUM_CPUID_SAVES_AVX512 0xE6u

static inline bool cumsum_cpuid_avx2(cumsum_cpuid found) {
    const uint32_t basic =
        CUMSUM_CPUID_FMA | CUMSUM_CPUID_OSXSAVE | CUMSUM_CPUID_AVX | CUMSUM_CPUID_F16C;
    return (found.basic & basic) == basic && (found.extended & CUMSUM_CPUID_AVX2) &&
           (found.saved & CUMSUM_CPUID_SAVES_AVX) == CUMSUM_CPUID_SAVES_AVX;
}

static inline bool cumsum_cpuid_avx512(cumsum_cpuid found) {
    const uint32_t extended = CUMSUM_CPUID_AVX512F | CUMSUM_CPUID_AVX512DQ | CUMSUM_CPUID_AVX512BW |
                              CUMSUM_CPUID_AVX512VL;
    return cumsum_cpuid_avx2(found) && (found.extended & extended) == extended &&
           (found.saved & CUMSUM_CPUID_SAVES_AVX512) == CUMSUM_CPUID_SAVES_AVX512;
}

#if defined(CUMSUM_COMPILER_CL) && (defined(_M_X64) || defined(_M_IX86))

static inline cumsum_cpuid cumsum_cpuid_ask(void) {
    cumsum_cpuid found = {0};
    int leaf[4];
    __cpuid(leaf, 0);
    const int last = leaf[0];
    __cpuidex(leaf, 1, 0);
    found.basic = (uint32_t)leaf[2];
    if (last >= 7) {
        __cpuidex(leaf, 7, 0);
        found.extended = (uint32_t)leaf[1];
    }
    if (found.basic & CUMSUM_CPUID_OSXSAVE)
        found.saved = _xgetbv(0);
    return found;
}

#elif defined(CUMSUM_COMPILER_GNU) && (defined(__x86_64__) || defined(__i386__))

#include <cpuid.h>

static inline cumsum_cpuid cumsum_cpuid_ask(void) {
    cumsum_cpuid found = {0};
    unsigned a, b, c, d;
    if (__get_cpuid(1, &a, &b, &c, &d))
        found.basic = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        found.extended = b;
    if (found.basic & CUMSUM_CPUID_OSXSAVE) {
        __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
        found.saved = (uint64_t)d << 32 | a;
    }
    return found;
}

#else

static inline cumsum_cpuid cumsum_cpuid_ask(void) {
    return (cumsum_cpuid){0};
}

#endif

#endif
