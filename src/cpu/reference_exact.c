/* SPDX-License-Identifier: MIT */
/*
 * The exact order: S(k) is the exact sum of the first k elements, rounded once, to nearest even.
 * FLOAT16 goes from the exact sum straight to binary16; the accumulator and the store play no part.
 */
#include "exact_sum.h"
#include "reference.h"

#include <string.h>

/* The zero of its sign for a binary32 subnormal. */
static uint32_t flush_bits(uint32_t bits) {
    return (bits & 0x7F800000u) ? bits : bits & 0x80000000u;
}

static void line_of_floats(const cumsum_panel *panel, uint64_t i,
                           const cumsum_arithmetic *arithmetic) {
    const bool flush = arithmetic->numerics.denormals == CUMSUM_DENORMALS_FLUSH;
    exact_sum sum = {.nan = false};
    uint32_t tally = 0; /* +0 */
    for (uint64_t k = 0; k < panel->length; k++) {
        uint32_t bits;
        memcpy(&bits, reference_input(panel, i, k), sizeof bits);
        cumsum_exact_sum_add(&sum, flush ? flush_bits(bits) : bits, &cumsum_exact_binary32);
        const uint32_t before = tally;
        tally = cumsum_exact_sum_round(&sum, &cumsum_exact_binary32);
        if (flush)
            tally = flush_bits(tally);
        const uint32_t result = arithmetic->exclusive ? before : tally;
        memcpy(reference_output(panel, i, k), &result, sizeof result);
    }
}

static void line_of_halves(const cumsum_panel *panel, uint64_t i,
                           const cumsum_arithmetic *arithmetic) {
    exact_sum sum = {.nan = false};
    uint16_t tally = 0; /* +0 */
    for (uint64_t k = 0; k < panel->length; k++) {
        uint16_t bits;
        memcpy(&bits, reference_input(panel, i, k), sizeof bits);
        cumsum_exact_sum_add(&sum, bits, &cumsum_exact_binary16);
        const uint16_t before = tally;
        tally = (uint16_t)cumsum_exact_sum_round(&sum, &cumsum_exact_binary16);
        const uint16_t result = arithmetic->exclusive ? before : tally;
        memcpy(reference_output(panel, i, k), &result, sizeof result);
    }
}

void cumsum_reference_exact_lines(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    for (uint64_t i = 0; i < panel->lines; i++)
        if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16)
            line_of_halves(panel, i, arithmetic);
        else
            line_of_floats(panel, i, arithmetic);
}
