/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_SIMD128_H
#define CUMSUM_CPU_VECTOR_OPS_SIMD128_H

/*
 * The vector operations (docs/kernels.md) for WebAssembly's SIMD128: 4 lanes of 32 bits or 2 of 64.
 * It has no conversions of binary16: integers and an exact product or sum do them, as in
 * vector_ops_portable.h. That header also says what each operation does; the comments here say how.
 * WebAssembly has one floating-point mode, the default one, and no stores that bypass the caches.
 */

#include "kernel_macros.h"

#include <stdint.h>
#include <wasm_simd128.h>

#define LANES32 4
#define LANES64 2

/* As on NEON; not measured. */
#define CHUNK_BYTES     64
#define CHUNK_BYTES_F16 32
#define SCANS_BINADES   1
#define RESOLVES_TIES   0

/* One type has lanes of all kinds. */
typedef v128_t v32;
typedef v128_t v64;

static inline v32 zero32(void) {
    return wasm_i32x4_const_splat(0);
}

static inline v64 zero64(void) {
    return wasm_i64x2_const_splat(0);
}

static inline v32 minus_zero32(void) {
    return wasm_u32x4_const_splat(0x80000000u);
}

static inline v64 minus_zero64(void) {
    return wasm_u64x2_const_splat(UINT64_C(1) << 63);
}

static inline v32 all_lanes_f32(float value) {
    return wasm_f32x4_splat(value);
}

static inline v32 all_lanes_u32(uint32_t bits) {
    return wasm_u32x4_splat(bits);
}

static inline v64 all_lanes_u64(uint64_t bits) {
    return wasm_u64x2_splat(bits);
}

/* Any address will do. */
static inline v32 load32(const void *address) {
    return wasm_v128_load(address);
}

static inline void store32(void *address, v32 v) {
    wasm_v128_store(address, v);
}

static inline v64 load64(const void *address) {
    return wasm_v128_load(address);
}

static inline void store64(void *address, v64 v) {
    wasm_v128_store(address, v);
}

static inline v32 add_f32(v32 a, v32 b) {
    return wasm_f32x4_add(a, b);
}

static inline v32 sub_f32(v32 a, v32 b) {
    return wasm_f32x4_sub(a, b);
}

static inline v32 mul_f32(v32 a, v32 b) {
    return wasm_f32x4_mul(a, b);
}

static inline v32 add_i32(v32 a, v32 b) {
    return wasm_i32x4_add(a, b);
}

static inline v64 add_i64(v64 a, v64 b) {
    return wasm_i64x2_add(a, b);
}

static inline v64 add_f64(v64 a, v64 b) {
    return wasm_f64x2_add(a, b);
}

static inline v64 sub_f64(v64 a, v64 b) {
    return wasm_f64x2_sub(a, b);
}

static inline v32 and32(v32 a, v32 b) {
    return wasm_v128_and(a, b);
}

static inline v64 and64(v64 a, v64 b) {
    return wasm_v128_and(a, b);
}

static inline v64 or64(v64 a, v64 b) {
    return wasm_v128_or(a, b);
}

static inline v32 abs_f32(v32 v) {
    return wasm_f32x4_abs(v);
}

static inline v32 max_u32(v32 a, v32 b) {
    return wasm_u32x4_max(a, b);
}

static inline v32 min_u32(v32 a, v32 b) {
    return wasm_u32x4_min(a, b);
}

/* A lane whose exponent bits are all zero keeps only its sign. */
static inline v32 flush_f32(v32 v) {
    const v32 exponent = wasm_v128_and(v, wasm_u32x4_const_splat(0x7F800000u));
    const v32 normal = wasm_i32x4_ne(exponent, zero32());
    return wasm_v128_and(v, wasm_v128_or(normal, minus_zero32()));
}

/* Lanes of 32 bits, each with a binary16. Magnitudes are positive as integers, so they are compared
 * with sign. */
static inline v32 widen_f16(v32 half) {
    const v32 magnitude = wasm_i32x4_shl(wasm_v128_and(half, wasm_u32x4_const_splat(0x7FFF)), 13);
    const v32 special = wasm_i32x4_ge(magnitude, wasm_i32x4_const_splat(0x0F800000));
    const v32 value = wasm_f32x4_mul(magnitude, wasm_f32x4_const_splat(0x1p112f));
    const v32 sign = wasm_i32x4_shl(wasm_v128_and(half, wasm_u32x4_const_splat(0x8000)), 16);
    const v32 exponent = wasm_v128_and(special, wasm_u32x4_const_splat(0x7F800000u));
    return wasm_v128_or(wasm_v128_or(value, exponent), sign);
}

