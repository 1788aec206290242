/* SPDX-License-Identifier: MIT */
#include "failure_profile.h"
#include "json_make.h"
#include "report_fields.h"

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
    bool floating = p->type == CUMSUM_DATA_TYPE_FLOAT32 || p->type == CUMSUM_DATA_TYPE_FLOAT16;
    for (uint32_t b = 0; b < p->axis.count; b++) {
        bool nan_alone = floating && p->axis_worst[b] == UINT64_MAX;
        json_put_element(worst, nan_alone ? NULL : json_make_count(p->axis_worst[b]));
    }
    fields_count(object, "dimension", p->axis.dimension);
    fields_count(object, "binSize", p->axis.width);
    json_put_member(object, "differing", counts(p->axis_differing, p->axis.count));
    json_put_member(object, "worst", worst);
    return object;
}

/* A cell is less than 2^60 elements: addresses are. */
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
