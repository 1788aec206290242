/* SPDX-License-Identifier: MIT */
/* The table of element types, and elements as doubles. */
#include "line_format.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "element.h"

/* In FLOAT16 the unit is the smallest number, because M has to absorb it in a binary32 accumulator
 * too. */
static const line_format formats[] = {
    {CUMSUM_DATA_TYPE_FLOAT32, 24, -126, 127, 1, 0x1p127, 1u << 24},
    {CUMSUM_DATA_TYPE_FLOAT16, 11, -14, 15, 0x1p-24, 0x1p15, 1u << 11},
    {CUMSUM_DATA_TYPE_FLOAT64, 53, -1022, 1023, 1, 0x1p1023, 1u << 24},
    {CUMSUM_DATA_TYPE_BFLOAT16, 8, -126, 127, 1, 0x1p127, 1u << 8},
};

const line_format *line_format_of(cumsum_data_type type) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].type == type)
            return &formats[i];
    return NULL;
}

static uint16_t bfloat16_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* To a multiple of the last of 8 digits, or of 2^-133. rint() rounds to nearest even, and the other
 * steps are exact. */
static float bfloat16_nearest(double value) {
    int exponent;
    if (value == 0 || !isfinite(value))
        return (float)value;
    frexp(value, &exponent);
    const int last = exponent - 8 < -133 ? -133 : exponent - 8;
    return (float)ldexp(rint(ldexp(value, -last)), last);
}

double line_load(cumsum_data_type type, const void *elements, size_t at) {
    const unsigned char *bytes = elements;
    return element_value(type, element_load(bytes + at * cumsum_data_type_size(type), type));
}

/* The numbers that are stored as FLOAT16 are exact in binary32, or far from halfway. */
void line_store(cumsum_data_type type, void *elements, size_t at, double value) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        ((uint16_t *)elements)[at] = cumsum_half_from_float((float)value, CUMSUM_HALF_STORE_IEEE);
        break;
    case CUMSUM_DATA_TYPE_BFLOAT16:
        ((uint16_t *)elements)[at] = bfloat16_bits(bfloat16_nearest(value));
        break;
    case CUMSUM_DATA_TYPE_FLOAT64:
        ((double *)elements)[at] = value;
        break;
    default:
        ((float *)elements)[at] = (float)value;
    }
}

double line_rounded(cumsum_data_type type, double value) {
    uint64_t element;
    line_store(type, &element, 0, value);
    return line_load(type, &element, 0);
}

void line_store_truncated(void *elements, size_t at, float value) {
    ((uint16_t *)elements)[at] = bfloat16_bits(value);
}
