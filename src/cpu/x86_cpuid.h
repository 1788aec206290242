/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_X86_CPUID_H
#define CUMSUM_CPU_X86_CPUID_H

/*
 * Which instruction sets an x86 processor has and the operating system enables. Both matter: a
 * system that does not save the wide registers at a context switch does not let programs use them.
 * CPUID describes the processor, the register XCR0 what the system saves.
 *
 * The decisions are separate from the instructions that read the bits, so that a test can make up
 * processors. Bit numbers: Intel 64 and IA-32 Software Developer's Manual, volume 2 (CPUID) and
 * volume 1, chapter 13 (XCR0). On other processors every answer is no.
 */

#include "compiler.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct cumsum_cpuid {
    uint32_t basic;    /* CPUID leaf 1, ECX */
    uint32_t extended; /* CPUID leaf 7, EBX */
    uint64_t saved;    /* XCR0; 0 if it cannot be read */
} cumsum_cpuid;

/* In `basic`. */
#define CUMSUM_CPUID_FMA     (1u << 12)
#define CUMSUM_CPUID_OSXSAVE (1u << 27) /* the system uses XSAVE: XCR0 can be read */
#define CUMSUM_CPUID_AVX     (1u << 28)
#define CUMSUM_CPUID_F16C    (1u << 29)

/* In `extended`. */
#define CUMSUM_CPUID_AVX2     (1u << 5)
#define CUMSUM_CPUID_AVX512F  (1u << 16)
#define CUMSUM_CPUID_AVX512DQ (1u << 17)
#define CUMSUM_CPUID_AVX512BW (1u << 30)
#define CUMSUM_CPUID_AVX512VL (1u << 31)

/* In `saved`: xmm and the upper halves of ymm; for AVX-512 also masks, the upper halves of zmm, and
 * zmm16 to zmm31. */
#define CUMSUM_CPUID_SAVES_AVX    0x06u
#define CUMSUM_CPUID_SAVES_AVX512 0xE6u

/* What the AVX2 kernels are compiled with: AVX2, FMA and F16C. */
static inline bool cumsum_cpuid_avx2(cumsum_cpuid found) {
    const uint32_t basic =
        CUMSUM_CPUID_FMA | CUMSUM_CPUID_OSXSAVE | CUMSUM_CPUID_AVX | CUMSUM_CPUID_F16C;
    return (found.basic & basic) == basic && (found.extended & CUMSUM_CPUID_AVX2) &&
           (found.saved & CUMSUM_CPUID_SAVES_AVX) == CUMSUM_CPUID_SAVES_AVX;
}

/* What the AVX-512 kernels are compiled with: F, BW, DQ, VL, and all that AVX2's use. */
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
