/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DATA_PERIOD_H
#define CUMSUM_TOOLS_DATA_PERIOD_H

/* The elements of a case, or the random bits of one period of them: drawing is slow, and a large
 * tensor needs each of them often. */

#include <string.h>

#include "case_data.h"

typedef struct data_period {
    const case_spec *spec;
    const unsigned char *elements; /* of a period, where they depend on their random bits alone, of
                                      data_drawn; or NULL */
    uint32_t (*words)[4];          /* the random bits of a period, where that pays, or NULL */
} data_period;

/* For a tensor of `count` elements. */
data_period data_period_of(const case_spec *c, uint64_t count);
void data_period_free(data_period *period);

/* The element at a place, of which type, line, k and n are filled in. */
uint64_t data_period_element(const data_period *period, data_place *place);

/* Copies consecutive elements of a period that has them, over its end and on from its start. */
void data_period_copy(const data_period *period, uint64_t index, unsigned char *to, uint64_t count);

/* Writes the low `size` bytes, 2, 4 or 8, of bits. */
static inline void data_store(unsigned char *to, uint32_t size, uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    uint16_t half = (uint16_t)bits;
    if (size == 4)
        memcpy(to, &word, sizeof word);
    else if (size == 8)
        memcpy(to, &bits, sizeof bits);
    else
        memcpy(to, &half, sizeof half);
}

#endif
