/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_ELEMENTS_H
#define CUMSUM_CPU_ELEMENTS_H

/*
 * Loads, additions and stores of the elements of a kind, a vector at a time: the vector
 * operations with the rules of docs/numerics.md for each kind. A lane holds an accumulator, which
 * is binary32 for FLOAT16 too, so all conversions happen here, at the border to memory.
 *
 * The functions come for both lane widths, so that templates can call either through FN. Most
 * of those of 64 bits ignore the argument: elements of 64 bits are one kind, KIND_I64.
 */

#include "scalars.h"

#ifndef LANES32
#error "include a vector_ops_<isa>.h before elements.h"
#endif

/* The encoding in binary32 of binary16's largest number, 65504. */
#define LARGEST_F16 UINT32_C(0x477FE000)

/* Flushing happens at the load and after each addition: the two places where docs/numerics.md has
 * it. */
KERNEL_INLINE v32 load_elements32(kernel_kind kind, const void *address) {
    if (is_half(kind))
        return load_f16(address);
    const v32 v = load32(address);
    return kind == KIND_F32_FLUSH ? flush_f32(v) : v;
}

/* LANES32 elements of as many lines, which are `step` bytes apart: lane l of v[j] becomes element j
 * of line l. */
KERNEL_INLINE void load_lines32(kernel_kind kind, const unsigned char *address, int64_t step,
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

/* A tail: the first `count` lanes from memory, and 0 in the others. Reads nothing behind them. */
KERNEL_INLINE v32 load_tail32(kernel_kind kind, const void *address, unsigned count) {
    if (is_half(kind))
        return load_f16_tail(address, count);
    const v32 v = load32_tail(address, count);
    return kind == KIND_F32_FLUSH ? flush_f32(v) : v;
}

/* One rounded addition of the kind. A binary16 accumulator is computed in binary32 and then
 * rounded: the sum of two binary16 numbers is exact in binary32 or so far from a tie that the two
 * roundings together are one (24 >= 2 * 11 + 2 significand bits: S. A. Figueroa, When is double
 * rounding innocuous?, 1995). */
KERNEL_INLINE v32 add_elements32(kernel_kind kind, v32 a, v32 b) {
    if (kind == KIND_I32)
        return add_i32(a, b);
    const v32 sum = add_f32(a, b);
    if (kind == KIND_F32_FLUSH)
        return flush_f32(sum);
    return kind == KIND_F16_NARROW ? round_f16(sum) : sum;
}

/*
 * Makes accumulators ready for the conversion to binary16, which is to nearest even; each must come
 * by here before it is stored. DirectML's stores overflow above 65504, the conversion from 65520
 * on. Hardly any accumulator is so large: several are asked at once. Truncation clears the bits
 * that binary16 has no room for, so that the conversion has nothing to round. Below 2^-14 binary16
 * has fewer bits, but no sum needs more there: sums of binary16 numbers are multiples of 2^-24.
 */
KERNEL_INLINE void finish_accumulators32(kernel_kind kind, cumsum_half_store store, v32 *v,
                                         unsigned count) {
    if (!is_half(kind) || kind == KIND_F16_NARROW)
        return;
    v32 largest = zero32();
    UNROLL
    for (unsigned i = 0; i < count; i++)
        largest = max_magnitude(largest, v[i]);
    if (lanes_from_u32(largest, LARGEST_F16 + 1) && store != CUMSUM_HALF_STORE_IEEE) {
        UNROLL
        for (unsigned i = 0; i < count; i++)
            v[i] = overflow_f16(v[i]);
    }
    if (store == CUMSUM_HALF_STORE_TOWARD_ZERO) {
        UNROLL
        for (unsigned i = 0; i < count; i++)
            v[i] = and32(v[i], all_lanes_u32(0xFFFFE000));
    }
}

/* Accumulators at any address, as what the kind has in memory; of FLOAT16 behind
 * finish_accumulators32. */
KERNEL_INLINE void store_elements32(kernel_kind kind, void *address, v32 v) {
    if (is_half(kind))
        store_f16(address, v);
    else
        store32(address, v);
}

KERNEL_INLINE void store_tail32(kernel_kind kind, void *address, v32 v, unsigned count) {
    if (is_half(kind))
        store_f16_tail(address, v, count);
    else
        store32_tail(address, v, count);
}

/* Bypasses the caches. The address must be a multiple of the bytes that are written. */
KERNEL_INLINE void stream_elements32(kernel_kind kind, void *address, v32 v) {
    if (is_half(kind))
        stream_f16(address, v);
    else
        stream32(address, v);
}

/* Whether FLOAT16 is taken in pairs of blocks (blocks.inl.h). Not with a binary16 accumulator:
 * each of its additions waits for a conversion there and back, and that latency is hidden better by
 * taking fewer elements of more lines at a time. */
KERNEL_INLINE bool uses_half_pairs(kernel_kind kind) {
    return !SHARES_F16 && is_half(kind) && kind != KIND_F16_NARROW;
}

/* Bytes of a line's outputs that are written together. */
KERNEL_INLINE unsigned chunk_bytes32(kernel_kind kind) {
    if (uses_half_pairs(kind))
        return CHUNK_BYTES_F16;
    if (is_half(kind))
        return CHUNK_BYTES / 2;
    return CHUNK_BYTES;
}

/* The answer of a vector whose lanes are all equal. */
KERNEL_INLINE float first_lane(v32 v) {
    float lanes[LANES32];
    store32(lanes, v);
    return lanes[0];
}

/* The same functions for 64-bit lanes: integers, and sums in binary64 that are only added. */

KERNEL_INLINE v64 load_elements64(kernel_kind kind, const void *address) {
    (void)kind;
    return load64(address);
}

KERNEL_INLINE void load_lines64(kernel_kind kind, const unsigned char *address, int64_t step,
                                v64 v[LANES64]) {
    (void)kind;
    UNROLL
    for (unsigned i = 0; i < LANES64; i++)
        v[i] = load64(address + (int64_t)i * step);
    transpose64(v);
}

KERNEL_INLINE v64 load_tail64(kernel_kind kind, const void *address, unsigned count) {
    (void)kind;
    return load64_tail(address, count);
}

KERNEL_INLINE v64 add_elements64(kernel_kind kind, v64 a, v64 b) {
    (void)kind;
    return add_i64(a, b);
}

KERNEL_INLINE void finish_accumulators64(kernel_kind kind, cumsum_half_store store, v64 *v,
                                         unsigned count) {
    (void)kind;
    (void)store;
    (void)v;
    (void)count;
}

KERNEL_INLINE void store_elements64(kernel_kind kind, void *address, v64 v) {
    (void)kind;
    store64(address, v);
}

KERNEL_INLINE void store_tail64(kernel_kind kind, void *address, v64 v, unsigned count) {
    (void)kind;
    store64_tail(address, v, count);
}

KERNEL_INLINE void stream_elements64(kernel_kind kind, void *address, v64 v) {
    (void)kind;
    stream64(address, v);
}

KERNEL_INLINE unsigned chunk_bytes64(kernel_kind kind) {
    (void)kind;
    return CHUNK_BYTES;
}

#endif
