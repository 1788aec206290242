/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SHOW_LINE_H
#define CUMSUM_TOOLS_SHOW_LINE_H

/* A failure explained: a place of the output, and the line of the scan around it. */

#include <cumsum/cumsum.h>
#include <stdio.h>

#include "layout.h"

/* The three tensors of a failure, each from the element with all indices 0. */
typedef struct line_view {
    uint32_t axis;
    layout input;
    layout expected;
    layout actual;
    const unsigned char *input_bytes;
    const unsigned char *expected_bytes; /* NULL: not known, the column is left out */
    const unsigned char *actual_bytes;
    const char *expected_title; /* "expected" or "exact" */
} line_view;

/* "5 (0x40a00000)" */
void show_value(FILE *out, cumsum_data_type type, uint64_t bits);

/* "3 ulp apart" or "a NaN against a number"; for integers "3 apart". */
void show_distance(FILE *out, cumsum_data_type type, uint64_t ulps);

/* A table of the elements next to `coordinates` along the axis, that place marked with '>'. */
void show_line(FILE *out, const line_view *view, const uint32_t *coordinates);

#endif
