/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROFILE_H
#define CUMSUM_TOOLS_PROFILE_H

/* The indices of a dimension in at most 64 bins of equal width, of which the last may be narrower:
 * what is told of a failure stays small however large the tensor is. */

#include <json-c/json.h>
#include <stdint.h>

#include "layout.h"

#define FAILURE_BINS 64

typedef struct failure_bins {
    uint32_t dimension;
    uint32_t size;  /* of the dimension, at least 1 */
    uint32_t width; /* indices in a bin */
    uint32_t count; /* of bins */
} failure_bins;

static inline failure_bins failure_bins_of(uint32_t dimension, uint32_t size) {
    uint32_t width = (size - 1) / FAILURE_BINS + 1;
    return (failure_bins){dimension, size, width, (size - 1) / width + 1};
}

/* How many indices are in a bin. */
static inline uint32_t failure_bin_span(const failure_bins *bins, uint32_t bin) {
    uint32_t left = bins->size - bin * bins->width;
    return left < bins->width ? left : bins->width;
}

/*
 * Where in a tensor elements differ, seen along two of its dimensions. All pairs are counted at
 * once; of these the most telling is shown: the one whose counts are furthest from what they would
 * be if the same number of elements differed anywhere (by the Kullback-Leibler divergence).
 */

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

/* For a tensor of one dimension at least. failure_heat_free frees it. */
void failure_heat_init(failure_heat *heat, const layout *tensor);
void failure_heat_free(failure_heat *heat);

/* Counts the elements of one row along the last dimension: `at` are its coordinates, row[b] is how
 * many differ in bin b of failure_bins_of the last dimension. */
void failure_heat_add(failure_heat *heat, const uint32_t *at, const uint64_t row[FAILURE_BINS]);

/* On ties the pair that contains the axis, then the one with more bins. */
const failure_grid *failure_heat_best(const failure_heat *heat, uint32_t axis);

/* How many elements of the tensor are in a cell. */
uint64_t failure_cell_elements(const failure_grid *grid, uint64_t elements, uint32_t row,
                               uint32_t column);

/* What an output that is wrong looks like: how far off, how far along the axis, and where. Its size
 * does not depend on the tensor's. */

typedef struct failure_profile {
    cumsum_data_type type;
    uint64_t elements;     /* of the tensor */
    uint64_t sign_of_zero; /* 0 ulp apart: +0 and -0 */
    uint64_t ulps[64];     /* [k]: from 2^k ulp to below 2^(k+1) */
    uint64_t nan;          /* a NaN against a number: no distance */
    failure_bins axis;     /* by index, whatever the direction */
    uint64_t axis_differing[FAILURE_BINS];
    uint64_t axis_worst[FAILURE_BINS]; /* ulps; UINT64_MAX of a floating-point type: NaN alone */
    failure_grid heat;
} failure_profile;

/* Compares the elements that the tensor addresses. Both point to the element with all indices 0.
 * The caller frees it. */
failure_profile *failure_profile_of(const layout *tensor, uint32_t axis,
                                    const unsigned char *expected, const unsigned char *actual);

/*
 * "ulpHistogram": {"signOfZero", "nan", "log2": [how many are 1, 2-3, 4-7, ... ulp apart]}
 * "alongAxis":    {"dimension", "binSize", "differing": [...], "worst": [ulps; null: NaN alone]}
 * "heatMap":      {"rows", "rowSize", "columns", "columnSize", "differing": ["..3#", ...]}: a
 *                 string a row, a character a cell: '.' nothing differs, a digit so many tenths of
 *                 the elements rounded down, '#' all. "rows" is null where there is one row only.
 */
void failure_profile_fields(json_object *fields, const failure_profile *profile);

#endif
