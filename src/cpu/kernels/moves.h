/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_MOVES_H
#define CUMSUM_CPU_MOVES_H

/*
 * Elements that lie apart are moved to or from a small buffer in which they are neighbours. Runs of
 * neighbours are copied as they are; where neighbours in the tensor are apart in the buffer,
 * squares of lanes are transposed in registers, as tensors are by P. Springer, T. Su and P.
 * Bientinesi, HPTT: a high-performance tensor transposition C++ library, 2017; all others are
 * copied one by one. The gather instructions of an instruction set are no faster for elements on
 * different cache lines.
 *
 * Elements are moved as bits, whatever their kind. The size is a constant in each loop.
 */

#include "copy_plane.h"
#include "elements.h"

/* A number of elements at a constant step, in bytes. */
typedef struct strided_elements {
    int64_t step;
    unsigned count;
} strided_elements;

KERNEL_INLINE strided_elements strided_run(int64_t step, unsigned count) {
    const strided_elements elements = {.step = step, .count = count};
    return elements;
}

/* The same of a buffer of elements of `size` bytes, at once. */
KERNEL_INLINE void move_run(size_t size, unsigned char *to, const unsigned char *from,
                            cumsum_copy_dimension elements) {
    const cumsum_copy_dimension once = {.size = 1};
    if (size == 2)
        cumsum_copy_one_by_one(to, from, elements, once, 2);
    else if (size == 4)
        cumsum_copy_one_by_one(to, from, elements, once, 4);
    else
        cumsum_copy_one_by_one(to, from, elements, once, 8);
}

/* Copies elements of `size` bytes, 2, 4 or 8, from `address` and so on to `packed`. */
KERNEL_OUTLINE void gather_elements(size_t size, unsigned char *packed,
                                    const unsigned char *address, const strided_elements from) {
    move_run(size, packed, address, (cumsum_copy_dimension){from.count, from.step, (int64_t)size});
}

/* The inverse of gather_elements. */
KERNEL_OUTLINE void scatter_elements(size_t size, unsigned char *address,
                                     const unsigned char *packed, const strided_elements to) {
    move_run(size, address, packed, (cumsum_copy_dimension){to.count, (int64_t)size, to.step});
}

/* Elements along three dimensions, in the order of the tensor's addresses. In the plane of the
 * inner two, those of one dimension are neighbours in the buffer. */
typedef struct moved_elements {
    cumsum_copy_dimension inner;
    cumsum_copy_dimension outer;
    cumsum_copy_dimension far;
    bool stream; /* runs that are whole cache lines bypass the caches */
} moved_elements;

/* Elements of a line that a square has: of FLOAT16 it is two squares side by side, since a vector
 * has room for twice as many. */
KERNEL_INLINE unsigned square_elements(size_t size) {
    return size == 8 ? LANES64 : size == 4 ? LANES32 : 2 * LANES32;
}

KERNEL_INLINE unsigned square_lines(size_t size) {
    return size == 8 ? LANES64 : LANES32;
}

/* A square: what is apart by from_step becomes neighbours, and neighbours become to_step apart. */
KERNEL_INLINE void move_square(size_t size, unsigned char *to, int64_t to_step,
                               const unsigned char *from, int64_t from_step) {
    if (size == 8) {
        v64 v[LANES64];
        load_lines64(KIND_I64, from, from_step, v);
        UNROLL
        for (int64_t i = 0; i < LANES64; i++)
            store64(to + i * to_step, v[i]);
        return;
    }
    v32 v[LANES32];
    if (size == 4) {
        load_lines32(KIND_I32, from, from_step, v);
    } else {
        UNROLL
        for (int i = 0; i < LANES32; i++)
            v[i] = load_two_f16(from + i * from_step, from + (LANES32 + i) * from_step);
        transpose_f16(v);
    }
    UNROLL
    for (int64_t i = 0; i < LANES32; i++)
        store32(to + i * to_step, v[i]);
}

/* Whether `joined` become neighbours, and `parted` were, and a square has as many. */
KERNEL_INLINE bool are_squares(size_t size, const cumsum_copy_dimension joined,
                               const cumsum_copy_dimension parted) {
    return joined.to_step == (int64_t)size && parted.from_step == (int64_t)size &&
           joined.size >= square_elements(size) && parted.size >= square_lines(size);
}

/* Such a plane: whole squares, and the others one by one. */
KERNEL_INLINE void move_squares(size_t size, unsigned char *to, const unsigned char *from,
                                cumsum_copy_dimension joined, cumsum_copy_dimension parted) {
    const uint64_t whole = joined.size / square_elements(size) * square_elements(size);
    const uint64_t lines = parted.size / square_lines(size) * square_lines(size);
    for (uint64_t i = 0; i < whole; i += square_elements(size))
        for (uint64_t j = 0; j < lines; j += square_lines(size))
            move_square(size, to + (int64_t)j * parted.to_step + i * size, parted.to_step,
                        from + (int64_t)i * joined.from_step + j * size, joined.from_step);
    cumsum_copy_dimension rest = joined;
    rest.size -= whole;
    cumsum_copy_one_by_one(to + whole * size, from + (int64_t)whole * joined.from_step, parted,
                           rest, size);
    rest = parted;
    rest.size -= lines;
    joined.size = whole;
    cumsum_copy_one_by_one(to + (int64_t)lines * parted.to_step, from + lines * size, joined, rest,
                           size);
}

/* Runs of fewer bytes are copied element by element. */
#define LONG_RUN 32

/* A run of neighbours, in the units in which the scans store: what is loaded from one store need
 * not wait until others have reached the cache. */
KERNEL_INLINE void move_neighbours(size_t size, unsigned char *to, const unsigned char *from,
                                   size_t run, bool stream) {
    const size_t unit = LANES32 * (size == 8 ? 4 : size);
    size_t i = 0;
    for (; stream && i < run; i += sizeof(v32))
        stream32(to + i, load32(from + i));
    for (; i + unit <= run; i += unit)
        memcpy(to + i, from + i, unit);
    for (; i < run; i += size)
        memcpy(to + i, from + i, size);
}

KERNEL_INLINE void move_plane(size_t size, unsigned char *to, const unsigned char *from,
                              const moved_elements m) {
    const size_t run = m.inner.size * size;
    const bool swapped = are_squares(size, m.inner, m.outer);
    if (m.inner.from_step == (int64_t)size && m.inner.to_step == (int64_t)size && run >= LONG_RUN)
        for (uint64_t i = 0; i < m.outer.size; i++)
            move_neighbours(size, to + (int64_t)i * m.outer.to_step,
                            from + (int64_t)i * m.outer.from_step, run, m.stream && run % 64 == 0);
    else if (swapped || are_squares(size, m.outer, m.inner))
        move_squares(size, to, from, swapped ? m.inner : m.outer, swapped ? m.outer : m.inner);
    else
        cumsum_copy_one_by_one(to, from, m.inner, m.outer, size);
}

KERNEL_INLINE void move_planes(size_t size, unsigned char *to, const unsigned char *from,
                               const moved_elements m) {
    for (uint64_t i = 0; i < m.far.size; i++)
        move_plane(size, to + (int64_t)i * m.far.to_step, from + (int64_t)i * m.far.from_step, m);
}

/* Copies elements of `size` bytes, 2, 4 or 8. */
KERNEL_OUTLINE void move_elements(size_t size, unsigned char *to, const unsigned char *from,
                                  const moved_elements *m) {
    if (size == 2)
        move_planes(2, to, from, *m);
    else if (size == 4)
        move_planes(4, to, from, *m);
    else
        move_planes(8, to, from, *m);
}

#endif