/* The rounded magnitude from 2^-14 on, the one below it, NaN, and the sign. */
static inline v32 join_f16(v32 v, v32 magnitude, v32 rounded, v32 small) {
    const v32 bounded = wasm_i32x4_min(rounded, wasm_i32x4_const_splat(0x47800000));
    const v32 normal =
        wasm_u32x4_shr(wasm_i32x4_sub(bounded, wasm_i32x4_const_splat(0x38000000)), 13);
    const v32 is_small = wasm_i32x4_lt(magnitude, wasm_i32x4_const_splat(0x38800000));
    const v32 is_nan = wasm_i32x4_gt(magnitude, wasm_i32x4_const_splat(0x7F800000));
    const v32 number = wasm_v128_bitselect(small, normal, is_small);
    const v32 half = wasm_v128_bitselect(wasm_i32x4_const_splat(0x7E00), number, is_nan);
    const v32 sign = wasm_v128_and(wasm_u32x4_shr(v, 16), wasm_i32x4_const_splat(0x8000));
    return wasm_v128_or(half, sign);
}

/* Lanes of 32 bits with a binary16 each, as in lane_narrow_nearest of vector_ops_portable.h. The
 * sum of rounding does not wrap: bits of NaN that it makes negative are replaced. */
static inline v32 narrow_nearest(v32 v) {
    const v32 magnitude = abs_f32(v);
    const v32 last = wasm_v128_and(wasm_u32x4_shr(magnitude, 13), wasm_i32x4_const_splat(1));
    const v32 half_step = wasm_i32x4_add(last, wasm_i32x4_const_splat(0xFFF));
    const v32 sum = wasm_f32x4_add(magnitude, wasm_f32x4_const_splat(0.5f));
    const v32 small = wasm_i32x4_sub(sum, wasm_i32x4_const_splat(0x3F000000));
    return join_f16(v, magnitude, wasm_i32x4_add(magnitude, half_step), small);
}

static inline v32 narrow_zero(v32 v) {
    const v32 magnitude = abs_f32(v);
    const v32 steps = wasm_f32x4_mul(magnitude, wasm_f32x4_const_splat(0x1p24f));
    return join_f16(v, magnitude, magnitude, wasm_i32x4_trunc_sat_f32x4(steps));
}

static inline v32 narrow_f16(v32 v, int toward_zero) {
    return toward_zero ? narrow_zero(v) : narrow_nearest(v);
}

static inline v32 load_f16(const void *address) {
    return widen_f16(wasm_u32x4_load16x4(address));
}

static inline v32 round_f16(v32 v) {
    return widen_f16(narrow_nearest(v));
}

static inline v32 pack_f16(v32 a, v32 b, int toward_zero) {
    return wasm_u16x8_narrow_i32x4(narrow_f16(a, toward_zero), narrow_f16(b, toward_zero));
}

static inline void store_f16(void *address, v32 v, int toward_zero) {
    const v32 half = narrow_f16(v, toward_zero);
    wasm_v128_store64_lane(address, wasm_u16x8_narrow_i32x4(half, half), 0);
}

static inline v32 low_f16(v32 v) {
    return widen_f16(wasm_u32x4_extend_low_u16x8(v));
}

static inline v32 high_f16(v32 v) {
    return widen_f16(wasm_u32x4_extend_high_u16x8(v));
}

static inline v32 load_two_f16(const void *low, const void *high) {
    return wasm_v128_load64_lane(high, wasm_v128_load64_zero(low), 1);
}

static inline v32 overflow_f16(v32 v) {
    const v32 magnitude = abs_f32(v);
    const v32 large = wasm_v128_and(wasm_i32x4_gt(magnitude, wasm_i32x4_const_splat(0x477FE000)),
                                    wasm_i32x4_le(magnitude, wasm_i32x4_const_splat(0x7F800000)));
    const v32 infinity =
        wasm_v128_or(wasm_v128_and(v, minus_zero32()), wasm_u32x4_const_splat(0x7F800000u));
    return wasm_v128_bitselect(infinity, v, large);
}

/*
 * Transpositions by exchanging ever larger squares: the even lanes of two vectors by turns, and the
 * odd ones, are squares of 2 x 2, transposed.
 */

static inline v32 even_pairs32(v32 a, v32 b) {
    return wasm_i32x4_shuffle(a, b, 0, 4, 2, 6);
}

static inline v32 odd_pairs32(v32 a, v32 b) {
    return wasm_i32x4_shuffle(a, b, 1, 5, 3, 7);
}

