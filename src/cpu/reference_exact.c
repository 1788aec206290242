/* SPDX-License-Identifier: MIT */
/*
 * The exact order of the reference: S(k) is the exact sum of the first k elements, rounded once, to
 * nearest, ties to even. FLOAT16 goes from the exact sum straight to binary16: the options for the
 * accumulator and the store do not apply. Numbers are handled as their bits.
 */
#include "exact_sum.h"
#include "reference.h"

#include <string.h>

REFERENCE_INLINE uint32_t load(const unsigned char *address, bool is_half) {
    uint16_t half = 0;
    uint32_t bits = 0;
    if (is_half)
        memcpy(&half, address, sizeof half);
    else
        memcpy(&bits, address, sizeof bits);
    return is_half ? half : bits;
}

REFERENCE_INLINE void store(unsigned char *address, uint32_t bits, bool is_half) {
    const uint16_t half = (uint16_t)bits;
    if (is_half)
        memcpy(address, &half, sizeof half);
    else
        memcpy(address, &bits, sizeof bits);
}

/* A binary32 subnormal becomes the zero of its sign. */
static uint32_t flush_bits(uint32_t bits) {
    return (bits & 0x7F800000u) ? bits : bits & 0x80000000u;
}

REFERENCE_INLINE void compute_line(const cumsum_panel *panel, uint64_t i, bool is_half,
                                   const cumsum_arithmetic *arithmetic) {
    const bool flush = !is_half && arithmetic->numerics.denormals == CUMSUM_DENORMALS_FLUSH;
    const exact_format *format = is_half ? &cumsum_exact_binary16 : &cumsum_exact_binary32;
    exact_sum sum = {.nan = false};
    uint32_t rounded = 0; /* +0 */
    for (uint64_t k = 0; k < panel->length; k++) {
        const uint32_t bits = load(reference_input(panel, i, k), is_half);
        const uint32_t before = rounded;
        cumsum_exact_sum_add(&sum, flush ? flush_bits(bits) : bits, format);
        rounded = cumsum_exact_sum_round(&sum, format);
        rounded = flush ? flush_bits(rounded) : rounded;
        store(reference_output(panel, i, k), arithmetic->exclusive ? before : rounded, is_half);
    }
}

void cumsum_reference_exact_lines(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    for (uint64_t i = 0; i < panel->lines; i++)
        if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT16)
            compute_line(panel, i, true, arithmetic);
        else
            compute_line(panel, i, false, arithmetic);
}
