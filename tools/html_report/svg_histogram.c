/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "results_words.h"
#include "svg_plot.h"

/* Distances up to 2^63, and a column each for the sign of zero and NaN. */
#define COLUMNS_MOST 66

/* Fewer would be too wide. */
#define POWERS_LEAST 8

typedef struct histogram_column {
    uint64_t count;
    char label[24]; /* "16", "2^20", "NaN" */
    char range[60]; /* "16 to 31 ulp" */
    bool special;
} histogram_column;

typedef struct histogram_columns {
    histogram_column list[COLUMNS_MOST];
    uint32_t count;
    uint64_t most;
} histogram_columns;

static histogram_column *add(histogram_columns *columns, uint64_t count) {
    histogram_column *column = &columns->list[columns->count++];
    *column = (histogram_column){.count = count};
    columns->most = count > columns->most ? count : columns->most;
    return column;
}

static void add_special(histogram_columns *columns, uint64_t count, const char *label,
                        const char *range) {
    if (count) {
        histogram_column *column = add(columns, count);
        snprintf(column->label, sizeof column->label, "%s", label);
        snprintf(column->range, sizeof column->range, "%s", range);
        column->special = true;
    }
}

static void add_power(histogram_columns *columns, uint32_t power, uint64_t count,
                      const char *unit) {
    histogram_column *column = add(columns, count);
    uint64_t least = UINT64_C(1) << power;
    if (power < 14)
        snprintf(column->label, sizeof column->label, "%" PRIu64, least);
    else
        snprintf(column->label, sizeof column->label, "2^%" PRIu32, power);
    snprintf(column->range, sizeof column->range, "%" PRIu64 " to %" PRIu64 " %s", least,
             least + (least - 1), unit);
}

static void collect(histogram_columns *columns, json_object *histogram, const char *unit) {
    json_object *powers = results_member(histogram, "log2", json_type_array);
    size_t count = powers ? json_object_array_length(powers) : 0;
    add_special(columns, results_number(histogram, "signOfZero", 0),
                "\xc2\xb1"
                "0",
                "+0 and -0");
    for (uint32_t power = 0; power < 64 && (power < count || power < POWERS_LEAST); power++) {
        json_object *number = power < count ? json_object_array_get_idx(powers, power) : NULL;
        add_power(columns, power, json_object_get_uint64(number), unit);
    }
    add_special(columns, results_number(histogram, "nan", 0), "NaN", "a NaN against a number");
}

static void draw_columns(const svg_plot *plot, const histogram_columns *columns) {
    uint32_t labels = columns->count < 15 ? 9 : 7; /* as many have room */
    uint32_t step = (columns->count + labels - 1) / labels;
    for (uint32_t i = 0; i < columns->count; i++) {
        const histogram_column *c = &columns->list[i];
        char title[120];
        snprintf(title, sizeof title, "%s: %" PRIu64, c->range, c->count);
        if (c->count) {
            svg_column(plot, i, columns->count, (double)c->count / (double)columns->most,
                       c->special ? "special" : "column", title);
        }
        if (c->special || i % step == 0)
            svg_below_label(plot, (i + 0.5) / columns->count, c->label);
    }
}

void svg_histogram(FILE *out, json_object *histogram, const char *unit) {
    histogram_columns columns = {.count = 0};
    const svg_plot plot = {out, 58, 8, 252, 120};
    char most[24];
    char title[40];
    collect(&columns, histogram, unit);
    if (!columns.most)
        return;
    svg_begin(out, 320, 162, "How far apart expected and actual elements are");
    svg_frame(&plot);
    snprintf(most, sizeof most, "%" PRIu64, columns.most);
    snprintf(title, sizeof title, "distance%s%s", *unit ? " in " : "", unit);
    svg_left_label(&plot, 0, "0");
    svg_left_label(&plot, 1, most);
    svg_left_title(&plot, "elements");
    draw_columns(&plot, &columns);
    svg_below_title(&plot, title);
    svg_end(out, "How far off: each column is a power of two");
}
