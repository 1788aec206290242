/* SPDX-License-Identifier: MIT */
#include "svg.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "html_text.h"
#include "profile.h"
#include "results_words.h"

void svg_begin(FILE *out, double width, double height, const char *what) {
    fprintf(out,
            "<figure><svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" "
            "aria-label=\"",
            width, height, width, height);
    html_text(out, what);
    fputs("\">\n", out);
}

void svg_end(FILE *out, const char *caption) {
    fputs("</svg><figcaption>", out);
    html_text(out, caption);
    fputs("</figcaption></figure>\n", out);
}

void svg_frame(const svg_plot *p) {
    double middle = p->top + p->height / 2;
    fprintf(p->out,
            "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
            "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
            p->left, p->top, p->width, p->height, p->left, middle, p->left + p->width, middle);
}

void svg_column(const svg_plot *p, uint32_t index, uint32_t count, double share, const char *class,
                const char *title) {
    double step = p->width / count;
    double gap = step > 4 ? 1 : 0;
    double full = share > 1 ? p->height : p->height * share;
    double height = full < 1.5 ? 1.5 : full;
    fprintf(
        p->out, "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>",
        class, p->left + step * index + gap / 2, p->top + p->height - height, step - gap, height);
    html_text(p->out, title);
    fputs("</title></rect>\n", p->out);
}

static void put_label(const svg_plot *p, double x, double y, const char *anchor, const char *text) {
    fprintf(p->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    html_text(p->out, text);
    fputs("</text>\n", p->out);
}

void svg_left_label(const svg_plot *p, double share, const char *text) {
    put_label(p, p->left - 4, p->top + p->height * (1 - share) + 4, "end", text);
}

void svg_below_label(const svg_plot *p, double share, const char *text) {
    put_label(p, p->left + p->width * share, p->top + p->height + 13, "middle", text);
}

void svg_below_last_label(const svg_plot *p, const char *text) {
    put_label(p, p->left + p->width, p->top + p->height + 13, "end", text);
}

void svg_left_title(const svg_plot *p, const char *text) {
    double y = p->top + p->height / 2;
    fprintf(p->out,
            "<text x=\"11\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 11 %.1f)\">",
            y, y);
    html_text(p->out, text);
    fputs("</text>\n", p->out);
}

void svg_below_title(const svg_plot *p, const char *text) {
    put_label(p, p->left + p->width / 2, p->top + p->height + 28, "middle", text);
}

typedef struct axis_bins {
    failure_bins bins;
    uint64_t lines; /* elements at one index */
    uint64_t differing[FAILURE_BINS];
    uint64_t worst[FAILURE_BINS];
    bool nan[FAILURE_BINS]; /* NaN alone */
    uint64_t most;          /* of worst */
} axis_bins;

/* False where the members are not those of a dimension of this size. */
static bool collect_bins(axis_bins *a, json_object *along) {
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

static void draw_shares(const svg_plot *plot, const axis_bins *a) {
    for (uint32_t b = 0; b < a->bins.count; b++) {
        char where[32];
        char title[120];
        double there = (double)a->lines * failure_bin_span(&a->bins, b);
        name_indices(where, &a->bins, b);
        snprintf(title, sizeof title, "%s: %" PRIu64 " of %.0f differ", where, a->differing[b],
                 there);
        if (a->differing[b])
            svg_column(plot, b, a->bins.count, (double)a->differing[b] / there, "column", title);
    }
    svg_left_label(plot, 0, "0");
    svg_left_label(plot, 1, "all");
    svg_left_title(plot, "differ");
}

static double logarithm(uint64_t ulps) {
    return log2((double)ulps + 1);
}

static void draw_worst(const svg_plot *plot, const axis_bins *a, const char *unit) {
    char most[24];
    for (uint32_t b = 0; b < a->bins.count; b++) {
        char where[32];
        char title[120];
        double share = a->most ? logarithm(a->worst[b]) / logarithm(a->most) : 0;
        name_indices(where, &a->bins, b);
        snprintf(title, sizeof title, "%s: %" PRIu64 " %s", where, a->worst[b], unit);
        if (a->nan[b]) {
            snprintf(title, sizeof title, "%s: a NaN against a number", where);
            svg_column(plot, b, a->bins.count, 1, "special", title);
        } else if (a->differing[b]) {
            svg_column(plot, b, a->bins.count, share, "worst", title);
        }
    }
    snprintf(most, sizeof most, a->most < 100000 ? "%.0f" : "%.1e", (double)a->most);
    svg_left_label(plot, 0, "0");
    svg_left_label(plot, 1, most);
    svg_left_title(plot, *unit ? unit : "apart");
}

static void label_indices(const svg_plot *plot, const failure_bins *bins) {
    uint32_t step = (bins->count + 5) / 6; /* as many labels have room */
    for (uint32_t b = 0; b < bins->count; b += step) {
        char text[32];
        snprintf(text, sizeof text, "%" PRIu32, b * bins->width);
        svg_below_label(plot, (b + 0.5) / bins->count, text);
    }
}

void svg_axis(FILE *out, json_object *along, uint32_t size, bool decreasing, uint64_t elements,
              const char *unit) {
    const svg_plot upper = {out, 58, 8, 252, 52};
    const svg_plot lower = {out, 58, 74, 252, 54};
    char title[80];
    axis_bins a = {.bins = failure_bins_of(0, size), .lines = elements / size};
    if (!collect_bins(&a, along))
        return;
    svg_begin(out, 320, 162, "Which elements along the axis differ, and by how much");
    svg_frame(&upper);
    svg_frame(&lower);
    draw_shares(&upper, &a);
    draw_worst(&lower, &a, unit);
    label_indices(&lower, &a.bins);
    snprintf(title, sizeof title, "index along dimension %s, summed %s",
             results_text(along, "dimension"),
             decreasing ? "\xe2\x86\x90 downwards" : "upwards \xe2\x86\x92");
    svg_below_title(&lower, title);
    svg_end(out, "Along the axis: how many differ, and the worst of them");
}

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

static bool collect_heat(heat *h, json_object *map, uint32_t rank, const uint32_t *sizes) {
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
    if (!collect_heat(&h, map, rank, sizes))
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

static void collect_columns(histogram_columns *columns, json_object *histogram, const char *unit) {
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
    collect_columns(&columns, histogram, unit);
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
