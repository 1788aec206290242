/* SPDX-License-Identifier: MIT */
/*
 *     check test_half_all_floats nearest-even|toward-zero|ieee|widen
 *
 * Compares one store of all 2^32 floats, or the conversion of all 65,536 halves to float, with the
 * processor's conversion. Optimized builds test every float; others, and those with sanitizers,
 * test every 251st block of 4096, and say so. It is skipped if the processor has no conversion.
 *
 * The processor has two roundings: to nearest even with IEEE 754's overflow, and truncation. The
 * stores NEAREST_EVEN and TOWARD_ZERO differ from them in that every |x| above 65504 is an
 * infinity, and in that a NaN is 0x7E00 with its sign.
 */
#include "check.h"
#include "hardware_half.h"

#include <cumsum/cumsum.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 4096u

#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REDUCED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define REDUCED 1
#endif
#endif
#ifndef REDUCED
#define REDUCED 0
#endif

static const uint64_t block_step = REDUCED ? 251 : 1;

typedef uint16_t narrow_function(float value, cumsum_half_store store);

/* The expected half, from the processor's. */
static uint16_t expected_half(uint32_t bits, uint16_t hardware, cumsum_half_store store) {
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000u);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    if (magnitude > 0x7F800000u)
        return sign | 0x7E00;
    if (store != CUMSUM_HALF_STORE_IEEE && magnitude > 0x477FE000u) /* 65504 */
        return sign | 0x7C00;
    return hardware;
}

/* The number of floats in [first, first + BLOCK) that narrow gets wrong; prints the first. */
static unsigned count_wrong(narrow_function *narrow, uint32_t first, cumsum_half_store store,
                            bool quiet) {
    static float floats[BLOCK];
    static uint16_t halves[BLOCK];
    unsigned wrong = 0;
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint32_t bits = first + i;
        memcpy(&floats[i], &bits, sizeof bits);
    }
    hardware_half_narrow(floats, halves, BLOCK, store == CUMSUM_HALF_STORE_TOWARD_ZERO);
    for (uint32_t i = 0; i < BLOCK; i++) {
        const uint16_t expected = expected_half(first + i, halves[i], store);
        const uint16_t actual = narrow(floats[i], store);
        if (actual != expected && wrong++ == 0 && !quiet)
            printf("0x%08" PRIX32 ": expected 0x%04X, got 0x%04X\n", first + i, expected, actual);
    }
    return wrong;
}

/* Converts one float in 2^32 wrongly: the check has to find it. */
static uint16_t wrong_once(float value, cumsum_half_store store) {
    const uint32_t culprit = 0x38801234u;
    const uint16_t half = cumsum_half_from_float(value, store);
    return memcmp(&value, &culprit, sizeof value) == 0 ? half ^ 1 : half;
}

static int check_all_floats(cumsum_half_store store) {
    if (count_wrong(wrong_once, 0x38801000u, store, true) != 1) {
        puts("the check did not find a planted fault");
        return 1;
    }
    uint64_t tested = 0;
    for (uint64_t first = 0; first < UINT64_C(1) << 32; first += BLOCK * block_step) {
        if (count_wrong(cumsum_half_from_float, (uint32_t)first, store, false))
            return 1;
        tested += BLOCK;
    }
    printf("%" PRIu64 " of 4294967296 floats agree with the hardware\n", tested);
    return 0;
}

static int check_all_halves(void) {
    static uint16_t halves[0x10000];
    static float floats[0x10000];
    for (uint32_t i = 0; i < 0x10000; i++)
        halves[i] = (uint16_t)i;
    hardware_half_widen(halves, floats, 0x10000);
    for (uint32_t i = 0; i < 0x10000; i++) {
        const float actual = cumsum_half_to_float((uint16_t)i);
        if (memcmp(&actual, &floats[i], sizeof actual) != 0) {
            printf("0x%04" PRIX32 ": the hardware answers otherwise\n", i);
            return 1;
        }
    }
    puts("65536 halves agree with the hardware");
    return 0;
}

static int compare_all(int argc, char **argv) {
    const char *const names[] = {"nearest-even", "toward-zero", "ieee"};
    if (!hardware_half_available()) {
        puts("SKIPPED: this processor does not convert between binary16 and binary32 (F16C)");
        return CHECK_SKIPPED;
    }
    for (int store = 0; argc == 2 && store < 3; store++)
        if (strcmp(argv[1], names[store]) == 0)
            return check_all_floats((cumsum_half_store)store);
    if (argc == 2 && strcmp(argv[1], "widen") == 0)
        return check_all_halves();
    puts("usage: check test_half_all_floats nearest-even|toward-zero|ieee|widen");
    return 2;
}

CHECK_MAIN(test_half_all_floats, compare_all);
