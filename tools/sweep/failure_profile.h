/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_PROFILE_H
#define CUMSUM_TOOLS_FAILURE_PROFILE_H

/* What an output that is wrong looks like: how far off, how far along the axis, and where. Its size
 * does not depend on the tensor's. */

#include <json-c/json.h>

#include "failure_heat.h"

typedef struct failure_profile {
    cumsum_data_type type;
    uint64_t elements;     /* of the tensor */
    uint64_t sign_of_zero; /* 0 ulp apart: +0 and -0 */
    uint64_t ulps[64];     /* [k]: from 2^k ulp to below 2^(k+1) */
    uint64_t nan;          /* a NaN against a number: no distance */
    failure_bins axis;     /* by index, whatever the direction */
    uint64_t axis_differing[FAILURE_BINS];
    uint64_t axis_worst[FAILURE_BINS]; /* ulps; UINT64_MAX of a floating-point type: NaN alone */
    failure_grid heat;
} failure_profile;

/* Compares the elements that the tensor addresses. Both point to the element with all indices 0.
 * To be freed. */
failure_profile *failure_profile_of(const layout *tensor, uint32_t axis,
                                    const unsigned char *expected, const unsigned char *actual);

/*
 * "ulpHistogram": {"signOfZero", "nan", "log2": [how many are 1, 2-3, 4-7, ... ulp apart]}
 * "alongAxis":    {"dimension", "binSize", "differing": [...], "worst": [ulps; null: NaN alone]}
 * "heatMap":      {"rows", "rowSize", "columns", "columnSize", "differing": ["..3#", ...]}: a
 *                 string a row, a character a cell: '.' nothing differs, a digit so many tenths of
 *                 the elements rounded down, '#' all. "rows" is null where there is one row only.
 */
void failure_profile_fields(json_object *fields, const failure_profile *profile);

#endif
