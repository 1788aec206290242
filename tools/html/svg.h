/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SVG_H
#define CUMSUM_TOOLS_SVG_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Charts as inline SVG. A plot is the rectangle that values are drawn into; labels are around it.
 */

typedef struct svg_plot {
    FILE *out;
    double left; /* in pixels of the picture, as all numbers here */
    double top;
    double width;
    double height;
} svg_plot;

/* <figure><svg>. what: read aloud in place of the picture, and below it. */
void svg_begin(FILE *out, double width, double height, const char *what);
/* caption: below the picture. */
void svg_end(FILE *out, const char *caption);

/* The frame with a line in its middle. */
void svg_frame(const svg_plot *plot);

/* A column `index` of `count`, from the bottom up to `share` (0 to 1) of the height; at least a
 * hairline. class: of the style. title: what a pointer on it shows. */
void svg_column(const svg_plot *plot, uint32_t index, uint32_t count, double share,
                const char *class, const char *title);

/* Text left of the plot at that share of its height, below it at that share of its width, and the
 * titles of both axes. */
void svg_left_label(const svg_plot *plot, double share, const char *text);
void svg_below_label(const svg_plot *plot, double share, const char *text);
void svg_below_last_label(const svg_plot *plot, const char *text); /* ends where the plot ends */
void svg_left_title(const svg_plot *plot, const char *text);
void svg_below_title(const svg_plot *plot, const char *text);

/* The charts of a failing case; where the record has no such member, nothing. unit: of distances.
 */
void svg_histogram(FILE *out, json_object *histogram, const char *unit);

/* size: of the dimension; decreasing: which way the sum goes. elements: of the tensor. */
void svg_axis(FILE *out, json_object *along, uint32_t size, bool decreasing, uint64_t elements,
              const char *unit);

/* sizes: of the dimensions. axis: which of them is summed along. first: coordinates of the first
 * mismatch, or NULL. */
void svg_heat(FILE *out, json_object *map, uint32_t rank, const uint32_t *sizes, uint32_t axis,
              json_object *first);

#endif
