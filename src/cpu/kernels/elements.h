/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_ELEMENTS_H
#define CUMSUM_CPU_ELEMENTS_H

/*
 * Loading, adding and storing elements of a kind, a vector at a time, in the words of the
 * vocabulary that was included before. Lanes hold tallies: binary32 for FLOAT16 too.
 */

#include "element_kind.h"

KERNEL_INLINE int is_half(element_kind kind) {
    return kind >= KIND_F16_NEAREST && kind <= KIND_F16_NARROW;
}

KERNEL_INLINE v32 load_elements32(element_kind kind, const void *address) {
    if (is_half(kind))
        return load_f16(address);
    const v32 v = load32(address);
    return kind == KIND_F32_FLUSH ? flush_f32(v) : v;
}

/* LANES32 elements of as many lines, `step` bytes apart: v[j] lane l is element j of line l. */
KERNEL_INLINE void load_lines32(element_kind kind, const unsigned char *address, int64_t step,
                                v32 v[LANES32]) {
    if (!is_half(kind)) {
        load_transposed32(address, step, v);
        UNROLL
        for (unsigned i = 0; i < LANES32 && kind == KIND_F32_FLUSH; i++)
            v[i] = flush_f32(v[i]);
        return;
    }
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        v[i] = load_f16(address + (int64_t)i * step);
    transpose32(v);
}

/* The first count lanes; the others are 0. Nothing behind them is read. */
KERNEL_INLINE v32 load_some32(element_kind kind, const void *address, unsigned count) {
    if (is_half(kind))
        return load_f16_part(address, count);
    const v32 v = load32_part(address, count);
    return kind == KIND_F32_FLUSH ? flush_f32(v) : v;
}

KERNEL_INLINE v32 add_elements32(element_kind kind, v32 a, v32 b) {
    if (kind == KIND_I32)
        return add_i32(a, b);
    const v32 sum = add_f32(a, b);
    if (kind == KIND_F32_FLUSH)
        return flush_f32(sum);
    return kind == KIND_F16_NARROW ? round_f16(sum) : sum;
}

/* A tally as it is stored: what remains is to narrow it, to nearest or toward zero. */
KERNEL_INLINE v32 settle(element_kind kind, v32 v) {
    return kind == KIND_F16_NEAREST || kind == KIND_F16_ZERO ? overflow_f16(v) : v;
}

KERNEL_INLINE void store_elements32(element_kind kind, void *address, v32 v) {
    if (is_half(kind))
        store_f16(address, settle(kind, v), kind == KIND_F16_ZERO);
    else
        store32(address, v);
}

KERNEL_INLINE void store_some32(element_kind kind, void *address, v32 v, unsigned count) {
    if (is_half(kind))
        store_f16_part(address, settle(kind, v), kind == KIND_F16_ZERO, count);
    else
        store32_part(address, v, count);
}

/* Past the caches; the address is aligned to what is written. */
KERNEL_INLINE void stream_elements32(element_kind kind, void *address, v32 v) {
    if (is_half(kind))
        stream_f16(address, settle(kind, v), kind == KIND_F16_ZERO);
    else
        stream32(address, v);
}

/* Are halves taken in pairs of blocks (half_chunk.h)? A binary16 tally waits for each of its sums
 * to be rounded: it is faster with fewer of a line's elements, and more lines, under way. */
KERNEL_INLINE bool takes_pairs(element_kind kind) {
    return is_half(kind) && kind != KIND_F16_NARROW;
}

/* Bytes of outputs that are written together. */
KERNEL_INLINE unsigned chunk_bytes32(element_kind kind) {
    if (takes_pairs(kind))
        return CHUNK_BYTES_F16;
    if (kind == KIND_F16_NARROW)
        return CHUNK_BYTES / 2;
    return CHUNK_BYTES;
}

/* Two vectors of halves make one, as it is stored. */
KERNEL_INLINE v32 pack_halves(element_kind kind, v32 a, v32 b) {
    return pack_f16(settle(kind, a), settle(kind, b), kind == KIND_F16_ZERO);
}

KERNEL_INLINE v64 load_elements64(element_kind kind, const void *address) {
    (void)kind;
    return load64(address);
}

KERNEL_INLINE void load_lines64(element_kind kind, const unsigned char *address, int64_t step,
                                v64 v[LANES64]) {
    (void)kind;
    UNROLL
    for (unsigned i = 0; i < LANES64; i++)
        v[i] = load64(address + (int64_t)i * step);
    transpose64(v);
}

KERNEL_INLINE v64 load_some64(element_kind kind, const void *address, unsigned count) {
    (void)kind;
    return load64_part(address, count);
}

KERNEL_INLINE v64 add_elements64(element_kind kind, v64 a, v64 b) {
    (void)kind;
    return add_i64(a, b);
}

KERNEL_INLINE void store_elements64(element_kind kind, void *address, v64 v) {
    (void)kind;
    store64(address, v);
}

KERNEL_INLINE void store_some64(element_kind kind, void *address, v64 v, unsigned count) {
    (void)kind;
    store64_part(address, v, count);
}

KERNEL_INLINE void stream_elements64(element_kind kind, void *address, v64 v) {
    (void)kind;
    stream64(address, v);
}

KERNEL_INLINE unsigned chunk_bytes64(element_kind kind) {
    (void)kind;
    return CHUNK_BYTES;
}

#endif
