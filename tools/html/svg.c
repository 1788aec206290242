/* SPDX-License-Identifier: MIT */
/*
 * The three charts of a failing case. Each reads its data from the record, checks that they fit the
 * tensor, and draws: a rectangle for values (plot), columns or cells in it, and labels around it.
 */
#include "svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "html_text.h"
#include "profile.h"
#include "results_words.h"

/* The rectangle that values are drawn into, in pixels of the picture. Labels are around it. */
typedef struct plot {
    FILE *out;
    double left;
    double top;
    double width;
    double height;
} plot;

/* what: the accessible name of the picture. */
static void begin_figure(FILE *out, double width, double height, const char *what) {
    fprintf(out,
            "<figure><svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" "
            "aria-label=\"%s\">\n",
            width, height, width, height, what);
}

static void end_figure(FILE *out, const char *caption) {
    fprintf(out, "</svg><figcaption>%s</figcaption></figure>\n", caption);
}

static void put_rectangle(const plot *p, const char *class, double x, double y, double width,
                          double height) {
    fprintf(p->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            class, x, y, width, height);
}

/* The edge of the plot, with a line at half its height. */
static void put_frame(const plot *p) {
    double middle = p->top + p->height / 2;
    put_rectangle(p, "frame", p->left, p->top, p->width, p->height);
    fprintf(p->out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            p->left, middle, p->left + p->width, middle);
}

/* A column `index` of `count`, up to `share` (0 to 1) of the height, and at least a hairline. The
 * text is shown when a pointer is on it. */
__attribute__((format(printf, 6, 7))) static void put_column(const plot *p, uint32_t index,
                                                             uint32_t count, double share,
                                                             const char *class, const char *format,
                                                             ...) {
    char title[120];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(title, sizeof title, format, arguments);
    va_end(arguments);
    double step = p->width / count;
    double gap = step > 4 ? 1 : 0;
    double full = share > 1 ? p->height : p->height * share;
    double height = full < 1.5 ? 1.5 : full;
    fprintf(p->out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">",
            class, p->left + step * index + gap / 2, p->top + p->height - height, step - gap,
            height);
    html_element(p->out, "title", title);
    fputs("</rect>\n", p->out);
}

typedef enum label_place {
    LABEL_LEFT,        /* beside a share of the height, counted from below */
    LABEL_BELOW,       /* in the middle below a share of the width */
    LABEL_BELOW_END,   /* ends at a share of the width */
    LABEL_BELOW_TITLE, /* in the line under those */
} label_place;

__attribute__((format(printf, 4, 5))) static void put_label(const plot *p, label_place place,
                                                            double share, const char *format, ...) {
    char text[120];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bool left = place == LABEL_LEFT;
    double x = left ? p->left - 4 : p->left + p->width * share;
    double y = left ? p->top + p->height * (1 - share) + 4
                    : p->top + p->height + (place == LABEL_BELOW_TITLE ? 28 : 13);
    fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
            left || place == LABEL_BELOW_END ? "end" : "middle");
    html_text(p->out, text);
    fputs("</text>\n", p->out);
}

/* Upwards along the left edge of the picture. */
static void put_left_title(const plot *p, const char *text) {
    double y = p->top + p->height / 2;
    fprintf(p->out,
            "<text x=\"11\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 11 %.1f)\">",
            y, y);
    html_text(p->out, text);
    fputs("</text>\n", p->out);
}

/* The data of svg_axis: a bin is a range of indices along the axis. */
typedef struct axis_bins {
    failure_bins bins;
    uint64_t lines; /* elements with the same index along the axis */
    uint64_t differing[FAILURE_BINS];
    uint64_t worst[FAILURE_BINS];
    bool nan[FAILURE_BINS]; /* the elements that differ have no distance */
    uint64_t most;          /* of worst */
} axis_bins;

