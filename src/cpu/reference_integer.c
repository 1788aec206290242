/* SPDX-License-Identifier: MIT */
/* Integers: sums modulo 2^32 or 2^64. Two's complement makes signed and unsigned the same bits, and
 * C's unsigned arithmetic is the one that wraps. */
#include "reference.h"

#include <string.h>

static inline void lines_of_32(const cumsum_panel *panel, uint64_t lines, bool exclusive) {
    const cumsum_panel here = *panel; /* a copy, which no output can overlap */
    uint32_t tally[REFERENCE_LINES] = {0};
    for (uint64_t k = 0; k < here.length; k++)
        for (uint64_t i = 0; i < lines; i++) {
            uint32_t element;
            memcpy(&element, reference_input(&here, i, k), sizeof element);
            const uint32_t before = tally[i];
            tally[i] += element;
            const uint32_t result = exclusive ? before : tally[i];
            memcpy(reference_output(&here, i, k), &result, sizeof result);
        }
}

static inline void lines_of_64(const cumsum_panel *panel, uint64_t lines, bool exclusive) {
    const cumsum_panel here = *panel; /* a copy, which no output can overlap */
    uint64_t tally[REFERENCE_LINES] = {0};
    for (uint64_t k = 0; k < here.length; k++)
        for (uint64_t i = 0; i < lines; i++) {
            uint64_t element;
            memcpy(&element, reference_input(&here, i, k), sizeof element);
            const uint64_t before = tally[i];
            tally[i] += element;
            const uint64_t result = exclusive ? before : tally[i];
            memcpy(reference_output(&here, i, k), &result, sizeof result);
        }
}

/* One line is the same as some, with its tally in a register. */
void cumsum_reference_integer_lines(const cumsum_panel *panel,
                                    const cumsum_arithmetic *arithmetic) {
    const bool wide = cumsum_data_type_size(arithmetic->type) == 8;
    if (wide && panel->lines == 1)
        lines_of_64(panel, 1, arithmetic->exclusive);
    else if (wide)
        lines_of_64(panel, panel->lines, arithmetic->exclusive);
    else if (panel->lines == 1)
        lines_of_32(panel, 1, arithmetic->exclusive);
    else
        lines_of_32(panel, panel->lines, arithmetic->exclusive);
}