static inline v32 even_pairs16(v32 a, v32 b) {
    return wasm_i16x8_shuffle(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
}

static inline v32 odd_pairs16(v32 a, v32 b) {
    return wasm_i16x8_shuffle(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
}

static inline v32 low_halves(v32 a, v32 b) {
    return wasm_i64x2_shuffle(a, b, 0, 2);
}

static inline v32 high_halves(v32 a, v32 b) {
    return wasm_i64x2_shuffle(a, b, 1, 3);
}

static inline void transpose_f16(v32 v[LANES32]) {
    const v32 t0 = even_pairs16(v[0], v[1]), t1 = odd_pairs16(v[0], v[1]);
    const v32 t2 = even_pairs16(v[2], v[3]), t3 = odd_pairs16(v[2], v[3]);
    v[0] = even_pairs32(t0, t2);
    v[1] = even_pairs32(t1, t3);
    v[2] = odd_pairs32(t0, t2);
    v[3] = odd_pairs32(t1, t3);
}

static inline void transpose32(v32 v[LANES32]) {
    const v32 t0 = even_pairs32(v[0], v[1]), t1 = odd_pairs32(v[0], v[1]);
    const v32 t2 = even_pairs32(v[2], v[3]), t3 = odd_pairs32(v[2], v[3]);
    v[0] = low_halves(t0, t2);
    v[1] = low_halves(t1, t3);
    v[2] = high_halves(t0, t2);
    v[3] = high_halves(t1, t3);
}

static inline void transpose64(v64 v[LANES64]) {
    const v64 first = low_halves(v[0], v[1]);
    v[1] = high_halves(v[0], v[1]);
    v[0] = first;
}

/* Movements of lanes: the numbers from 4 (of lanes of 64 bits, 2) on are the second vector's. */

static inline v32 spread_1_32(v32 v, v32 identity) {
    return even_pairs32(identity, v);
}

static inline v32 spread_2_32(v32 v, v32 identity) {
    return wasm_i32x4_shuffle(identity, v, 0, 1, 5, 5);
}

static inline v32 last32(v32 v) {
    return wasm_i32x4_shuffle(v, v, 3, 3, 3, 3);
}

static inline v64 last64(v64 v) {
    return wasm_i64x2_shuffle(v, v, 1, 1);
}

static inline v32 shift_in32(v32 v, v32 before) {
    return wasm_i32x4_shuffle(before, v, 3, 4, 5, 6);
}

static inline v64 shift_in64(v64 v, v64 before) {
    return wasm_i64x2_shuffle(before, v, 1, 2);
}

static inline v32 evens32(v32 a, v32 b) {
    return wasm_i32x4_shuffle(a, b, 0, 2, 4, 6);
}

static inline v32 odds32(v32 a, v32 b) {
    return wasm_i32x4_shuffle(a, b, 1, 3, 5, 7);
}

static inline v32 reverse32(v32 v) {
    return wasm_i32x4_shuffle(v, v, 3, 2, 1, 0);
}

static inline v64 reverse64(v64 v) {
    return wasm_i64x2_shuffle(v, v, 1, 0);
}

/* The conversion saturates, and gives 0 of NaN, which -2^31 replaces. */
static inline v32 nearest_i32(v32 v) {
    const v32 nearest = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(v));
    return wasm_v128_bitselect(nearest, minus_zero32(), wasm_f32x4_eq(v, v));
}

static inline v32 fraction_f32(v32 v) {
    return wasm_f32x4_sub(v, wasm_f32x4_nearest(v));
}

static inline unsigned lanes_with32(v32 v, uint32_t bit) {
    const v32 with = wasm_v128_and(v, wasm_u32x4_splat(bit));
    return wasm_i32x4_bitmask(wasm_i32x4_ne(with, zero32()));
}

static inline unsigned lanes_from_u32(v32 v, uint32_t limit) {
    return wasm_i32x4_bitmask(wasm_u32x4_ge(v, wasm_u32x4_splat(limit)));
}

static inline v32 add_lanes32(v32 v, unsigned lanes, v32 addend) {
    const v32 bits = wasm_v128_and(wasm_u32x4_splat(lanes), wasm_i32x4_const(1, 2, 4, 8));
    return wasm_i32x4_add(v, wasm_v128_and(wasm_i32x4_ne(bits, zero32()), addend));
}

/* By shifts of one lane and of two. */
#define HAS_RUNNING_I32
static inline v32 running_i32(v32 v, v32 *sum) {
    const v32 before = *sum;
    v = wasm_i32x4_add(v, shift_in32(v, zero32()));
    v = wasm_i32x4_add(v, low_halves(zero32(), v));
    *sum = add_i32(before, last32(v));
    return add_i32(before, v);
}

static inline unsigned lanes_equal64(v64 a, v64 b) {
    return wasm_i64x2_bitmask(wasm_i64x2_eq(a, b));
}

static inline v64 low_f64(v32 v) {
    return wasm_f64x2_promote_low_f32x4(v);
}

static inline v64 high_f64(v32 v) {
    return wasm_f64x2_promote_low_f32x4(high_halves(v, v));
}

static inline v32 narrow_f64(v64 low, v64 high) {
    return low_halves(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high));
}

#include "vector_ops_common.h"

#endif
