/* SPDX-License-Identifier: MIT */
/*
 * Integers in the reference: sums modulo 2^32 or 2^64, the same in every order of additions.
 *
 * Two's complement makes signed and unsigned sums the same bits, and C's unsigned arithmetic is the
 * one that wraps. The accumulator has 64 bits for both widths. Its low half is the sum
 * modulo 2^32 and does not depend on the high half.
 */
#include "reference.h"

#include <string.h>

REFERENCE_INLINE uint64_t load(const unsigned char *address, bool wide) {
    uint32_t low = 0;
    uint64_t all = 0;
    if (wide)
        memcpy(&all, address, sizeof all);
    else
        memcpy(&low, address, sizeof low);
    return wide ? all : low;
}

REFERENCE_INLINE void store(unsigned char *address, uint64_t accumulator, bool wide) {
    const uint32_t low = (uint32_t)accumulator;
    if (wide)
        memcpy(address, &accumulator, sizeof accumulator);
    else
        memcpy(address, &low, sizeof low);
}

REFERENCE_INLINE void compute_lines(const cumsum_panel *panel, uint64_t lines, bool wide,
                                    bool exclusive) {
    const cumsum_panel here = *panel; /* a copy, which no output can alias */
    uint64_t accumulator[REFERENCE_LINES] = {0};
    for (uint64_t k = 0; k < here.length; k++)
        for (uint64_t i = 0; i < lines; i++) {
            const uint64_t before = accumulator[i];
            accumulator[i] += load(reference_input(&here, i, k), wide);
            store(reference_output(&here, i, k), exclusive ? before : accumulator[i], wide);
        }
}

/* `wide` is a constant in each call, and a single line's accumulator stays in a register. */
void cumsum_reference_integer_lines(const cumsum_panel *panel,
                                    const cumsum_arithmetic *arithmetic) {
    const bool wide = cumsum_data_type_size(arithmetic->type) == 8;
    if (wide && panel->lines == 1)
        compute_lines(panel, 1, true, arithmetic->exclusive);
    else if (wide)
        compute_lines(panel, panel->lines, true, arithmetic->exclusive);
    else if (panel->lines == 1)
        compute_lines(panel, 1, false, arithmetic->exclusive);
    else
        compute_lines(panel, panel->lines, false, arithmetic->exclusive);
}
