/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_HEAT_H
#define CUMSUM_TOOLS_FAILURE_HEAT_H

/*
 * Where in a tensor elements differ, seen along two of its dimensions. All pairs are counted at
 * once; of these the most telling is shown: the one whose counts are furthest from what they would
 * be if the same number of elements differed anywhere (by the Kullback-Leibler divergence).
 */

#include "failure_bins.h"
#include "layout.h"

/* In place of a dimension: the tensor has no two that are longer than 1. */
#define FAILURE_NO_DIMENSION UINT32_MAX

typedef struct failure_grid {
    failure_bins rows; /* the dimension before that of the columns; or FAILURE_NO_DIMENSION,
                          which is one bin of one index */
    failure_bins columns;
    uint64_t differing[FAILURE_BINS][FAILURE_BINS]; /* [row][column] */
} failure_grid;

typedef struct failure_heat {
    failure_grid *grids;
    uint32_t count;
    uint32_t last;     /* the dimension that rows of elements run along */
    uint64_t elements; /* of the tensor */
} failure_heat;

/* For a tensor of one dimension at least. failure_heat_end frees it. */
void failure_heat_begin(failure_heat *heat, const layout *tensor);
void failure_heat_end(failure_heat *heat);

/* Counts the elements of one row along the last dimension: `at` are its coordinates, row[b] is how
 * many differ in bin b of failure_bins_of the last dimension. */
void failure_heat_add(failure_heat *heat, const uint32_t *at, const uint64_t row[FAILURE_BINS]);

/* Of pairs that tell the same, the one with the axis, then the one with more bins. */
const failure_grid *failure_heat_best(const failure_heat *heat, uint32_t axis);

/* How many elements of the tensor are in a cell. */
uint64_t failure_cell_elements(const failure_grid *grid, uint64_t elements, uint32_t row,
                               uint32_t column);

#endif
