/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_MOVES_H
#define CUMSUM_CPU_MOVES_H

/*
 * Elements that lie apart are moved to or from a small buffer in which they are neighbours. Runs of
 * neighbours are copied as they are; where the groups are the neighbours, squares of lanes are
 * transposed in registers, as tensors are by P. Springer, T. Su and P. Bientinesi, HPTT: a
 * high-performance tensor transposition C++ library, 2017; all others are copied one by one. The
 * gather instructions of an instruction set are no faster for elements on different cache lines.
 *
 * Elements are moved as bits, whatever their kind. The size is a constant in each loop.
 * cumsum_copy_plane does the same for callers that are not inlined: short runs took twice as long
 * by it.
 */

#include "copy_plane.h"
#include "elements.h"

/* Groups of elements at a constant step. A single group is the usual case. */
typedef struct strided_elements {
    int64_t step;   /* bytes from an element to the next of its group */
    unsigned count; /* elements of a group */
    int64_t group_step;
    unsigned groups;
    bool stream; /* groups that are whole cache lines bypass the caches */
} strided_elements;

/* A single group. */
KERNEL_INLINE strided_elements strided_run(int64_t step, unsigned count) {
    const strided_elements elements = {.step = step, .count = count, .groups = 1};
    return elements;
}

/* The elements of all groups from number `first` of a group on. */
KERNEL_INLINE void gather_some(size_t size, unsigned char *packed, const unsigned char *address,
                               const strided_elements from, unsigned first) {
    const int64_t bytes = (int64_t)size;
    const cumsum_copy_dimension elements = {from.count - first, from.step, bytes};
    const cumsum_copy_dimension groups = {from.groups, from.group_step, from.count * bytes};
    cumsum_copy_one_by_one(packed + first * size, address + (int64_t)first * from.step, elements,
                           groups, size);
}

/* Elements of a group that a square has: of FLOAT16 it is two squares side by side, since a vector
 * has room for twice as many. */
KERNEL_INLINE unsigned square_elements(size_t size) {
    return size == 8 ? LANES64 : size == 4 ? LANES32 : 2 * LANES32;
}

KERNEL_INLINE unsigned square_groups(size_t size) {
    return size == 8 ? LANES64 : LANES32;
}

/* A square from memory, in which groups are neighbours, to the buffer, in which they are `row`
 * bytes apart. */
KERNEL_INLINE void gather_square(size_t size, unsigned char *to, size_t row,
                                 const unsigned char *from, int64_t step) {
    if (size == 8) {
        v64 v[LANES64];
        load_lines64(KIND_I64, from, step, v);
        UNROLL
        for (size_t i = 0; i < LANES64; i++)
            store64(to + i * row, v[i]);
        return;
    }
    v32 v[LANES32];
    if (size == 4) {
        load_lines32(KIND_I32, from, step, v);
    } else {
        UNROLL
        for (int i = 0; i < LANES32; i++)
            v[i] = load_two_f16(from + i * step, from + (LANES32 + i) * step);
        transpose_f16(v);
    }
    UNROLL
    for (size_t i = 0; i < LANES32; i++)
        store32(to + i * row, v[i]);
}

/* Neighbouring groups: whole squares, and the others one by one. */
KERNEL_INLINE void gather_squares(size_t size, unsigned char *packed, const unsigned char *address,
                                  const strided_elements from) {
    const unsigned elements = from.count / square_elements(size) * square_elements(size);
    const unsigned groups = from.groups / square_groups(size) * square_groups(size);
    const size_t row = from.count * size;
    for (unsigned i = 0; i < elements; i += square_elements(size))
        for (unsigned g = 0; g < groups; g += square_groups(size))
            gather_square(size, packed + g * row + i * size, row,
                          address + (int64_t)i * from.step + (int64_t)(g * size), from.step);
    strided_elements rest = from;
    rest.groups = groups;
    gather_some(size, packed, address, rest, elements);
    rest.groups = from.groups - groups;
    gather_some(size, packed + groups * row, address + (int64_t)(groups * size), rest, 0);
}

KERNEL_INLINE void gather_size(size_t size, unsigned char *packed, const unsigned char *address,
                               const strided_elements from) {
    if (from.groups > 1 && from.group_step == (int64_t)size)
        gather_squares(size, packed, address, from);
    else
        gather_some(size, packed, address, from, 0);
}

/* Runs of fewer bytes are copied element by element. */
#define LONG_RUN 32

KERNEL_INLINE bool has_long_runs(size_t size, const strided_elements elements) {
    return elements.step == (int64_t)size && elements.count * size >= LONG_RUN;
}

/* Copies elements of `size` bytes, 2, 4 or 8, from `address` and so on to `packed`. */
KERNEL_OUTLINE void gather_elements(size_t size, unsigned char *packed,
                                    const unsigned char *address, const strided_elements from) {
    const size_t run = from.count * size;
    if (has_long_runs(size, from))
        for (unsigned g = 0; g < from.groups; g++)
            memcpy(packed + g * run, address + (int64_t)g * from.group_step, run);
    else if (size == 2)
        gather_size(2, packed, address, from);
    else if (size == 4)
        gather_size(4, packed, address, from);
    else
        gather_size(8, packed, address, from);
}

KERNEL_INLINE void scatter_size(size_t size, unsigned char *address, const unsigned char *packed,
                                const strided_elements to) {
    const int64_t bytes = (int64_t)size;
    const cumsum_copy_dimension elements = {to.count, bytes, to.step};
    const cumsum_copy_dimension groups = {to.groups, to.count * bytes, to.group_step};
    cumsum_copy_one_by_one(address, packed, elements, groups, size);
}

/* Runs of neighbours, in the units in which they were stored: what is loaded from one store need
 * not wait until others have reached the cache. */
KERNEL_INLINE void scatter_runs(size_t size, unsigned char *address, const unsigned char *packed,
                                const strided_elements to) {
    const size_t run = to.count * size, unit = LANES32 * (size == 8 ? 4 : size);
    const bool stream = to.stream && run % 64 == 0;
    for (unsigned g = 0; g < to.groups; g++, packed += run) {
        unsigned char *group = address + (int64_t)g * to.group_step;
        size_t i = 0;
        for (; stream && i < run; i += sizeof(v32))
            stream32(group + i, load32(packed + i));
        for (; i + unit <= run; i += unit)
            memcpy(group + i, packed + i, unit);
        for (; i < run; i += size)
            memcpy(group + i, packed + i, size);
    }
}

/* The inverse of gather_elements. */
KERNEL_OUTLINE void scatter_elements(size_t size, unsigned char *address,
                                     const unsigned char *packed, const strided_elements to) {
    const bool runs = has_long_runs(size, to);
    if (size == 2)
        runs ? scatter_runs(2, address, packed, to) : scatter_size(2, address, packed, to);
    else if (size == 4)
        runs ? scatter_runs(4, address, packed, to) : scatter_size(4, address, packed, to);
    else
        runs ? scatter_runs(8, address, packed, to) : scatter_size(8, address, packed, to);
}

#endif
