/* SPDX-License-Identifier: MIT */
/* Counts the differences of an output by distance, along the axis, and along each pair of
 * dimensions. */
#include "profile.h"

#include <math.h>
#include <stdlib.h>

#include "compare.h"
#include "element.h"
#include "json_tree.h"
#include "memory.h"
#include "report.h"

#define BINS 64

/* In place of a dimension: one bin of one index, where no two dimensions are longer than 1. */
#define NO_DIMENSION UINT32_MAX

typedef struct bins {
    uint32_t dimension;
    uint32_t size;  /* of the dimension, at least 1 */
    uint32_t width; /* indices in a bin */
    uint32_t count; /* of bins */
} bins;

typedef struct heat_map {
    bins rows; /* a dimension before that of the columns, or NO_DIMENSION */
    bins columns;
    uint64_t differing[BINS][BINS]; /* [row][column] */
} heat_map;

typedef struct profile {
    const layout *tensor;
    uint64_t sign_of_zero; /* 0 ulp apart: +0 and -0 */
    uint64_t nan;          /* a NaN against a number: no distance */
    uint64_t ulps[64];     /* [k]: from 2^k ulp to below 2^(k+1) */
    bins axis;
    uint64_t axis_differing[BINS];
    uint64_t axis_measured[BINS]; /* of these, with a distance */
    uint64_t axis_worst[BINS];    /* ulps */
    heat_map *maps;               /* of all pairs of dimensions longer than 1 */
    uint32_t map_count;
} profile;

static bins bins_of(uint32_t dimension, uint32_t size) {
    const uint32_t width = (size - 1) / BINS + 1;
    return (bins){dimension, size, width, (size - 1) / width + 1};
}

static uint32_t bin_of(const bins *b, const uint32_t *at) {
    return b->dimension == NO_DIMENSION ? 0 : at[b->dimension] / b->width;
}

/* How many indices are in a bin. */
static uint32_t bin_span(const bins *b, uint32_t bin) {
    const uint32_t left = b->size - bin * b->width;
    return left < b->width ? left : b->width;
}

/* The pairs of dimensions that are longer than 1; a lone one has one row. */
static void make_maps(profile *p) {
    bins wide[CUMSUM_MAX_DIMENSIONS] = {bins_of(p->tensor->rank - 1, 1)};
    uint32_t count = 0;
    for (uint32_t d = 0; d < p->tensor->rank; d++)
        if (p->tensor->sizes[d] > 1)
            wide[count++] = bins_of(d, p->tensor->sizes[d]);
    p->maps = tool_calloc(count < 2 ? 1 : count * (count - 1) / 2, sizeof *p->maps);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            p->maps[p->map_count].rows = wide[i];
            p->maps[p->map_count++].columns = wide[j];
        }
    }
    if (count < 2) {
        p->maps[0].rows = bins_of(NO_DIMENSION, 1);
        p->maps[p->map_count++].columns = wide[0];
    }
}

static uint32_t floor_log2(uint64_t number) {
    uint32_t log = 0;
    while (number >>= 1)
        log++;
    return log;
}

/* Between floating-point values UINT64_MAX stands for a NaN; between integers it is a distance. */
static void count_difference(void *state, const difference *found) {
    profile *p = state;
    const uint64_t ulps = found->ulps;
    const bool nan = element_is_float(p->tensor->type) && ulps == UINT64_MAX;
    const uint32_t bin = bin_of(&p->axis, found->coordinates);
    p->axis_differing[bin]++;
    p->axis_measured[bin] += !nan;
    if (nan)
        p->nan++;
    else if (ulps == 0)
        p->sign_of_zero++;
    else
        p->ulps[floor_log2(ulps)]++;
    if (!nan && ulps > p->axis_worst[bin])
        p->axis_worst[bin] = ulps;
    for (uint32_t m = 0; m < p->map_count; m++) {
        heat_map *map = &p->maps[m];
        map->differing[bin_of(&map->rows, found->coordinates)]
                      [bin_of(&map->columns, found->coordinates)]++;
    }
}

/* How many elements of the tensor are in a cell. */
static uint64_t cell_elements(const heat_map *map, uint64_t elements, uint32_t row,
                              uint32_t column) {
    const uint64_t rest = elements / map->rows.size / map->columns.size;
    return rest * bin_span(&map->rows, row) * bin_span(&map->columns, column);
}

/* The Kullback-Leibler divergence (Kullback and Leibler, On information and sufficiency, 1951) of
 * the differing elements from all elements, times their number, which is the same for all pairs. */
