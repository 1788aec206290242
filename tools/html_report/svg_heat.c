/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "failure_bins.h"
#include "html_text.h"
#include "results_words.h"
#include "svg_plot.h"

/* Letters of the map, from few to all. */
static const char levels[] = "0123456789#";

typedef struct heat {
    failure_bins rows;
    failure_bins columns;
    bool one_row; /* there is no dimension of rows */
    const char *text[FAILURE_BINS];
} heat;

/* The dimension that a member names. False where it does not fit the tensor. */
static bool read_bins(failure_bins *bins, json_object *map, const char *key, uint32_t rank,
                      const uint32_t *sizes) {
    uint64_t dimension = results_number(map, key, UINT64_MAX);
    if (dimension >= rank)
        return false;
    *bins = failure_bins_of((uint32_t)dimension, sizes[dimension]);
    return true;
}

static bool collect(heat *h, json_object *map, uint32_t rank, const uint32_t *sizes) {
    json_object *rows = results_member(map, "differing", json_type_array);
    h->one_row = rows && !results_member(map, "rows", json_type_int);
    h->rows = failure_bins_of(0, 1);
    if (!rows || !read_bins(&h->columns, map, "columns", rank, sizes) ||
        (!h->one_row && !read_bins(&h->rows, map, "rows", rank, sizes)) ||
        json_object_array_length(rows) != h->rows.count)
        return false;
    for (uint32_t r = 0; r < h->rows.count; r++) {
        json_object *row = json_object_array_get_idx(rows, r);
        h->text[r] = json_object_is_type(row, json_type_string) ? json_object_get_string(row) : "";
        if (strlen(h->text[r]) != h->columns.count)
            return false;
    }
    return true;
}

/* All cells of a level are one path; those beside one another one rectangle of it. */
static void draw_level(const svg_plot *plot, const heat *h, char letter, double width,
                       double height) {
    bool drawn = false;
    for (uint32_t r = 0; r < h->rows.count; r++) {
        for (uint32_t c = 0; c < h->columns.count;) {
            uint32_t run = 0;
            while (c + run < h->columns.count && h->text[r][c + run] == letter)
                run++;
            if (run && !drawn) {
                double opacity = 0.2 + 0.08 * (double)(strchr(levels, letter) - levels);
                fprintf(plot->out, "<path class=\"heat\" fill-opacity=\"%.2f\" d=\"", opacity);
                drawn = true;
            }
            if (run) {
                fprintf(plot->out, "M%.5g %.5gh%.5gv%.5gh-%.5gz", plot->left + width * c,
                        plot->top + height * r, width * run, height, width * run);
            }
            c += run ? run : 1;
        }
    }
    if (drawn)
        fputs("\"/>\n", plot->out);
}

/* The bin of the dimension that coordinates are in. False where they are none of the tensor. */
static bool find_bin(const failure_bins *bins, json_object *coordinates, uint32_t *bin) {
    json_object *number =
        coordinates ? json_object_array_get_idx(coordinates, bins->dimension) : NULL;
    uint64_t index = json_object_get_uint64(number);
    *bin = (uint32_t)(index < bins->size ? index / bins->width : 0);
    return number && index < bins->size;
}

static void draw_first(const svg_plot *plot, const heat *h, json_object *first, double width,
                       double height) {
    uint32_t column;
    uint32_t row = 0;
    if (find_bin(&h->columns, first, &column) && (h->one_row || find_bin(&h->rows, first, &row))) {
        fprintf(plot->out,
                "<rect class=\"mark\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                plot->left + width * column, plot->top + height * row, width, height);
    }
}

/* "dimension 1 (axis)" */
static void name_dimension(char text[48], uint32_t dimension, uint32_t axis) {
    snprintf(text, 48, "dimension %" PRIu32 "%s", dimension, dimension == axis ? " (axis)" : "");
}

static void draw_labels(const svg_plot *plot, const heat *h, uint32_t axis) {
    char text[48];
    svg_below_label(plot, 0.5 / h->columns.count, "0");
    if (h->columns.size > 1) {
        snprintf(text, sizeof text, "%" PRIu32, h->columns.size - 1);
        svg_below_last_label(plot, text);
    }
    name_dimension(text, h->columns.dimension, axis);
    svg_below_title(plot, text);
    if (h->one_row)
        return;
    snprintf(text, sizeof text, "%" PRIu32, h->rows.size - 1);
    svg_left_label(plot, 1 - 0.5 / h->rows.count, "0");
    svg_left_label(plot, 0.5 / h->rows.count, text);
    name_dimension(text, h->rows.dimension, axis);
    svg_left_title(plot, text);
}

/* Cells are as large as there is room, and no larger than looks well. */
static double cell_size(double room, uint32_t count) {
    double size = room / count;
    return size > 18 ? 18 : size;
}

void svg_heat(FILE *out, json_object *map, uint32_t rank, const uint32_t *sizes, uint32_t axis,
              json_object *first) {
    heat h;
    if (!collect(&h, map, rank, sizes))
        return;
    double width = cell_size(252, h.columns.count);
    double height = cell_size(192, h.rows.count);
    const svg_plot plot = {out, 58, 8, width * h.columns.count, height * h.rows.count};
    double picture = plot.width < 130 ? 130 + 68 : plot.width + 68;
    double least = h.one_row ? 0 : 96; /* the title beside the rows has its length */
    svg_begin(out, picture, 42 + (plot.height < least ? least : plot.height),
              "Where in the tensor elements differ");
    for (const char *letter = levels; *letter; letter++)
        draw_level(&plot, &h, *letter, width, height);
    fprintf(out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            plot.left, plot.top, plot.width, plot.height);
    draw_first(&plot, &h, first, width, height);
    draw_labels(&plot, &h, axis);
    svg_end(out, "Where: the darker, the more of a cell differs; the first one is outlined");
}
