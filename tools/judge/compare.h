/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMPARE_H
#define CUMSUM_TOOLS_COMPARE_H

/* The comparison of an output with the expected one, bit for bit; two NaNs are equal. */

#include <cumsum/oracle.h>

#include "json_tree.h"
#include "layout.h"
#include "words.h"

typedef struct difference {
    uint32_t coordinates[CUMSUM_MAX_DIMENSIONS];
    uint64_t expected;
    uint64_t actual;
    uint64_t ulps; /* UINT64_MAX: a NaN against a number */
} difference;

typedef struct comparison {
    uint64_t outputs;
    uint64_t differing;
    difference first; /* in row-major order */
    difference worst; /* the greatest distance, the first of equals */
} comparison;

/* Compares all elements of the tensor. Both pointers are to the element with all indices 0. */
comparison compare_tensors(const layout *tensor, const unsigned char *expected,
                           const unsigned char *actual);

/* "1 (0x3f800000) and 2 (0x40000000), relative error 1"; between: " and " */
void show_both(FILE *out, cumsum_data_type type, const difference *d, const char *between);

/* Describes the differences: their number, the first, the worst, and the lines around these. */
void comparison_explain(FILE *out, const comparison *c, const cumsum_line_view *view);

/* Adds "outputs" and "differing", and if elements differ, "first" and "worst". */
void comparison_fields(json_object *fields, const layout *tensor, const comparison *c);

#endif
