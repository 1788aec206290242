/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROFILE_H
#define CUMSUM_TOOLS_PROFILE_H

/* Where an output is wrong, as a map of two dimensions. A dimension is divided into at most 64 bins
 * of equal width, of which the last may be narrower, so the map is small however large the tensor
 * is. */

#include "json_tree.h"

#include "layout.h"

/*
 * Compares the elements that the tensor addresses; both point to the element with all indices 0.
 * Returns false, and adds nothing, if they are the same. Adds to `fields`:
 *
 * "heatMap": {"rows", "rowSize", "columns", "columnSize", "differing": ["..3#", ...]}: a string a
 *            row, a character a cell: '.' nothing differs, a digit: the tenths of the elements,
 *            rounded down, '#' all. The two dimensions are the axis and the longest other one;
 *            "rows" is null where no other is longer than 1.
 */
bool failure_profile_fields(json_object *fields, const layout *tensor, uint32_t axis,
                            const unsigned char *expected, const unsigned char *actual);

#endif
