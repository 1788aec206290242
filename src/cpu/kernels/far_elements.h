/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_FAR_ELEMENTS_H
#define CUMSUM_CPU_FAR_ELEMENTS_H

/* Elements that lie apart, one by one, between memory and a small buffer. Not worth a copy of the
 * code wherever it is needed. */

#include "kernel_inline.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

KERNEL_INLINE void gather_size(size_t size, unsigned char *packed, const unsigned char *address,
                               int64_t step, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        memcpy(packed + i * size, address + (int64_t)i * step, size);
}

KERNEL_OUTLINE void gather_elements(size_t size, unsigned char *packed,
                                    const unsigned char *address, int64_t step, unsigned count) {
    if (size == 2)
        gather_size(2, packed, address, step, count);
    else if (size == 4)
        gather_size(4, packed, address, step, count);
    else
        gather_size(8, packed, address, step, count);
}

KERNEL_INLINE void scatter_size(size_t size, unsigned char *address, int64_t step,
                                const unsigned char *packed, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        memcpy(address + (int64_t)i * step, packed + i * size, size);
}

KERNEL_OUTLINE void scatter_elements(size_t size, unsigned char *address, int64_t step,
                                     const unsigned char *packed, unsigned count) {
    if (size == 2)
        scatter_size(2, address, step, packed, count);
    else if (size == 4)
        scatter_size(4, address, step, packed, count);
    else
        scatter_size(8, address, step, packed, count);
}

/* Rows of such elements. */
typedef struct far_rows {
    int64_t step;
    unsigned count; /* elements of a row */
    int64_t row_step;
    unsigned rows;
} far_rows;

KERNEL_INLINE void gather_rows_size(size_t size, unsigned char *packed,
                                    const unsigned char *address, const far_rows far) {
    for (unsigned row = 0; row < far.rows; row++)
        gather_size(size, packed + (size_t)row * far.count * size,
                    address + (int64_t)row * far.row_step, far.step, far.count);
}

KERNEL_OUTLINE void gather_rows(size_t size, unsigned char *packed, const unsigned char *address,
                                const far_rows far) {
    if (size == 2)
        gather_rows_size(2, packed, address, far);
    else if (size == 4)
        gather_rows_size(4, packed, address, far);
    else
        gather_rows_size(8, packed, address, far);
}

KERNEL_INLINE void scatter_rows_size(size_t size, unsigned char *address,
                                     const unsigned char *packed, const far_rows far) {
    for (unsigned row = 0; row < far.rows; row++)
        scatter_size(size, address + (int64_t)row * far.row_step, far.step,
                     packed + (size_t)row * far.count * size, far.count);
}

KERNEL_OUTLINE void scatter_rows(size_t size, unsigned char *address, const unsigned char *packed,
                                 const far_rows far) {
    if (size == 2)
        scatter_rows_size(2, address, packed, far);
    else if (size == 4)
        scatter_rows_size(4, address, packed, far);
    else
        scatter_rows_size(8, address, packed, far);
}

#endif
