/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_X86_CPUID_H
#define CUMSUM_CPU_X86_CPUID_H

/*
 * What an x86 processor says of itself: which instruction sets it has and the operating system
 * enables, and the sizes of its caches. A system that does not save the wide registers at a context
 * switch does not let programs use them: CPUID describes the processor, the register XCR0 what the
 * system saves.
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

/* In `basic`. OSXSAVE: the system uses XSAVE, and XCR0 can be read. */
#define CUMSUM_CPUID_SSE3    (1u << 0)
#define CUMSUM_CPUID_SSSE3   (1u << 9)
#define CUMSUM_CPUID_FMA     (1u << 12)
#define CUMSUM_CPUID_SSE4_1  (1u << 19)
#define CUMSUM_CPUID_SSE4_2  (1u << 20) /* with CRC32 */
#define CUMSUM_CPUID_POPCNT  (1u << 23)
#define CUMSUM_CPUID_XSAVE   (1u << 26)
#define CUMSUM_CPUID_OSXSAVE (1u << 27)
#define CUMSUM_CPUID_AVX     (1u << 28)
#define CUMSUM_CPUID_F16C    (1u << 29)

/* In `extended`. */
#define CUMSUM_CPUID_AVX2     (1u << 5)
#define CUMSUM_CPUID_BMI2     (1u << 8)
#define CUMSUM_CPUID_AVX512F  (1u << 16)
#define CUMSUM_CPUID_AVX512DQ (1u << 17)
#define CUMSUM_CPUID_AVX512BW (1u << 30)
#define CUMSUM_CPUID_AVX512VL (1u << 31)

/* In `saved`: xmm and the upper halves of ymm; for AVX-512 also masks, the upper halves of zmm, and
 * zmm16 to zmm31. */
#define CUMSUM_CPUID_SAVES_AVX    0x06u
#define CUMSUM_CPUID_SAVES_AVX512 0xE6u

/* All that a compiler may use in the AVX2 kernels: what -mavx2 -mfma -mf16c allow, or /arch:AVX2.
 * The tests kernels.instruction-sets compare these lists with the compiler's. */
static inline bool cumsum_cpuid_avx2(cumsum_cpuid found) {
    const uint32_t basic = CUMSUM_CPUID_SSE3 | CUMSUM_CPUID_SSSE3 | CUMSUM_CPUID_FMA |
                           CUMSUM_CPUID_SSE4_1 | CUMSUM_CPUID_SSE4_2 | CUMSUM_CPUID_POPCNT |
                           CUMSUM_CPUID_XSAVE | CUMSUM_CPUID_OSXSAVE | CUMSUM_CPUID_AVX |
                           CUMSUM_CPUID_F16C;
    return (found.basic & basic) == basic && (found.extended & CUMSUM_CPUID_AVX2) &&
           (found.saved & CUMSUM_CPUID_SAVES_AVX) == CUMSUM_CPUID_SAVES_AVX;
}

/* The same for the AVX-512 kernels: F, BW, DQ, VL, BMI2, and all that AVX2's may use. */
static inline bool cumsum_cpuid_avx512(cumsum_cpuid found) {
    const uint32_t extended = CUMSUM_CPUID_BMI2 | CUMSUM_CPUID_AVX512F | CUMSUM_CPUID_AVX512DQ |
                              CUMSUM_CPUID_AVX512BW | CUMSUM_CPUID_AVX512VL;
    return cumsum_cpuid_avx2(found) && (found.extended & extended) == extended &&
           (found.saved & CUMSUM_CPUID_SAVES_AVX512) == CUMSUM_CPUID_SAVES_AVX512;
}

/* In bytes; 0 if it is unknown. */
typedef struct cumsum_cpuid_caches {
    uint64_t second; /* a hardware thread's share of the second-level cache */
    uint64_t last;   /* the cache of the highest level, if that is the second or a higher one */
} cumsum_cpuid_caches;

/* Takes in the cache that EAX to ECX of leaf 4 describe; AMD's leaf 0x8000001D has the same format.
 * Levels ascend. Returns false if there are no more caches. */
static inline bool cumsum_cpuid_add_cache(cumsum_cpuid_caches *caches, const uint32_t leaf[4]) {
    const uint32_t type = leaf[0] & 31; /* 0: none, 1: data, 2: instructions, 3: unified */
    const uint32_t level = leaf[0] >> 5 & 7, threads = (leaf[0] >> 14 & 0xFFF) + 1;
    const uint64_t line = (leaf[1] & 0xFFF) + 1, parts = (leaf[1] >> 12 & 0x3FF) + 1;
    const uint64_t ways = (leaf[1] >> 22) + 1, sets = (uint64_t)leaf[2] + 1;
    if ((type == 1 || type == 3) && level >= 2) {
        caches->last = line * parts * ways * sets;
        if (level == 2)
            caches->second = caches->last / threads;
    }
    return type != 0;
}

/* cumsum_cpuid_leaf: EAX to EDX of a leaf; false if the processor has no such leaf.
 * cumsum_cpuid_saved: XCR0, which can be read only if there is OSXSAVE. */
#if defined(CUMSUM_COMPILER_CL) && (defined(_M_X64) || defined(_M_IX86))

static inline bool cumsum_cpuid_leaf(uint32_t leaf, uint32_t part, uint32_t found[4]) {
    int registers[4];
    __cpuid(registers, (int)(leaf & 0x80000000u));
    if ((uint32_t)registers[0] < leaf)
        return false;
    __cpuidex(registers, (int)leaf, (int)part);
    for (int i = 0; i < 4; i++)
        found[i] = (uint32_t)registers[i];
    return true;
}

static inline uint64_t cumsum_cpuid_saved(void) {
    return _xgetbv(0);
}

#elif defined(CUMSUM_COMPILER_GNU) && (defined(__x86_64__) || defined(__i386__))

#include <cpuid.h>

static inline bool cumsum_cpuid_leaf(uint32_t leaf, uint32_t part, uint32_t found[4]) {
    return __get_cpuid_count(leaf, part, &found[0], &found[1], &found[2], &found[3]);
}

static inline uint64_t cumsum_cpuid_saved(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

#else

static inline bool cumsum_cpuid_leaf(uint32_t leaf, uint32_t part, uint32_t found[4]) {
    (void)leaf, (void)part, (void)found;
    return false;
}

static inline uint64_t cumsum_cpuid_saved(void) {
    return 0;
}

#endif

static inline cumsum_cpuid cumsum_cpuid_ask(void) {
    cumsum_cpuid found = {0};
    uint32_t leaf[4];
    if (cumsum_cpuid_leaf(1, 0, leaf))
        found.basic = leaf[2];
    if (cumsum_cpuid_leaf(7, 0, leaf))
        found.extended = leaf[1];
    if (found.basic & CUMSUM_CPUID_OSXSAVE)
        found.saved = cumsum_cpuid_saved();
    return found;
}

/* No processor has 16 caches; an emulated one may never end the list. */
static inline cumsum_cpuid_caches cumsum_cpuid_ask_caches(void) {
    cumsum_cpuid_caches caches = {0};
    uint32_t leaf[4];
    for (uint32_t i = 0; i < 16; i++)
        if (!cumsum_cpuid_leaf(4, i, leaf) || !cumsum_cpuid_add_cache(&caches, leaf))
            break;
    for (uint32_t i = 0; i < 16 && !caches.last; i++)
        if (!cumsum_cpuid_leaf(0x8000001Du, i, leaf) || !cumsum_cpuid_add_cache(&caches, leaf))
            break;
    return caches;
}

#endif
