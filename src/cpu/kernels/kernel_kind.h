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

#include "fp_environment.h"
#include "kernel_macros.h"
#include "kernel_table.h"

#include <stddef.h>

#ifndef SHARES_F16
#define SHARES_F16 0
#endif

/* Whether FLUSH runs the functions of FLOAT32 in a mode of the processor. Instrumented builds flush
 * in C, because valgrind does not know these modes. */
#if CUMSUM_FP_FLUSHES && !defined(CUMSUM_SMALL_KERNELS)
#define FLUSHES_BY_MODE 1
#else
#define FLUSHES_BY_MODE 0
#endif

typedef enum kernel_kind {
    KIND_F32,
    KIND_F32_FLUSH,  /* subnormal elements and sums become zeros */
    KIND_F16,        /* FLOAT16 with a binary32 accumulator, whatever the store */
    KIND_F16_NARROW, /* FLOAT16 with a binary16 accumulator */
    KIND_I32,
    KIND_I64
} kernel_kind;

KERNEL_INLINE bool is_half(kernel_kind kind) {
    return kind >= KIND_F16 && kind <= KIND_F16_NARROW;
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

/* The kind whose functions of the sequential and the blocked order serve a kind. FLUSH may run
 * those of FLOAT32 in a mode of the processor; with SHARES_F16 (of a vector header) both kinds of
 * FLOAT16 share theirs, because the conversions take so long that a test does not count. */
KERNEL_INLINE kernel_kind compiled_kind(kernel_kind kind) {
    if (kind == KIND_F32_FLUSH && FLUSHES_BY_MODE)
        return KIND_F32;
    return kind == KIND_F16_NARROW && SHARES_F16 ? KIND_F16 : kind;
}

/* The kinds of floats that are compiled: WHAT(name, kind) of each. */
#if FLUSHES_BY_MODE
#define FLUSH_KIND(WHAT)
#else
#define FLUSH_KIND(WHAT) WHAT(f32_flush, KIND_F32_FLUSH)
#endif
#if SHARES_F16
#define NARROW_KIND(WHAT)
#else
#define NARROW_KIND(WHAT) WHAT(f16_narrow, KIND_F16_NARROW)
#endif
#define FLOAT_KINDS(WHAT) WHAT(f32, KIND_F32) FLUSH_KIND(WHAT) WHAT(f16, KIND_F16) NARROW_KIND(WHAT)

/* In functions that are shared it is known only when they run which kind of FLOAT16 they are for.
 * The compiler is told that `found` is one of them, so that everything else about the kind stays a
 * constant. */
KERNEL_INLINE kernel_kind actual_kind(kernel_kind kind, kernel_kind found) {
    if (kind != KIND_F16 || !SHARES_F16)
        return kind;
    KERNEL_ASSUME(is_half(found));
    return found;
}

/* The blocked order has no blocks where conversions would make them long, and with a binary16 sum,
 * which is rare. */
KERNEL_INLINE bool has_blocked_blocks(kernel_kind kind) {
    return !is_half(kind) || (!SHARES_F16 && kind == KIND_F16);
}

/* Kinds of which nothing is compiled for speed alone. */
KERNEL_INLINE bool is_rare(kernel_kind kind) {
    return kind == KIND_F32_FLUSH || (is_half(kind) && (SHARES_F16 || kind == KIND_F16_NARROW));
}

static inline kernel_kind kind_of(const cumsum_arithmetic *arithmetic) {
    const cumsum_numerics *numerics = &arithmetic->numerics;
    switch (arithmetic->type) {
    case CUMSUM_DATA_TYPE_FLOAT32:
        return numerics->denormals == CUMSUM_DENORMALS_FLUSH ? KIND_F32_FLUSH : KIND_F32;
    case CUMSUM_DATA_TYPE_FLOAT16:
        return numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16 ? KIND_F16_NARROW
                                                                             : KIND_F16;
    default:
        return cumsum_data_type_size(arithmetic->type) == 8 ? KIND_I64 : KIND_I32;
    }
}

/* How FLOAT16 is stored: the exact order and a binary16 accumulator have IEEE's rounding. */
static inline cumsum_half_store half_store_of(const cumsum_arithmetic *arithmetic) {
    const cumsum_numerics *numerics = &arithmetic->numerics;
    if (numerics->order == CUMSUM_ORDER_EXACT ||
        numerics->half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16)
        return CUMSUM_HALF_STORE_IEEE;
    return numerics->half_store;
}

#endif
