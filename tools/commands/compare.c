/* SPDX-License-Identifier: MIT */
#include "compare.h"

#include <string.h>

#include "element.h"

static void note_difference(comparison *c, const layout *tensor, const uint32_t *at,
                            uint64_t expected, uint64_t actual) {
    difference found = {.expected = expected,
                        .actual = actual,
                        .ulps = cumsum_ulp_distance(tensor->type, expected, actual)};
    memcpy(found.coordinates, at, sizeof found.coordinates);
    if (c->differing++ == 0) {
        c->first = found;
        c->worst = found;
    } else if (found.ulps > c->worst.ulps) {
        c->worst = found;
    }
}

/* One row along the last dimension. Most rows are packed and equal: one memcmp then says so. */
static void compare_row(comparison *c, const layout *tensor, uint32_t *at,
                        const unsigned char *expected, const unsigned char *actual) {
    uint32_t last = tensor->rank - 1;
    uint64_t step = tensor->strides[last] * tensor->element_size;
    uint64_t row = (uint64_t)tensor->sizes[last] * tensor->element_size;
    if (step == tensor->element_size && !memcmp(expected, actual, row))
        return;
    for (uint32_t i = 0; i < tensor->sizes[last]; i++) {
        uint64_t want = element_load(expected + i * step, tensor->type);
        uint64_t have = element_load(actual + i * step, tensor->type);
        if (!cumsum_same_bits(tensor->type, want, have)) {
            at[last] = i;
            note_difference(c, tensor, at, want, have);
        }
    }
    at[last] = 0;
}

comparison compare_tensors(const layout *tensor, const unsigned char *expected,
                           const unsigned char *actual) {
    comparison c = {.outputs = tensor->count};
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    layout rows = *tensor; /* one element of it is one row */
    rows.rank--;
    do {
        uint64_t offset = layout_offset(tensor, at);
        compare_row(&c, tensor, at, expected + offset, actual + offset);
    } while (layout_next(&rows, at));
    return c;
}
