/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_KERNEL_KIND_H
#define CUMSUM_CPU_KERNEL_KIND_H

/*
 * The kinds of element that kernels are compiled for. Every kernel function is inlined into a copy
 * for each kind, in which the kind is a constant, so branches on it cost nothing.
 *
 * INT and UINT of a width are one kind, because two's complement addition is the same for both.
 * Direction and exclusivity are no part of a kind: they are tested outside of the inner loops.
 */

#include "kernel_macros.h"
#include "kernel_table.h"

#include <stddef.h>

typedef enum kernel_kind {
    KIND_F32,
    KIND_F32_FLUSH,   /* subnormal elements and sums become zeros */
    KIND_F16_NEAREST, /* FLOAT16 with a binary32 tally, by store: the order of cumsum_half_store */
    KIND_F16_ZERO,
    KIND_F16_IEEE,
    KIND_F16_NARROW, /* FLOAT16 with a binary16 tally */
    KIND_F64,        /* sums of the exact order, which are never in memory */
    KIND_I32,
    KIND_I64
} kernel_kind;

KERNEL_INLINE bool is_half(kernel_kind kind) {
    return kind >= KIND_F16_NEAREST && kind <= KIND_F16_NARROW;
}

KERNEL_INLINE bool is_integer(kernel_kind kind) {
    return kind >= KIND_I32;
}

/* Bytes of an element in memory. In registers FLOAT16 takes a lane of 32 bits. */
KERNEL_INLINE size_t kind_size(kernel_kind kind) {
    if (kind == KIND_I64)
        return 8;
    return is_half(kind) ? 2 : 4;
}

static inline kernel_kind kind_of(const cumsum_arithmetic *arithmetic) {
    const cumsum_numerics *numerics = &arithmetic->numerics;
    switch (arithmetic->type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return numerics->denormals == CUMSUM_DENORMALS_FLUSH ? KIND_F32_FLUSH : KIND_F32;
    case CUMSUM_DATA_TYPE_FLOAT16:
        if (numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
            return KIND_F16_NARROW;
        return (kernel_kind)(KIND_F16_NEAREST + (int)numerics->half_store);
    default:
        return cumsum_data_type_size(arithmetic->type) == 8 ? KIND_I64 : KIND_I32;
    }
}

#endif
