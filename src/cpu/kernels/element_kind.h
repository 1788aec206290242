/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_ELEMENT_KIND_H
#define CUMSUM_CPU_ELEMENT_KIND_H

/*
 * What a kernel is compiled for. INT and UINT of a width are one kind, since two's complement wraps
 * alike; direction and exclusivity are decided at run time, outside of the inner loops.
 */

#include "kernel_inline.h"
#include "kernel_table.h"

#include <stddef.h>

typedef enum element_kind {
    KIND_F32,
    KIND_F32_FLUSH,
    KIND_F16_NEAREST, /* binary32 tally; the store is the rest of the name */
    KIND_F16_ZERO,
    KIND_F16_IEEE,
    KIND_F16_NARROW, /* binary16 tally */
    KIND_I32,
    KIND_I64
} element_kind;

/* Bytes of an element in memory. */
KERNEL_INLINE size_t kind_size(element_kind kind) {
    if (kind == KIND_I64)
        return 8;
    return kind >= KIND_F16_NEAREST && kind <= KIND_F16_NARROW ? 2 : 4;
}

static inline element_kind kind_of(const cumsum_arithmetic *arithmetic) {
    const cumsum_numerics *numerics = &arithmetic->numerics;
    switch (arithmetic->type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return numerics->denormals == CUMSUM_DENORMALS_FLUSH ? KIND_F32_FLUSH : KIND_F32;
    case CUMSUM_DATA_TYPE_FLOAT16:
        if (numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
            return KIND_F16_NARROW;
        return (element_kind)(KIND_F16_NEAREST + (int)numerics->half_store);
    default:
        return cumsum_data_type_size(arithmetic->type) == 8 ? KIND_I64 : KIND_I32;
    }
}

#endif
