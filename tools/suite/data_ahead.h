/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_DATA_AHEAD_H
#define CUMSUM_TOOLS_DATA_AHEAD_H

/*
 * For rows across the axis. Neighbours in such a row are a whole line apart in the period, each in
 * another cache line, and what the next row needs lies beside them: so the elements of some rows
 * are fetched together.
 */

#include "data_period.h"

/* Elements of each line. */
#define DATA_AHEAD UINT64_C(16)

typedef struct data_ahead {
    uint64_t count;          /* the elements of a row */
    unsigned char *elements; /* [count][DATA_AHEAD], or NULL: rows are not such ones, or so long
                                that their elements in the period do not fit */
    uint64_t line;           /* of the row's first element */
    uint64_t k;              /* the place in its line of elements[0] */
    bool fetched;
} data_ahead;

/* For a tensor of `total` elements with the period's case and rows along its last dimension. */
data_ahead data_ahead_for(const data_period *period, uint64_t total);
void data_ahead_free(data_ahead *ahead);

/* Where the element of a row's first line at a place lies; the next line's is DATA_AHEAD elements
 * further. */
uint64_t data_ahead_fetch(data_ahead *ahead, const data_period *period, const data_place *start);

#endif