static double divergence(const heat_map *map, uint64_t elements) {
    double sum = 0;
    for (uint32_t r = 0; r < map->rows.count; r++) {
        for (uint32_t c = 0; c < map->columns.count; c++) {
            const double differing = (double)map->differing[r][c];
            const double there = (double)cell_elements(map, elements, r, c);
            sum += differing > 0 ? differing * log(differing / there) : 0;
        }
    }
    return sum;
}

static bool has_dimension(const heat_map *map, uint32_t dimension) {
    return map->rows.dimension == dimension || map->columns.dimension == dimension;
}

/* Rounding errors must not decide which of two equal pairs is shown. */
static const heat_map *best_map(const profile *p) {
    const heat_map *best = NULL;
    double best_score = 0;
    for (const heat_map *map = p->maps; map < p->maps + p->map_count; map++) {
        const double score = divergence(map, p->tensor->count);
        const double slack = 1e-9 * (fabs(score) + fabs(best_score));
        const int axis = best ? (int)has_dimension(map, p->axis.dimension) -
                                    (int)has_dimension(best, p->axis.dimension)
                              : 1;
        const bool larger =
            best && map->rows.count * map->columns.count > best->rows.count * best->columns.count;
        if (!best || score > best_score + slack ||
            (score >= best_score - slack && (axis > 0 || (axis == 0 && larger)))) {
            best = map;
            best_score = score;
        }
    }
    return best;
}

static json_object *counts_of(const uint64_t *numbers, uint32_t count) {
    json_object *array = json_make_array();
    for (uint32_t i = 0; i < count; i++)
        json_put_element(array, json_make_count(numbers[i]));
    return array;
}

/* Without the empty bins at the end. */
static json_object *histogram(const profile *p) {
    json_object *object = json_make_object();
    uint32_t used = 64;
    while (used > 0 && p->ulps[used - 1] == 0)
        used--;
    fields_count(object, "signOfZero", p->sign_of_zero);
    fields_count(object, "nan", p->nan);
    json_put_member(object, "log2", counts_of(p->ulps, used));
    return object;
}

static json_object *along_axis(const profile *p) {
    json_object *object = json_make_object();
    json_object *worst = json_make_array();
    for (uint32_t b = 0; b < p->axis.count; b++) {
        const bool nan_alone = p->axis_differing[b] && !p->axis_measured[b];
        json_put_element(worst, nan_alone ? NULL : json_make_count(p->axis_worst[b]));
    }
    fields_count(object, "dimension", p->axis.dimension);
    fields_count(object, "binSize", p->axis.width);
    json_put_member(object, "differing", counts_of(p->axis_differing, p->axis.count));
    json_put_member(object, "worst", worst);
    return object;
}

/* differing * 10 cannot overflow: a cell has fewer than 2^60 elements, since memory has. */
static char share_letter(uint64_t differing, uint64_t elements) {
    return differing == 0          ? '.'
           : differing == elements ? '#'
                                   : "0123456789"[differing * 10 / elements];
}

static json_object *heat_object(const heat_map *map, uint64_t elements) {
    json_object *object = json_make_object();
    json_object *rows = json_make_array();
    for (uint32_t r = 0; r < map->rows.count; r++) {
        char row[BINS + 1] = "";
        for (uint32_t c = 0; c < map->columns.count; c++)
            row[c] = share_letter(map->differing[r][c], cell_elements(map, elements, r, c));
        json_put_element(rows, json_make_string(row));
    }
    json_put_member(object, "rows",
                    map->rows.dimension == NO_DIMENSION ? NULL
                                                        : json_make_count(map->rows.dimension));
    fields_count(object, "rowSize", map->rows.width);
    fields_count(object, "columns", map->columns.dimension);
    fields_count(object, "columnSize", map->columns.width);
    json_put_member(object, "differing", rows);
    return object;
}

bool failure_profile_fields(json_object *fields, const layout *tensor, uint32_t axis,
                            const unsigned char *expected, const unsigned char *actual) {
    profile *p = tool_calloc(1, sizeof *p);
    p->tensor = tensor;
    p->axis = bins_of(axis, tensor->sizes[axis]);
    make_maps(p);
    const bool differs = compare_each(tensor, expected, actual, count_difference, p) > 0;
    if (differs) {
        json_put_member(fields, "ulpHistogram", histogram(p));
        json_put_member(fields, "alongAxis", along_axis(p));
        json_put_member(fields, "heatMap", heat_object(best_map(p), tensor->count));
    }
    free(p->maps);
    free(p);
    return differs;
}
