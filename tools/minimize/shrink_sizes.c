/* SPDX-License-Identifier: MIT */
/* Fewer elements: parts of a dimension are taken out, halves first, then ever smaller ones. */
#include <string.h>

#include "shrink.h"

/* The best without `length` indices of dimension d from `start` on. What stays keeps its values. */
static shrink_case without(const shrinker *s, uint32_t d, uint64_t start, uint64_t length) {
    shrink_case to = shrink_copy(s);
    uint64_t inner = to.element_size;
    for (uint32_t i = d + 1; i < to.spec.rank; i++)
        inner *= to.spec.sizes[i];
    uint64_t old_size = to.spec.sizes[d];
    uint64_t rows = to.count * to.element_size / (old_size * inner);
    unsigned char *write = to.values;
    for (uint64_t row = 0; row < rows; row++) {
        const unsigned char *read = s->best.values + row * old_size * inner;
        memcpy(write, read, start * inner);
        write += start * inner;
        memcpy(write, read + (start + length) * inner, (old_size - start - length) * inner);
        write += (old_size - start - length) * inner;
    }
    to.spec.sizes[d] = (uint32_t)(old_size - length);
    to.count = to.count / old_size * to.spec.sizes[d];
    return to;
}

/* After a part was taken out, the same length is tried again from the start. */
static bool remove_parts(shrinker *s, uint32_t d, uint64_t length) {
    bool removed = false;
    uint64_t index = 0;
    uint64_t start;
    while (s->best.spec.sizes[d] > length && !s->stopped &&
           shrink_place(s->best.spec.sizes[d], length, index, &start)) {
        shrink_case candidate = without(s, d, start, length);
        bool kept = shrink_try(s, &candidate);
        removed = removed || kept;
        index = kept ? 0 : index + 1;
    }
    return removed;
}

bool shrink_sizes(shrinker *s) {
    bool removed = false;
    for (uint32_t d = 0; d < s->best.spec.rank; d++) {
        /* All but one is the most that can go. */
        if (s->best.spec.sizes[d] > 1)
            removed = remove_parts(s, d, s->best.spec.sizes[d] - (uint64_t)1) || removed;
        for (uint64_t length = s->best.spec.sizes[d] / 2; length > 0; length /= 2)
            removed = remove_parts(s, d, length) || removed;
    }
    return removed;
}