static bool read_axis(axis_bins *a, json_object *along) {
    json_object *differing = results_member(along, "differing", json_type_array);
    json_object *worst = results_member(along, "worst", json_type_array);
    if (!differing || !worst || json_object_array_length(differing) != a->bins.count ||
        json_object_array_length(worst) != a->bins.count ||
        results_number(along, "binSize", 0) != a->bins.width)
        return false;
    for (uint32_t b = 0; b < a->bins.count; b++) {
        json_object *ulps = json_object_array_get_idx(worst, b);
        a->differing[b] = json_object_get_uint64(json_object_array_get_idx(differing, b));
        a->worst[b] = json_object_get_uint64(ulps);
        a->nan[b] = !ulps;
        a->most = a->worst[b] > a->most ? a->worst[b] : a->most;
    }
    return true;
}

/* "16" or "16 to 31" */
static void name_indices(char text[32], const failure_bins *bins, uint32_t bin) {
    uint32_t first = bin * bins->width;
    uint32_t span = failure_bin_span(bins, bin);
    int used = snprintf(text, 32, "%" PRIu32, first);
    if (span > 1)
        snprintf(text + used, 32 - (size_t)used, " to %" PRIu32, first + span - 1);
}

/* The share of the elements that differ, and below it the largest distance on a logarithmic scale.
 */
static void draw_axis(const plot *upper, const plot *lower, const axis_bins *a, const char *unit) {
    char where[32];
    for (uint32_t b = 0; b < a->bins.count; b++) {
        double there = (double)a->lines * failure_bin_span(&a->bins, b);
        name_indices(where, &a->bins, b);
        if (a->differing[b]) {
            put_column(upper, b, a->bins.count, (double)a->differing[b] / there, "column",
                       "%s: %" PRIu64 " of %.0f differ", where, a->differing[b], there);
        }
    }
    put_label(upper, LABEL_LEFT, 0, "0");
    put_label(upper, LABEL_LEFT, 1, "all");
    put_left_title(upper, "differ");
    for (uint32_t b = 0; b < a->bins.count; b++) {
        double share = a->most ? log2((double)a->worst[b] + 1) / log2((double)a->most + 1) : 0;
        name_indices(where, &a->bins, b);
        if (a->nan[b])
            put_column(lower, b, a->bins.count, 1, "special", "%s: a NaN against a number", where);
        else if (a->differing[b])
            put_column(lower, b, a->bins.count, share, "worst", "%s: %" PRIu64 " %s", where,
                       a->worst[b], unit);
    }
    put_label(lower, LABEL_LEFT, 0, "0");
    put_label(lower, LABEL_LEFT, 1, a->most < 100000 ? "%.0f" : "%.1e", (double)a->most);
    put_left_title(lower, *unit ? unit : "distance");
}

void svg_axis(FILE *out, json_object *along, uint32_t size, bool decreasing, uint64_t elements,
              const char *unit) {
    const plot upper = {out, 58, 8, 252, 52};
    const plot lower = {out, 58, 74, 252, 54};
    axis_bins a = {.bins = failure_bins_of(0, size), .lines = elements / size};
    if (!read_axis(&a, along))
        return;
    begin_figure(out, 320, 162, "Which elements along the axis differ, and by how much");
    put_frame(&upper);
    put_frame(&lower);
    draw_axis(&upper, &lower, &a, unit);
    uint32_t step = (a.bins.count + 5) / 6; /* at most six labels have room */
    for (uint32_t b = 0; b < a.bins.count; b += step)
        put_label(&lower, LABEL_BELOW, (b + 0.5) / a.bins.count, "%" PRIu32, b * a.bins.width);
    put_label(&lower, LABEL_BELOW_TITLE, 0.5, "index along dimension %s, summed %s",
              results_text(along, "dimension"),
              decreasing ? "\xe2\x86\x90 downwards" : "upwards \xe2\x86\x92");
    end_figure(out, "Along the axis: how many elements differ, and the largest distance");
}

/* The characters of a map, from few elements of a cell that differ to all. */
static const char levels[] = "0123456789#";

