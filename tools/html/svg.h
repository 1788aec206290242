/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SVG_H
#define CUMSUM_TOOLS_SVG_H

/* The charts of a failing case, as inline SVG. Their data are members of the case's record, which
 * sweep/profile.h describes. A chart whose data are missing, or do not fit the tensor, is left out.
 * unit: of distances; "" for integers. */

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How many elements have which distance. */
void svg_histogram(FILE *out, json_object *histogram, const char *unit);

/* Which elements along the axis differ, and by how much. size: of the dimension. elements: of the
 * tensor. */
void svg_axis(FILE *out, json_object *along, uint32_t size, bool decreasing, uint64_t elements,
              const char *unit);

/* Where elements differ in two dimensions of the tensor. sizes: of all dimensions. first:
 * coordinates of the first mismatch, or NULL. */
void svg_heat(FILE *out, json_object *map, uint32_t rank, const uint32_t *sizes, uint32_t axis,
              json_object *first);

#endif
