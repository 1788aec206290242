/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_COMMON_H
#define CUMSUM_CPU_VECTOR_OPS_COMMON_H

/*
 * Operations that can be written with other vector operations (docs/kernels.md). Each
 * vector_ops_<isa>.h includes this file at its end. If it has something faster, it defines one of
 * these macros before, and then those operations itself:
 *
 * - HAS_STREAM: stream32, stream64, stream_f16, fence
 * - HAS_TAILS: load32_tail, store32_tail, load64_tail, store64_tail
 * - HAS_F16_TAILS: load_f16_tail, store_f16_tail
 * - HAS_LOAD_TRANSPOSED32: load_transposed32
 * - HAS_MAX_MAGNITUDE: max_magnitude
 * - HAS_RUNNING_I32: running_i32
 * - HAS_RUNNING_64: running_i64, running_f64
 */

#include "kernel_macros.h"

#include <stdint.h>
#include <string.h>

#ifndef LANES32
#error "vector_ops_common.h: a vector_ops_<isa>.h includes this file"
#endif

/* Lines of a block of 32-bit lanes (block_scans.inl.h). */
#ifndef BLOCK_LANES32
#define BLOCK_LANES32 LANES32
#endif

/* Zero is +0 in every lane, minus_zero only the sign bit. */

static inline v32 zero32(void) {
    return all_lanes_u32(0);
}

static inline v64 zero64(void) {
    return all_lanes_u64(0);
}

static inline v32 minus_zero32(void) {
    return all_lanes_u32(UINT32_C(1) << 31);
}

static inline v64 minus_zero64(void) {
    return all_lanes_u64(UINT64_C(1) << 63);
}

/* Stores that bypass the caches are an optimization: ordinary ones do. */
#ifndef HAS_STREAM
static inline void stream32(void *address, v32 v) {
    store32(address, v);
}

static inline void stream64(void *address, v64 v) {
    store64(address, v);
}

static inline void stream_f16(void *address, v32 v) {
    store_f16(address, v);
}

static inline void fence(void) {
}
#endif

/* Tails by way of an array of a vector's size. They occur once per line at most. */
#ifndef HAS_TAILS
static inline v32 load32_tail(const void *address, unsigned count) {
    uint32_t lanes[LANES32] = {0};
    memcpy(lanes, address, count * sizeof *lanes);
    return load32(lanes);
}

static inline void store32_tail(void *address, v32 v, unsigned count) {
    uint32_t lanes[LANES32];
    store32(lanes, v);
    memcpy(address, lanes, count * sizeof *lanes);
}

static inline v64 load64_tail(const void *address, unsigned count) {
    uint64_t lanes[LANES64] = {0};
    memcpy(lanes, address, count * sizeof *lanes);
    return load64(lanes);
}

static inline void store64_tail(void *address, v64 v, unsigned count) {
    uint64_t lanes[LANES64];
    store64(lanes, v);
    memcpy(address, lanes, count * sizeof *lanes);
}
#endif

#ifndef HAS_F16_TAILS
static inline v32 load_f16_tail(const void *address, unsigned count) {
    uint16_t half[LANES32] = {0};
    memcpy(half, address, count * sizeof *half);
    return load_f16(half);
}

static inline void store_f16_tail(void *address, v32 v, unsigned count) {
    uint16_t half[LANES32];
    store_f16(half, v);
    memcpy(address, half, count * sizeof *half);
}
#endif

/* Only worth an own definition if loads can do a part of the shuffles. */
#ifndef HAS_LOAD_TRANSPOSED32
KERNEL_INLINE void load_transposed32(const unsigned char *address, int64_t step, v32 v[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        v[i] = load32(address + (int64_t)i * step);
    transpose32(v);
}
#endif

/* Encodings of magnitudes are in the order of the magnitudes. Here NaN is the greatest. */
#ifndef HAS_MAX_MAGNITUDE
static inline v32 max_magnitude(v32 a, v32 b) {
    return max_u32(a, abs_f32(b));
}
#endif

/* Stages of the network that reach beyond a vector. line_scan.inl.h does not run them, but it must
 * find the names. */
#if LANES32 < 16
static inline v32 spread_8_32(v32 v, v32 identity) {
    (void)v;
    return identity;
}
#endif

#if LANES32 < 8
static inline v32 spread_4_32(v32 v, v32 identity) {
    (void)v;
    return identity;
}
#endif

/* Running sums of integers: each lane becomes *sum, which is in all lanes, plus the lanes up to it,
 * and *sum the last of them. Only AVX2 keeps *sum in fewer lanes. */
#ifndef HAS_RUNNING_I32
#if LANES32 != 4
#error "vector_ops_common.h: running_i32 is missing"
#endif
static inline v32 running_i32(v32 v, v32 *sum) {
    const v32 before = *sum;
    v = add_i32(v, spread_1_32(v, zero32()));
    v = add_i32(v, spread_2_32(v, zero32()));
    *sum = add_i32(before, last32(v));
    return add_i32(before, v);
}
#endif

/* The same of 64 bits; running_f64 is for sums that are exact. What adds nothing to a float is -0.
 */
#ifndef HAS_RUNNING_64
#if LANES64 != 2
#error "vector_ops_common.h: running_i64 and running_f64 are missing"
#endif
static inline v64 running_i64(v64 v, v64 *sum) {
    const v64 before = *sum;
    v = add_i64(v, shift_in64(v, zero64()));
    *sum = add_i64(before, last64(v));
    return add_i64(before, v);
}

static inline v64 running_f64(v64 v, v64 *sum) {
    const v64 before = *sum;
    v = add_f64(v, shift_in64(v, minus_zero64()));
    *sum = add_f64(before, last64(v));
    return add_f64(before, v);
}
#endif

#endif
