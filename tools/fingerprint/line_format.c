/* SPDX-License-Identifier: MIT */
/* The table of element types, and elements as doubles. */
#include "line_format.h"

#include <stddef.h>

/* In FLOAT16 the unit is the smallest number, because M has to absorb it in a binary32 accumulator
 * too. */
static const line_format formats[] = {
    {CUMSUM_DATA_TYPE_FLOAT32, 24, -126, 127, 1, 0x1p127, 1u << 24},
    {CUMSUM_DATA_TYPE_FLOAT16, 11, -14, 15, 0x1p-24, 0x1p15, 1u << 11},
};

const line_format *line_format_of(cumsum_data_type type) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].type == type)
            return &formats[i];
    return NULL;
}

double line_load(cumsum_data_type type, const void *elements, size_t at) {
    return type == CUMSUM_DATA_TYPE_FLOAT16
               ? (double)cumsum_half_to_float(((const uint16_t *)elements)[at])
               : (double)((const float *)elements)[at];
}

/* The numbers that are stored as FLOAT16 are exact in binary32, or far from halfway. */
void line_store(cumsum_data_type type, void *elements, size_t at, double value) {
    if (type == CUMSUM_DATA_TYPE_FLOAT16)
        ((uint16_t *)elements)[at] = cumsum_half_from_float((float)value, CUMSUM_HALF_STORE_IEEE);
    else
        ((float *)elements)[at] = (float)value;
}
