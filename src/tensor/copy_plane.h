/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_COPY_PLANE_H
#define CUMSUM_TENSOR_COPY_PLANE_H

/*
 * Copies elements that lie apart next to each other, and back: lines into a buffer, rows of a
 * buffer to where they belong.
 */

#include "compiler.h"

#include <stdint.h>
#include <string.h>

/* A dimension of a copy: steps in bytes, of either sign. */
typedef struct cumsum_copy_dimension {
    uint64_t size;
    int64_t from_step;
    int64_t to_step;
} cumsum_copy_dimension;

/* Copies elements of `size` bytes, 1, 2, 4 or 8, along two dimensions, the inner one first. `from`
 * and `to` are those of index 0 in both, at any address, and share no memory. */
void cumsum_copy_plane(uint32_t size, unsigned char *to, const unsigned char *from,
                       const cumsum_copy_dimension dimensions[2]);

/* The same, one element after the other. Where the width is a constant, memcpy is one move. */
CUMSUM_ALWAYS_INLINE void cumsum_copy_one_by_one(unsigned char *to, const unsigned char *from,
                                                 const cumsum_copy_dimension inner,
                                                 const cumsum_copy_dimension outer, size_t width) {
    for (uint64_t j = 0; j < outer.size; j++) {
        unsigned char *element = to + (int64_t)j * outer.to_step;
        const unsigned char *source = from + (int64_t)j * outer.from_step;
        int64_t there = 0, here = 0;
        for (uint64_t i = 0; i < inner.size; i++) {
            memcpy(element + there, source + here, width);
            there += inner.to_step;
            here += inner.from_step;
        }
    }
}

#endif
