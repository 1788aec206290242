/* SPDX-License-Identifier: MIT */
#include "failure_profile.h"

#include <cumsum/oracle.h>
#include <string.h>

#include "element.h"
#include "memory.h"

typedef struct collector {
    const layout *tensor;
    failure_profile *profile;
    failure_heat heat;
    failure_bins last;          /* the dimension that a row runs along */
    uint64_t row[FAILURE_BINS]; /* what differs in the present row */
} collector;

static uint32_t floor_log2(uint64_t number) {
    uint32_t log = 0;
    while (number >>= 1)
        log++;
    return log;
}

/* UINT64_MAX is a distance between integers, and none between floating-point values. */
static bool is_nan_distance(cumsum_data_type type, uint64_t ulps) {
    bool floating = type == CUMSUM_DATA_TYPE_FLOAT32 || type == CUMSUM_DATA_TYPE_FLOAT16;
    return floating && ulps == UINT64_MAX;
}

/* Any number is worse than nothing, and says more than a NaN. */
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

/* Elements that memcmp looks at together, where they are packed. */
#define TOGETHER 512

/* The first element from i on that is not among so many equal ones, or count. */
static uint32_t skip_equal(const unsigned char *expected, const unsigned char *actual, uint32_t i,
                           uint32_t count, uint64_t size) {
    uint32_t part = count - i < TOGETHER ? count - i : TOGETHER;
    while (i < count && !memcmp(expected + i * size, actual + i * size, part * size)) {
        i += part;
        part = count - i < TOGETHER ? count - i : TOGETHER;
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
    layout rows = *tensor; /* one element of it is one row */
    rows.rank--;
    p->type = tensor->type;
    p->elements = tensor->count;
    p->axis = failure_bins_of(axis, tensor->sizes[axis]);
    failure_heat_begin(&c.heat, tensor);
    do {
        uint64_t offset = layout_offset(tensor, at);
        take_row(&c, at, expected + offset, actual + offset);
    } while (layout_next(&rows, at));
    p->heat = *failure_heat_best(&c.heat, axis);
    failure_heat_end(&c.heat);
    return p;
}
