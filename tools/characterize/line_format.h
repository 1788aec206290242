/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LINE_FORMAT_H
#define CUMSUM_TOOLS_LINE_FORMAT_H

/* The element types whose sums depend on the order of additions. Every element of them is a double.
 */

#include <cumsum/cumsum.h>
#include <stddef.h>

typedef struct line_format {
    cumsum_data_type type;
    int digits;    /* of a significand */
    int least;     /* 2^least is the smallest normal number */
    int greatest;  /* 2^greatest is the largest power of 2 */
    double unit;   /* of order_discover.h: lines hold units, M and -M */
    double mask;   /* M: it absorbs any number of units, in wider accumulators than the type too */
    uint32_t most; /* units that every sum of them counts exactly */
} line_format;

/* NULL for other types. */
const line_format *line_format_of(cumsum_data_type type);

/* The element number `at`. line_store rounds to nearest even. */
double line_load(cumsum_data_type type, const void *elements, size_t at);
void line_store(cumsum_data_type type, void *elements, size_t at, double value);

/* The value that line_store stores. */
double line_rounded(cumsum_data_type type, double value);

/* Stores the upper half of a binary32 number as BFLOAT16. */
void line_store_truncated(void *elements, size_t at, float value);

#endif