/* The data of svg_heat: a string for each row, a character for each cell. */
typedef struct heat_map {
    failure_bins rows;
    failure_bins columns;
    bool one_row; /* no dimension runs along the rows */
    const char *text[FAILURE_BINS];
} heat_map;

/* The dimension that a member names. */
static bool read_bins(failure_bins *bins, json_object *map, const char *key, uint32_t rank,
                      const uint32_t *sizes) {
    uint64_t dimension = results_number(map, key, UINT64_MAX);
    if (dimension >= rank)
        return false;
    *bins = failure_bins_of((uint32_t)dimension, sizes[dimension]);
    return true;
}

static bool read_heat(heat_map *h, json_object *map, uint32_t rank, const uint32_t *sizes) {
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

/* All cells of a level are one path, and neighbours in a row are one rectangle: a map of 64 x 64
 * cells stays small. */
static void draw_level(const plot *p, const heat_map *h, char letter, double width, double height) {
    bool drawn = false;
    for (uint32_t r = 0; r < h->rows.count; r++) {
        for (uint32_t c = 0; c < h->columns.count;) {
            uint32_t run = 0;
            while (c + run < h->columns.count && h->text[r][c + run] == letter)
                run++;
            if (run && !drawn) {
                double opacity = 0.2 + 0.08 * (double)(strchr(levels, letter) - levels);
                fprintf(p->out, "<path class=\"heat\" fill-opacity=\"%.2f\" d=\"", opacity);
                drawn = true;
            }
            if (run) {
                fprintf(p->out, "M%.5g %.5gh%.5gv%.5gh-%.5gz", p->left + width * c,
                        p->top + height * r, width * run, height, width * run);
            }
            c += run ? run : 1;
        }
    }
    if (drawn)
        fputs("\"/>\n", p->out);
}

/* The bin that coordinates are in. False if they are outside the tensor. */
static bool find_bin(const failure_bins *bins, json_object *coordinates, uint32_t *bin) {
    json_object *number =
        coordinates ? json_object_array_get_idx(coordinates, bins->dimension) : NULL;
    uint64_t index = json_object_get_uint64(number);
    *bin = (uint32_t)(index < bins->size ? index / bins->width : 0);
    return number && index < bins->size;
}

static void put_dimension_label(const plot *p, const failure_bins *bins, uint32_t axis, bool left) {
    char title[48];
    snprintf(title, sizeof title, "dimension %" PRIu32 "%s", bins->dimension,
             bins->dimension == axis ? " (axis)" : "");
    if (left) {
        put_label(p, LABEL_LEFT, 1 - 0.5 / bins->count, "0");
        put_label(p, LABEL_LEFT, 0.5 / bins->count, "%" PRIu32, bins->size - 1);
        put_left_title(p, title);
        return;
    }
    put_label(p, LABEL_BELOW, 0.5 / bins->count, "0");
    if (bins->size > 1)
        put_label(p, LABEL_BELOW_END, 1, "%" PRIu32, bins->size - 1);
    put_label(p, LABEL_BELOW_TITLE, 0.5, "%s", title);
}

void svg_heat(FILE *out, json_object *map, uint32_t rank, const uint32_t *sizes, uint32_t axis,
              json_object *first) {
    heat_map h;
    uint32_t column;
    uint32_t row = 0;
    if (!read_heat(&h, map, rank, sizes))
        return;
    double width = fmin(252.0 / h.columns.count, 18); /* of a cell */
    double height = fmin(192.0 / h.rows.count, 18);
    const plot p = {out, 58, 8, width * h.columns.count, height * h.rows.count};
    /* The titles need room even if there are few cells. */
    begin_figure(out, fmax(p.width, 130) + 68, 42 + fmax(p.height, h.one_row ? 0 : 96),
                 "Where in the tensor elements differ");
    for (const char *letter = levels; *letter; letter++)
        draw_level(&p, &h, *letter, width, height);
    put_rectangle(&p, "frame", p.left, p.top, p.width, p.height);
    if (find_bin(&h.columns, first, &column) && (h.one_row || find_bin(&h.rows, first, &row)))
        put_rectangle(&p, "mark", p.left + width * column, p.top + height * row, width, height);
    put_dimension_label(&p, &h.columns, axis, false);
    if (!h.one_row)
        put_dimension_label(&p, &h.rows, axis, true);
    end_figure(
        out, "Where: the darker a cell, the more of it differs; the first difference is outlined");
}

/* Distances up to 2^63, and a column each for the sign of zero and for NaN. */
#define COLUMNS_MAX 66

/* The least number of powers of two, since columns would be too wide otherwise. */
#define POWERS_MIN 8

typedef struct histogram_column {
    uint64_t count;
    char label[24]; /* "16", "2^20", "NaN" */
    char range[60]; /* "16 to 31 ulp" */
    bool special;
} histogram_column;

typedef struct histogram_columns {
    histogram_column list[COLUMNS_MAX];
    uint32_t count;
    uint64_t most;
} histogram_columns;

static histogram_column *add_column(histogram_columns *columns, uint64_t count) {
    histogram_column *column = &columns->list[columns->count++];
    *column = (histogram_column){.count = count};
    columns->most = count > columns->most ? count : columns->most;
    return column;
}

static void add_special(histogram_columns *columns, uint64_t count, const char *label,
                        const char *range) {
    if (count) {
        histogram_column *column = add_column(columns, count);
        snprintf(column->label, sizeof column->label, "%s", label);
        snprintf(column->range, sizeof column->range, "%s", range);
        column->special = true;
    }
}

static void read_histogram(histogram_columns *columns, json_object *histogram, const char *unit) {
    json_object *powers = results_member(histogram, "log2", json_type_array);
    size_t count = powers ? json_object_array_length(powers) : 0;
    add_special(columns, results_number(histogram, "signOfZero", 0),
                "\xc2\xb1"
                "0",
                "+0 and -0");
    for (uint32_t power = 0; power < 64 && (power < count || power < POWERS_MIN); power++) {
        json_object *number = power < count ? json_object_array_get_idx(powers, power) : NULL;
        histogram_column *column = add_column(columns, json_object_get_uint64(number));
        uint64_t least = UINT64_C(1) << power;
        if (power < 14)
            snprintf(column->label, sizeof column->label, "%" PRIu64, least);
        else
            snprintf(column->label, sizeof column->label, "2^%" PRIu32, power);
        snprintf(column->range, sizeof column->range, "%" PRIu64 " to %" PRIu64 " %s", least,
                 least + (least - 1), unit);
    }
    add_special(columns, results_number(histogram, "nan", 0), "NaN", "a NaN against a number");
}

void svg_histogram(FILE *out, json_object *histogram, const char *unit) {
    histogram_columns columns = {.count = 0};
    const plot p = {out, 58, 8, 252, 120};
    read_histogram(&columns, histogram, unit);
    if (!columns.most)
        return;
    begin_figure(out, 320, 162, "How far apart expected and actual elements are");
    put_frame(&p);
    put_label(&p, LABEL_LEFT, 0, "0");
    put_label(&p, LABEL_LEFT, 1, "%" PRIu64, columns.most);
    put_left_title(&p, "elements");
    uint32_t labels = columns.count < 15 ? 9 : 7; /* that have room */
    uint32_t step = (columns.count + labels - 1) / labels;
    for (uint32_t i = 0; i < columns.count; i++) {
        const histogram_column *c = &columns.list[i];
        if (c->count) {
            put_column(&p, i, columns.count, (double)c->count / (double)columns.most,
                       c->special ? "special" : "column", "%s: %" PRIu64, c->range, c->count);
        }
        if (c->special || i % step == 0)
            put_label(&p, LABEL_BELOW, (i + 0.5) / columns.count, "%s", c->label);
    }
    put_label(&p, LABEL_BELOW_TITLE, 0.5, "distance%s%s", *unit ? " in " : "", unit);
    end_figure(out, "Distances: each column is a power of two");
}
