/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_STRIDED_ELEMENTS_H
#define CUMSUM_CPU_STRIDED_ELEMENTS_H

/*
 * Gather and scatter: elements that lie apart, copied one by one to or from a small buffer in which
 * they are neighbours. The copies are plain loops and not the gather instructions of an instruction
 * set, which are no faster for elements on different cache lines.
 *
 * Each copy is one function that is not inlined, with a loop for each element size, in which the
 * size is a constant and memcpy a move.
 */

#include "kernel_macros.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Groups of elements at a constant step. A single group is the usual case. */
typedef struct strided_elements {
    int64_t step;   /* bytes from an element to the next of its group */
    unsigned count; /* elements of a group */
    int64_t group_step;
    unsigned groups;
} strided_elements;

/* A single group. */
KERNEL_INLINE strided_elements strided_run(int64_t step, unsigned count) {
    const strided_elements elements = {.step = step, .count = count, .groups = 1};
    return elements;
}

KERNEL_INLINE void gather_size(size_t size, unsigned char *packed, const unsigned char *address,
                               const strided_elements from) {
    for (unsigned g = 0; g < from.groups; g++) {
        const unsigned char *group = address + (int64_t)g * from.group_step;
        for (unsigned i = 0; i < from.count; i++)
            memcpy(packed + i * size, group + (int64_t)i * from.step, size);
        packed += from.count * size;
    }
}

/* Copies elements of `size` bytes, 2, 4 or 8, from `address` and so on to `packed`. */
KERNEL_OUTLINE void gather_elements(size_t size, unsigned char *packed,
                                    const unsigned char *address, const strided_elements from) {
    if (size == 2)
        gather_size(2, packed, address, from);
    else if (size == 4)
        gather_size(4, packed, address, from);
    else
        gather_size(8, packed, address, from);
}

KERNEL_INLINE void scatter_size(size_t size, unsigned char *address, const unsigned char *packed,
                                const strided_elements to) {
    for (unsigned g = 0; g < to.groups; g++) {
        unsigned char *group = address + (int64_t)g * to.group_step;
        for (unsigned i = 0; i < to.count; i++)
            memcpy(group + (int64_t)i * to.step, packed + i * size, size);
        packed += to.count * size;
    }
}

/* The inverse of gather_elements. */
KERNEL_OUTLINE void scatter_elements(size_t size, unsigned char *address,
                                     const unsigned char *packed, const strided_elements to) {
    if (size == 2)
        scatter_size(2, address, packed, to);
    else if (size == 4)
        scatter_size(4, address, packed, to);
    else
        scatter_size(8, address, packed, to);
}

#endif
