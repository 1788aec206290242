/* SPDX-License-Identifier: MIT */
/*
 * Elements as text. The shortest decimal is found by printing with more and more digits until the
 * text reads back as the same value: C has no function for it.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "writer.h"

/* Does the text, which snprintf has written in the same locale, read as this value, to nearest
 * even? No decimal of so few digits is near enough to the middle of two numbers of 16 bits for the
 * two roundings to matter. */
static bool reads_back(const char *text, cumsum_data_type type, uint64_t bits) {
    const double value =
        type == CUMSUM_DATA_TYPE_FLOAT32 ? (double)strtof(text, NULL) : strtod(text, NULL);
    return element_nearest(type, value) == bits;
}

/*
 * Finds the shortest decimal of a value that is not zero: with more and more digits, the nearest
 * decimal. A power of two has half the gap below it that it has above, so the nearest decimal may
 * lie beyond the lower half gap, and the next one above it still read back. That one never ends in
 * 0: it would have been found with fewer digits.
 */
static void shortest_decimal(char text[CUMSUM_ELEMENT_TEXT], cumsum_data_type type, uint64_t bits,
                             int most) {
    int exponent;
    const double value = element_value(type, bits);
    const bool power_of_two = fabs(frexp(value, &exponent)) == 0.5;
    for (int precision = 1; precision <= most; precision++) {
        snprintf(text, CUMSUM_ELEMENT_TEXT, "%.*g", precision, value);
        if (reads_back(text, type, bits))
            return;
        snprintf(text, CUMSUM_ELEMENT_TEXT, "%#.*g", precision, value); /* with its last zeros */
        char *last = text + strcspn(text, "e") - 1;
        if (*last >= '0' && *last < '9')
            ++*last;
        if (power_of_two && reads_back(text, type, bits))
            return;
    }
}

/* Whole numbers are written with every digit where that is short. */
static void finite_decimal(char text[CUMSUM_ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    const double value = element_value(type, bits);
    const int most = type == CUMSUM_DATA_TYPE_BFLOAT16  ? 4
                     : type == CUMSUM_DATA_TYPE_FLOAT16 ? 5
                     : type == CUMSUM_DATA_TYPE_FLOAT32 ? 9
                                                        : 17;
    if (fabs(value) < 0x1p24 && value == trunc(value)) {
        snprintf(text, CUMSUM_ELEMENT_TEXT, "%.0f", value);
        return;
    }
    shortest_decimal(text, type, bits, most);
    const int before_point = (int)floor(log10(fabs(value))) + 1;
    if (before_point <= most + 1 && strchr(text, 'e') && fabs(value) >= 1)
        snprintf(text, CUMSUM_ELEMENT_TEXT, "%.0f", value);
}

void cumsum_element_decimal(char text[CUMSUM_ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    char local[CUMSUM_ELEMENT_TEXT];
    cumsum_writer w = {text, CUMSUM_ELEMENT_TEXT, 0, false};
    if (!cumsum_data_type_size(type)) {
        cumsum_write(&w, "?");
    } else if (element_is_signed(type)) {
        cumsum_write(&w, "%" PRId64, (int64_t)element_integer(type, bits));
    } else if (!element_is_float(type)) {
        cumsum_write(&w, "%" PRIu64, bits);
    } else if (!element_is_finite(type, bits)) {
        cumsum_write(&w, "%s", NUMBER('g', 1, element_value(type, bits)));
    } else {
        finite_decimal(local, type, bits);
        cumsum_write_with_point(&w, local);
    }
}

void cumsum_element_hex(char text[CUMSUM_ELEMENT_TEXT], cumsum_data_type type, uint64_t bits) {
    snprintf(text, CUMSUM_ELEMENT_TEXT, "0x%0*" PRIx64, (int)(2 * cumsum_data_type_size(type)),
             bits);
}
