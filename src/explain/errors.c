/* SPDX-License-Identifier: MIT */
/*
 * Compares each output with the exact sum of its terms. That is taken as binary64, to which the
 * elements of all types are exact, so that the rounding to the type of the output counts as error.
 */
#include "errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"

/* A walk over outputs that have a line of terms in common: those of a scan, or one sum. */
typedef struct error_walk {
    const cumsum_judged *judged;
    layout terms;    /* of the input: what one line has */
    layout input;    /* what differs from line to line */
    layout output;   /* with the rank of the input; its strides are 0 along summed axes */
    uint32_t axis;   /* of a scan */
    bool decreasing; /* of a scan */
    bool exclusive;  /* of a scan */
    bool sums;
    double *exact; /* the terms of a line */
    cumsum_errors *errors;
    double total; /* of all errors, and of their magnitudes */
    double magnitudes;
} error_walk;

static void add_error(error_walk *w, const uint32_t *at, double sum) {
    cumsum_errors *e = w->errors;
    const cumsum_data_type type = w->output.type;
    const unsigned char *first = w->judged->actual;
    const uint64_t bits = element_load(first + layout_offset(&w->output, at), type);
    const double error = element_value(type, bits) - sum;
    if (!isfinite(error))
        return;
    if (!e->outputs || fabs(error) > e->greatest) {
        e->greatest = fabs(error);
        e->ulps = cumsum_ulp_distance(type, element_nearest(type, sum), bits);
        memcpy(e->coordinates, at, sizeof e->coordinates);
    }
    e->outputs++;
    w->total += error;
    w->magnitudes += fabs(error);
}

/* at: the line's output with the index 0 along the axis. */
static bool measure_line(error_walk *w, uint32_t *at) {
    const cumsum_data_type type = w->terms.type;
    const unsigned char *first =
        (const unsigned char *)w->judged->input + layout_offset(&w->input, at);
    const uint32_t length = (uint32_t)w->terms.count;
    const line_elements line = {(const unsigned char *)w->exact, sizeof *w->exact};
    uint32_t term[CUMSUM_MAX_DIMENSIONS] = {0};
    for (uint32_t k = 0; k < length; k++, layout_next(&w->terms, term))
        w->exact[k] =
            element_value(type, element_load(first + layout_offset(&w->terms, term), type));
    unsigned char *made =
        cumsum_line_sums(&line, CUMSUM_DATA_TYPE_FLOAT64, length, w->decreasing, w->exclusive);
    const double *sums = (const double *)(const void *)made;
    if (w->sums && (sums || !length))
        add_error(w, at, length ? sums[length - 1] : 0);
    for (uint32_t k = 0; k < length && sums && !w->sums; k++) {
        at[w->axis] = w->decreasing ? length - 1 - k : k;
        add_error(w, at, sums[at[w->axis]]);
    }
    at[w->axis] = w->sums ? at[w->axis] : 0;
    free(made);
    return sums || !length;
}

/* Splits the input into the terms of an output and what differs between outputs. False if there is
 * no output. */
static bool begin_walk(error_walk *w) {
    const cumsum_judged *o = w->judged;
    const cumsum_sums_desc *sums = o->sums;
    const layout output = layout_of(buffer_of(sums ? sums->output_tensor : o->desc->output_tensor));
    const uint32_t axes = sums ? sums->axis_count : 1;
    bool summed[CUMSUM_MAX_DIMENSIONS] = {false};
    for (uint32_t a = 0; a < axes; a++)
        summed[sums ? sums->axes[a] : o->desc->axis] = true;
    w->sums = sums != NULL;
    w->axis = sums ? 0 : o->desc->axis;
    w->decreasing = !sums && o->desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING;
    w->exclusive = !sums && o->desc->has_exclusive_sum;
    w->terms = w->input = layout_of(buffer_of(sums ? sums->input_tensor : o->desc->input_tensor));
    w->output = w->input;
    w->terms.count = 1;
    const bool has_all = output.rank == w->input.rank;
    for (uint32_t d = 0, kept = 0; d < w->input.rank; d++) {
        const uint32_t from = has_all ? d : kept;
        w->output.strides[d] = sums && summed[d] ? 0 : output.strides[from];
        kept += !summed[d];
        *(summed[d] ? &w->input.sizes[d] : &w->terms.sizes[d]) = 1;
        w->terms.count *= w->terms.sizes[d];
    }
    return output.count > 0;
}

void cumsum_measure_errors(const cumsum_judged *judged, cumsum_errors *errors) {
    error_walk w = {.judged = judged, .errors = errors};
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    *errors = (cumsum_errors){0};
    if (!element_is_float(judged_type(judged)) ||
        (judged->desc && cumsum_output_may_overlap(judged->desc)) || !begin_walk(&w))
        return;
    bool measured = true;
    w.exact = malloc((w.terms.count + 1) * sizeof *w.exact);
    do {
        measured = w.exact && measure_line(&w, at);
    } while (measured && layout_next(&w.input, at));
    free(w.exact);
    if (!measured)
        *errors = (cumsum_errors){0};
    if (!errors->outputs)
        return;
    errors->mean = w.total / (double)errors->outputs;
    errors->mean_magnitude = w.magnitudes / (double)errors->outputs;
}
