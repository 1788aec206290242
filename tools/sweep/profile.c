/* SPDX-License-Identifier: MIT */
/*
 * The profile of a wrong output: a histogram of distances, errors along the axis, and the heat map
 * of the pair of dimensions that tells most. Its size does not depend on the tensor.
 */
#include "profile.h"

#include <cumsum/oracle.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "json_print.h"
#include "memory.h"
#include "report.h"

static void add_grid(failure_heat *heat, failure_bins rows, failure_bins columns) {
    failure_grid *grid = &heat->grids[heat->count++];
    grid->rows = rows;
    grid->columns = columns;
}

void failure_heat_init(failure_heat *heat, const layout *tensor) {
    failure_bins wide[CUMSUM_MAX_DIMENSIONS];
    uint32_t wide_count = 0;
    uint32_t last = tensor->rank - 1;
    for (uint32_t d = 0; d < tensor->rank; d++)
        if (tensor->sizes[d] > 1)
            wide[wide_count++] = failure_bins_of(d, tensor->sizes[d]);
    uint32_t pairs = wide_count < 2 ? 1 : wide_count * (wide_count - 1) / 2;
    *heat = (failure_heat){
        .grids = tool_calloc(pairs, sizeof *heat->grids), .last = last, .elements = tensor->count};
    if (wide_count < 2) {
        add_grid(heat, failure_bins_of(FAILURE_NO_DIMENSION, 1),
                 wide_count ? wide[0] : failure_bins_of(last, 1));
    }
    for (uint32_t i = 0; i < wide_count; i++)
        for (uint32_t j = i + 1; j < wide_count; j++)
            add_grid(heat, wide[i], wide[j]);
}

void failure_heat_free(failure_heat *heat) {
    free(heat->grids);
    heat->grids = NULL;
}

void failure_heat_add(failure_heat *heat, const uint32_t *at, const uint64_t row[FAILURE_BINS]) {
    uint64_t total = 0;
    for (uint32_t b = 0; b < FAILURE_BINS; b++)
        total += row[b];
    for (uint32_t g = 0; g < heat->count; g++) {
        failure_grid *grid = &heat->grids[g];
        const failure_bins *rows = &grid->rows;
        bool named = rows->dimension != FAILURE_NO_DIMENSION;
        uint64_t *cells = grid->differing[named ? at[rows->dimension] / rows->width : 0];
        if (grid->columns.dimension != heat->last) {
            cells[at[grid->columns.dimension] / grid->columns.width] += total;
            continue;
        }
        for (uint32_t b = 0; b < grid->columns.count; b++)
            cells[b] += row[b];
    }
}

uint64_t failure_cell_elements(const failure_grid *grid, uint64_t elements, uint32_t row,
                               uint32_t column) {
    uint64_t rest = elements / grid->rows.size / grid->columns.size;
    return rest * failure_bin_span(&grid->rows, row) * failure_bin_span(&grid->columns, column);
}

/* The Kullback-Leibler divergence (Kullback and Leibler, On information and sufficiency, 1951) of
 * the differing elements from all elements, times their number, which is the same for all pairs. */
static double divergence(const failure_grid *grid, uint64_t elements) {
    double sum = 0;
    for (uint32_t r = 0; r < grid->rows.count; r++) {
        for (uint32_t c = 0; c < grid->columns.count; c++) {
            double differing = (double)grid->differing[r][c];
            double there = (double)failure_cell_elements(grid, elements, r, c);
            sum += differing > 0 ? differing * log(differing / there) : 0;
        }
    }
    return sum;
}

/* Rounding errors must not decide which of two equal pairs is shown. */
static int compare_scores(double a, double b) {
    double slack = 1e-9 * (fabs(a) + fabs(b));
    return a > b + slack ? 1 : a < b - slack ? -1 : 0;
}

static bool has(const failure_grid *grid, uint32_t dimension) {
    return grid->rows.dimension == dimension || grid->columns.dimension == dimension;
}

