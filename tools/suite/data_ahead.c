/* SPDX-License-Identifier: MIT */
#include "data_ahead.h"

#include <stdlib.h>

#include "memory.h"

/* Below a period, so that a place in `elements` is one that take_period() takes. */
#define MOST_LINES (UINT64_C(16384))

data_ahead data_ahead_for(const data_period *period, uint64_t total) {
    const case_spec *c = period->spec;
    data_ahead ahead = {.count = c->sizes[c->rank - 1]};
    const bool across = c->rank > 1 && c->axis == c->rank - 2;
    const bool whole = period->elements && total >= DATA_PERIOD;
    if (across && whole && ahead.count <= MOST_LINES)
        ahead.elements = tool_malloc(ahead.count * DATA_AHEAD * cumsum_data_type_size(c->type));
    return ahead;
}

void data_ahead_free(data_ahead *ahead) {
    free(ahead->elements);
    *ahead = (data_ahead){0};
}

static void fetch(data_ahead *ahead, const data_period *period, uint64_t n) {
    const uint64_t bytes = DATA_AHEAD * cumsum_data_type_size(period->spec->type);
    uint64_t index = (ahead->line * n + ahead->k) % DATA_PERIOD;
    for (uint64_t i = 0; i < ahead->count; i++) {
        data_period_copy(period, index, ahead->elements + i * bytes, DATA_AHEAD);
        index = (index + n) % DATA_PERIOD;
    }
}

uint64_t data_ahead_fetch(data_ahead *ahead, const data_period *period, const data_place *start) {
    const uint64_t k = start->k - start->k % DATA_AHEAD;
    if (!ahead->fetched || ahead->line != start->line || ahead->k != k) {
        ahead->line = start->line;
        ahead->k = k;
        ahead->fetched = true;
        fetch(ahead, period, start->n);
    }
    return start->k - k;
}
