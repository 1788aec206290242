/* SPDX-License-Identifier: MIT */
/* The plainer modes: increasing, inclusive, the numerics that are the default. */
#include <string.h>

#include "layout.h"
#include "shrink.h"

/* The same lines the other way round, so that every sum keeps its terms. */
static void reverse_lines(const shrinker *s, shrink_case *to) {
    layout tensor = {.element_size = to->element_size, .rank = to->spec.rank};
    uint64_t step = 1;
    for (uint32_t d = tensor.rank; d-- > 0;) {
        tensor.sizes[d] = to->spec.sizes[d];
        tensor.strides[d] = step;
        step *= tensor.sizes[d];
    }
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    const unsigned char *from = s->best.values;
    do {
        uint32_t mirrored[CUMSUM_MAX_DIMENSIONS];
        memcpy(mirrored, at, sizeof at);
        mirrored[to->spec.axis] = tensor.sizes[to->spec.axis] - 1 - at[to->spec.axis];
        memcpy(to->values + layout_offset(&tensor, mirrored), from, tensor.element_size);
        from += tensor.element_size;
    } while (layout_next(&tensor, at));
}

static bool increase(shrinker *s) {
    for (int reversed = 1; reversed >= 0 && s->best.spec.decreasing; reversed--) {
        shrink_case candidate = shrink_copy(s);
        candidate.spec.decreasing = false;
        if (reversed)
            reverse_lines(s, &candidate);
        if (shrink_try(s, &candidate))
            return true;
    }
    return false;
}

static bool include(shrinker *s) {
    if (!s->best.spec.exclusive)
        return false;
    shrink_case candidate = shrink_copy(s);
    candidate.spec.exclusive = false;
    return shrink_try(s, &candidate);
}

/* Where a name has a word for it. */
static bool set_numerics(shrinker *s, cumsum_numerics numerics) {
    if (!memcmp(&numerics, &s->best.spec.numerics, sizeof numerics) ||
        !case_numerics_word(s->best.spec.type, numerics))
        return false;
    shrink_case candidate = shrink_copy(s);
    candidate.spec.numerics = numerics;
    return shrink_try(s, &candidate);
}

static bool simplify_numerics(shrinker *s) {
    if (set_numerics(s, (cumsum_numerics){0}))
        return true;
    cumsum_numerics numerics = s->best.spec.numerics;
    numerics.order = CUMSUM_ORDER_SEQUENTIAL;
    bool simpler = set_numerics(s, numerics);
    simpler = set_numerics(s, (cumsum_numerics){.order = s->best.spec.numerics.order}) || simpler;
    return simpler;
}

bool shrink_modes(shrinker *s) {
    bool simpler = increase(s);
    simpler = include(s) || simpler;
    return simplify_numerics(s) || simpler;
}