static bool is_better(const failure_grid *a, const failure_grid *b, uint32_t axis) {
    if (has(a, axis) != has(b, axis))
        return has(a, axis);
    return a->rows.count * a->columns.count > b->rows.count * b->columns.count;
}

const failure_grid *failure_heat_best(const failure_heat *heat, uint32_t axis) {
    const failure_grid *best = &heat->grids[0];
    double best_score = divergence(best, heat->elements);
    for (uint32_t g = 1; g < heat->count; g++) {
        const failure_grid *grid = &heat->grids[g];
        double score = divergence(grid, heat->elements);
        int order = compare_scores(score, best_score);
        if (order > 0 || (order == 0 && is_better(grid, best, axis))) {
            best = grid;
            best_score = score;
        }
    }
    return best;
}

typedef struct collector {
    const layout *tensor;
    failure_profile *profile;
    failure_heat heat;
    failure_bins last;          /* the dimension along a row */
    uint64_t row[FAILURE_BINS]; /* differing elements in the current row, by bin */
} collector;

static uint32_t floor_log2(uint64_t number) {
    uint32_t log = 0;
    while (number >>= 1)
        log++;
    return log;
}

/* Between floating-point values UINT64_MAX stands for a NaN; between integers it is a distance. */
static bool is_nan_distance(cumsum_data_type type, uint64_t ulps) {
    return element_is_float(type) && ulps == UINT64_MAX;
}

/* Any distance replaces an empty bin, and replaces a NaN, which says less. */
static void note_worst(failure_profile *p, uint32_t bin, uint64_t ulps, bool nan) {
    uint64_t *worst = &p->axis_worst[bin];
    bool nan_alone = is_nan_distance(p->type, *worst);
    if (p->axis_differing[bin] == 1 || nan_alone || (!nan && ulps > *worst))
        *worst = ulps;
}

static void note(collector *c, const uint32_t *at, uint64_t expected, uint64_t actual) {
    failure_profile *p = c->profile;
    uint64_t ulps = cumsum_ulp_distance(p->type, expected, actual);
    bool nan = is_nan_distance(p->type, ulps);
    uint32_t bin = at[p->axis.dimension] / p->axis.width;
    if (nan)
        p->nan++;
    else if (ulps == 0)
        p->sign_of_zero++;
    else
        p->ulps[floor_log2(ulps)]++;
    p->axis_differing[bin]++;
    note_worst(p, bin, ulps, nan);
    c->row[at[c->last.dimension] / c->last.width]++;
}

/* Packed elements are compared by memcmp, so many at a time. */
#define TOGETHER 512

/* Skips groups of equal elements from i on. Returns count if there is no difference. */
static uint32_t skip_equal(const unsigned char *expected, const unsigned char *actual, uint32_t i,
                           uint32_t count, uint64_t size) {
    uint32_t group = count - i < TOGETHER ? count - i : TOGETHER;
    while (i < count && !memcmp(expected + i * size, actual + i * size, group * size)) {
        i += group;
        group = count - i < TOGETHER ? count - i : TOGETHER;
    }
    return i;
}

static void take_row(collector *c, uint32_t *at, const unsigned char *expected,
                     const unsigned char *actual) {
    const layout *tensor = c->tensor;
    uint32_t last = c->last.dimension;
    uint64_t step = tensor->strides[last] * tensor->element_size;
    uint32_t count = tensor->sizes[last];
    bool packed = step == tensor->element_size;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        if (packed && i % TOGETHER == 0) {
            i = skip_equal(expected, actual, i, count, step);
            if (i == count)
                break;
        }
        uint64_t want = element_load(expected + i * step, tensor->type);
        uint64_t have = element_load(actual + i * step, tensor->type);
        if (!cumsum_same_bits(tensor->type, want, have)) {
            at[last] = i;
            note(c, at, want, have);
            any = true;
        }
    }
    at[last] = 0;
    if (any) {
        failure_heat_add(&c->heat, at, c->row);
        memset(c->row, 0, sizeof c->row);
    }
}

