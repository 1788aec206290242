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

#endif
