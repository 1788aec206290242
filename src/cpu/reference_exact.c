/* SPDX-License-Identifier: MIT */
/*
 * The exact order of the reference: S(k) is the exact sum of the first k elements, rounded once, to
 * nearest, ties to even. FLOAT16 goes from the exact sum straight to binary16: the options for the
 * accumulator and the store do not apply. Numbers are handled as their bits.
 */
#include "exact_sum.h"
#include "reference.h"

#include <string.h>

/* The sizes are constants in the callers. */
REFERENCE_INLINE uint64_t load(const unsigned char *address, size_t size) {
    uint16_t half = 0;
    uint32_t single = 0;
    uint64_t bits = 0;
    if (size == 8)
        memcpy(&bits, address, 8);
    else if (size == 4)
        memcpy(&single, address, 4);
    else
        memcpy(&half, address, 2);
    return size == 8 ? bits : size == 4 ? single : half;
}

REFERENCE_INLINE void store(unsigned char *address, uint64_t bits, size_t size) {
    const uint16_t half = (uint16_t)bits;
    const uint32_t single = (uint32_t)bits;
    if (size == 8)
        memcpy(address, &bits, 8);
    else if (size == 4)
        memcpy(address, &single, 4);
    else
        memcpy(address, &half, 2);
}

/* A subnormal becomes the zero of its sign. */
static uint64_t flush_bits(uint64_t bits, const exact_format *format) {
    const uint64_t sign = UINT64_C(1) << format->sign_bit;
    const uint64_t magnitude = bits & (sign - 1);
    return magnitude >> format->fraction_bits ? bits : bits & sign;
}

REFERENCE_INLINE void compute_line(const cumsum_panel *panel, uint64_t i, size_t size,
                                   const exact_format *format,
                                   const cumsum_arithmetic *arithmetic) {
    const bool flush = size > 2 && arithmetic->numerics.denormals == CUMSUM_DENORMALS_FLUSH;
    exact_sum sum = {.nan = false};
    uint64_t rounded = 0; /* +0 */
    for (uint64_t k = 0; k < panel->length; k++) {
        const uint64_t bits = load(reference_input(panel, i, k), size);
        const uint64_t before = rounded;
        cumsum_exact_sum_add(&sum, flush ? flush_bits(bits, format) : bits, format);
        rounded = cumsum_exact_sum_round(&sum, format);
        rounded = flush ? flush_bits(rounded, format) : rounded;
        store(reference_output(panel, i, k), arithmetic->exclusive ? before : rounded, size);
    }
}

void cumsum_reference_exact_lines(const cumsum_panel *panel, const cumsum_arithmetic *arithmetic) {
    for (uint64_t i = 0; i < panel->lines; i++)
        if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT64)
            compute_line(panel, i, 8, &cumsum_exact_binary64, arithmetic);
        else if (arithmetic->type == CUMSUM_DATA_TYPE_FLOAT32)
            compute_line(panel, i, 4, &cumsum_exact_binary32, arithmetic);
        else
            compute_line(panel, i, 2, &cumsum_exact_binary16, arithmetic);
}
