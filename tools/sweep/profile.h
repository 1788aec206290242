/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROFILE_H
#define CUMSUM_TOOLS_PROFILE_H

/* What an output that is wrong looks like: how far off, how far along the axis, and where. A
 * dimension is divided into at most 64 bins of equal width, of which the last may be narrower, so
 * the profile is small however large the tensor is. */

#include "json_tree.h"

#include "layout.h"

/*
 * Compares the elements that the tensor addresses; both point to the element with all indices 0.
 * Returns false, and adds nothing, if they are the same. Adds to `fields`:
 *
 * "ulpHistogram": {"signOfZero", "nan", "log2": [how many are 1, 2-3, 4-7, ... ulp apart]}
 * "alongAxis":    {"dimension", "binSize", "differing": [...], "worst": [ulps; null: NaN alone]},
 *                 by index, whatever the direction
 * "heatMap":      {"rows", "rowSize", "columns", "columnSize", "differing": ["..3#", ...]}: a
 *                 string a row, a character a cell: '.' nothing differs, a digit: the tenths of the
 *                 elements, rounded down, '#' all. "rows" is null where there is one row only.
 *
 * The map has the pair of dimensions that tells most: the one whose counts are furthest from what
 * they would be if the same number of elements differed anywhere (by the Kullback-Leibler
 * divergence); on ties the pair that contains the axis, then the one with more bins.
 */
bool failure_profile_fields(json_object *fields, const layout *tensor, uint32_t axis,
                            const unsigned char *expected, const unsigned char *actual);

#endif
