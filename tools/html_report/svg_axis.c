/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "failure_bins.h"
#include "results_words.h"
#include "svg_plot.h"

typedef struct axis_bins {
    failure_bins bins;
    uint64_t lines; /* elements at one index */
    uint64_t differing[FAILURE_BINS];
    uint64_t worst[FAILURE_BINS];
    bool nan[FAILURE_BINS]; /* NaN alone */
    uint64_t most;          /* of worst */
} axis_bins;

/* False where the members are not those of a dimension of this size. */
static bool collect(axis_bins *a, json_object *along) {
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
    if (!collect(&a, along))
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
