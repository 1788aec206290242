/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMPARE_H
#define CUMSUM_TOOLS_COMPARE_H

#include <cumsum/oracle.h>
#include <json-c/json.h>

#include "layout.h"
#include "show_line.h"

/* Bit for bit comparison of a tensor with what it should be, NaN equal to NaN. */

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

/* Compares the elements that the tensor addresses. Both point to the element with all indices 0. */
comparison compare_tensors(const layout *tensor, const unsigned char *expected,
                           const unsigned char *actual);

/* A comparison that found differences, in words and in JSON. */

/* How many elements differ, the first and the worst, and the lines around them. To be freed. */
char *comparison_explain(const comparison *c, const line_view *view);

/* "outputs", "differing" and, where some differ, "first" and "worst". */
void comparison_fields(json_object *fields, const layout *tensor, const comparison *c);

#endif
