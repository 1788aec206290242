/* SPDX-License-Identifier: MIT */
/* Integers: sums modulo 2^32 or 2^64. Two's complement makes signed and unsigned the same bits, and
 * C's unsigned arithmetic is the one that wraps. */
#include "reference.h"

#include <string.h>

static void line_of_32(const reference_line *line, bool exclusive) {
    uint32_t tally = 0;
    for (uint64_t k = 0; k < line->length; k++) {
        uint32_t element;
        memcpy(&element, line->input + (int64_t)k * line->input_step, sizeof element);
        const uint32_t before = tally;
        tally += element;
        const uint32_t result = exclusive ? before : tally;
        memcpy(line->output + (int64_t)k * line->output_step, &result, sizeof result);
    }
}

static void line_of_64(const reference_line *line, bool exclusive) {
    uint64_t tally = 0;
    for (uint64_t k = 0; k < line->length; k++) {
        uint64_t element;
        memcpy(&element, line->input + (int64_t)k * line->input_step, sizeof element);
        const uint64_t before = tally;
        tally += element;
        const uint64_t result = exclusive ? before : tally;
        memcpy(line->output + (int64_t)k * line->output_step, &result, sizeof result);
    }
}

void cumsum_reference_integer_line(const reference_line *line,
                                   const cumsum_arithmetic *arithmetic) {
    if (cumsum_data_type_size(arithmetic->type) == 8)
        line_of_64(line, arithmetic->exclusive);
    else
        line_of_32(line, arithmetic->exclusive);
}