failure_profile *failure_profile_of(const layout *tensor, uint32_t axis,
                                    const unsigned char *expected, const unsigned char *actual) {
    uint32_t last = tensor->rank - 1;
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    failure_profile *p = tool_calloc(1, sizeof *p);
    collector c = {
        .tensor = tensor, .profile = p, .last = failure_bins_of(last, tensor->sizes[last])};
    layout rows = *tensor; /* iterates over the rows */
    rows.rank--;
    p->type = tensor->type;
    p->elements = tensor->count;
    p->axis = failure_bins_of(axis, tensor->sizes[axis]);
    failure_heat_init(&c.heat, tensor);
    do {
        uint64_t offset = layout_offset(tensor, at);
        take_row(&c, at, expected + offset, actual + offset);
    } while (layout_next(&rows, at));
    p->heat = *failure_heat_best(&c.heat, axis);
    failure_heat_free(&c.heat);
    return p;
}

static json_object *counts(const uint64_t *numbers, uint32_t count) {
    json_object *array = json_make_array();
    for (uint32_t i = 0; i < count; i++)
        json_put_element(array, json_make_count(numbers[i]));
    return array;
}

/* Without the empty bins at the end. */
static json_object *histogram(const failure_profile *p) {
    json_object *object = json_make_object();
    uint32_t used = 64;
    while (used > 0 && p->ulps[used - 1] == 0)
        used--;
    fields_count(object, "signOfZero", p->sign_of_zero);
    fields_count(object, "nan", p->nan);
    json_put_member(object, "log2", counts(p->ulps, used));
    return object;
}

static json_object *along_axis(const failure_profile *p) {
    json_object *object = json_make_object();
    json_object *worst = json_make_array();
    for (uint32_t b = 0; b < p->axis.count; b++) {
        bool nan_alone = is_nan_distance(p->type, p->axis_worst[b]);
        json_put_element(worst, nan_alone ? NULL : json_make_count(p->axis_worst[b]));
    }
    fields_count(object, "dimension", p->axis.dimension);
    fields_count(object, "binSize", p->axis.width);
    json_put_member(object, "differing", counts(p->axis_differing, p->axis.count));
    json_put_member(object, "worst", worst);
    return object;
}

/* differing * 10 cannot overflow: a cell has fewer than 2^60 elements, since memory has. */
static char share_letter(uint64_t differing, uint64_t elements) {
    return differing == 0          ? '.'
           : differing == elements ? '#'
                                   : "0123456789"[differing * 10 / elements];
}

static json_object *heat_rows(const failure_profile *p) {
    const failure_grid *grid = &p->heat;
    json_object *array = json_make_array();
    for (uint32_t r = 0; r < grid->rows.count; r++) {
        char row[FAILURE_BINS + 1] = "";
        for (uint32_t c = 0; c < grid->columns.count; c++) {
            row[c] =
                share_letter(grid->differing[r][c], failure_cell_elements(grid, p->elements, r, c));
        }
        json_put_element(array, json_make_string(row));
    }
    return array;
}

static json_object *heat_map(const failure_profile *p) {
    json_object *object = json_make_object();
    if (p->heat.rows.dimension == FAILURE_NO_DIMENSION)
        json_put_member(object, "rows", NULL);
    else
        fields_count(object, "rows", p->heat.rows.dimension);
    fields_count(object, "rowSize", p->heat.rows.width);
    fields_count(object, "columns", p->heat.columns.dimension);
    fields_count(object, "columnSize", p->heat.columns.width);
    json_put_member(object, "differing", heat_rows(p));
    return object;
}

void failure_profile_fields(json_object *fields, const failure_profile *profile) {
    json_put_member(fields, "ulpHistogram", histogram(profile));
    json_put_member(fields, "alongAxis", along_axis(profile));
    json_put_member(fields, "heatMap", heat_map(profile));
}
