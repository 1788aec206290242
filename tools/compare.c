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

comparison compare_tensors(const layout *tensor, const unsigned char *expected,
                           const unsigned char *actual) {
    comparison c = {.outputs = tensor->count};
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        uint64_t offset = layout_offset(tensor, at);
        uint64_t want = element_load(expected + offset, tensor->type);
        uint64_t have = element_load(actual + offset, tensor->type);
        if (!cumsum_same_bits(tensor->type, want, have)) {
            note_difference(&c, tensor, at, want, have);
        }
    } while (layout_next(tensor, at));
    return c;
}
