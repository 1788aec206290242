/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VOCABULARY_NEON_H
#define CUMSUM_CPU_VOCABULARY_NEON_H

/*
 * The words of the vocabulary (docs/kernels.md) for AArch64's Advanced SIMD: 4 lanes of 32 bits, 2
 * of 64. Every AArch64 processor has all of it, the conversions of binary16 included.
 */

#include "kernel_macros.h"

#include <arm_neon.h>
#include <stdint.h>
#include <string.h>

#define LANES32 4
#define LANES64 2

/* Of outputs that a kernel writes together: a cache line. */
#define CHUNK_BYTES     64
#define CHUNK_BYTES_F16 32

typedef uint32x4_t v32; /* binary32 or 32-bit integers: the bits are the same */
typedef uint64x2_t v64;

static inline float32x4_t as_floats(v32 v) {
    return vreinterpretq_f32_u32(v);
}

static inline v32 as_bits(float32x4_t v) {
    return vreinterpretq_u32_f32(v);
}

static inline v32 zero32(void) {
    return vdupq_n_u32(0);
}

static inline v64 zero64(void) {
    return vdupq_n_u64(0);
}

static inline v32 load32(const void *address) {
    return vreinterpretq_u32_u8(vld1q_u8(address));
}

static inline v32 load32_tail(const void *address, unsigned count) {
    uint32_t lanes[LANES32] = {0};
    memcpy(lanes, address, count * sizeof *lanes);
    return vld1q_u32(lanes);
}

static inline void store32(void *address, v32 v) {
    vst1q_u8(address, vreinterpretq_u8_u32(v));
}

static inline void store32_tail(void *address, v32 v, unsigned count) {
    uint32_t lanes[LANES32];
    vst1q_u32(lanes, v);
    memcpy(address, lanes, count * sizeof *lanes);
}

/* The instruction that passes the caches by stores pairs, and has no intrinsic. */
static inline void stream32(void *address, v32 v) {
    store32(address, v);
}

static inline v64 load64(const void *address) {
    return vreinterpretq_u64_u8(vld1q_u8(address));
}

static inline v64 load64_tail(const void *address, unsigned count) {
    uint64_t lanes[LANES64] = {0};
    memcpy(lanes, address, count * sizeof *lanes);
    return vld1q_u64(lanes);
}

static inline void store64(void *address, v64 v) {
    vst1q_u8(address, vreinterpretq_u8_u64(v));
}

static inline void store64_tail(void *address, v64 v, unsigned count) {
    uint64_t lanes[LANES64];
    vst1q_u64(lanes, v);
    memcpy(address, lanes, count * sizeof *lanes);
}

static inline void stream64(void *address, v64 v) {
    store64(address, v);
}

static inline void fence(void) {
}

static inline v32 add_f32(v32 a, v32 b) {
    return as_bits(vaddq_f32(as_floats(a), as_floats(b)));
}

static inline v32 add_i32(v32 a, v32 b) {
    return vaddq_u32(a, b);
}

static inline v64 add_i64(v64 a, v64 b) {
    return vaddq_u64(a, b);
}

/* Subnormals become zeros of their sign: a lane without exponent bits keeps only that. */
static inline v32 flush_f32(v32 v) {
    const v32 normal = vtstq_u32(v, vdupq_n_u32(0x7F800000u));
    return vandq_u32(v, vorrq_u32(normal, vdupq_n_u32(0x80000000u)));
}

static inline v32 widen_f16(uint16x4_t half) {
    return as_bits(vcvt_f32_f16(vreinterpret_f16_u16(half)));
}

/* 4 binary16 in memory become binary32 lanes. */
static inline v32 load_f16(const void *address) {
    return widen_f16(vreinterpret_u16_u8(vld1_u8(address)));
}

static inline v32 load_f16_tail(const void *address, unsigned count) {
    uint16_t half[LANES32] = {0};
    memcpy(half, address, count * sizeof *half);
    return widen_f16(vld1_u16(half));
}

/* Lanes above 65504 in magnitude become infinities of their sign; NaN stays. */
static inline v32 overflow_f16(v32 v) {
    const v32 large = vcagtq_f32(as_floats(v), vdupq_n_f32(65504)); /* not for NaN */
    return vbslq_u32(vandq_u32(large, vdupq_n_u32(0x7FFFFFFFu)), vdupq_n_u32(0x7F800000u), v);
}

/* IEEE, to nearest even: the rounding mode of the floating-point environment, which is that one. */
static inline uint16x4_t narrow_nearest(v32 v) {
    return vreinterpret_u16_f16(vcvt_f16_f32(as_floats(v)));
}

/*
 * Truncated. From 2^-14 on a binary16 is the upper bits of the binary32, with another bias; what
 * ends up above 0x7C00 is infinite. Below, it counts steps of 2^-24.
 */
static inline uint16x4_t narrow_zero(v32 v) {
    const v32 magnitude = vandq_u32(v, vdupq_n_u32(0x7FFFFFFFu));
    const v32 steps = vcvtq_u32_f32(vmulq_n_f32(as_floats(magnitude), 0x1p24f));
    const v32 upper = vshrq_n_u32(vsubq_u32(magnitude, vdupq_n_u32(0x38000000u)), 13);
    const v32 is_small = vcltq_u32(magnitude, vdupq_n_u32(0x38800000u));
    const v32 is_nan = vcgtq_u32(magnitude, vdupq_n_u32(0x7F800000u));
    v32 half = vbslq_u32(is_small, steps, vminq_u32(upper, vdupq_n_u32(0x7C00u)));
    half = vbslq_u32(is_nan, vdupq_n_u32(0x7E00u), half);
    return vmovn_u32(vorrq_u32(half, vandq_u32(vshrq_n_u32(v, 16), vdupq_n_u32(0x8000u))));
}

static inline uint16x4_t narrow_f16(v32 v, int toward_zero) {
    return toward_zero ? narrow_zero(v) : narrow_nearest(v);
}

/* Rounds to binary16 and back. */
static inline v32 round_f16(v32 v) {
    return widen_f16(narrow_nearest(v));
}

static inline void store_f16(void *address, v32 v, int toward_zero) {
    vst1_u8(address, vreinterpret_u8_u16(narrow_f16(v, toward_zero)));
}

static inline void stream_f16(void *address, v32 v, int toward_zero) {
    store_f16(address, v, toward_zero);
}

/* Lanes of a, then of b, as they are in memory. */
static inline v32 pack_f16(v32 a, v32 b, int toward_zero) {
    return vreinterpretq_u32_u16(
        vcombine_u16(narrow_f16(a, toward_zero), narrow_f16(b, toward_zero)));
}

static inline void store_f16_tail(void *address, v32 v, int toward_zero, unsigned count) {
    uint16_t half[LANES32];
    vst1_u16(half, narrow_f16(v, toward_zero));
    memcpy(address, half, count * sizeof *half);
}

/* What pack_f16 puts together. */
static inline v32 low_f16(v32 v) {
    return widen_f16(vget_low_u16(vreinterpretq_u16_u32(v)));
}

static inline v32 high_f16(v32 v) {
    return widen_f16(vget_high_u16(vreinterpretq_u16_u32(v)));
}

/* Halves at two addresses. */
static inline v32 load_two_f16(const void *low, const void *high) {
    return vreinterpretq_u32_u8(vcombine_u8(vld1_u8(low), vld1_u8(high)));
}

/* The lanes with even numbers of a and b by turns, of 16 bits; and the odd ones. */
static inline v32 even_pairs16(v32 a, v32 b) {
    return vreinterpretq_u32_u16(vtrn1q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));
}

static inline v32 odd_pairs16(v32 a, v32 b) {
    return vreinterpretq_u32_u16(vtrn2q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));
}

/* In each half of the vectors: 16-bit lane j of v[i] <-> lane i of v[j]. */
static inline void transpose_f16(v32 v[LANES32]) {
    const v32 t0 = even_pairs16(v[0], v[1]), t1 = odd_pairs16(v[0], v[1]);
    const v32 t2 = even_pairs16(v[2], v[3]), t3 = odd_pairs16(v[2], v[3]);
    v[0] = vtrn1q_u32(t0, t2);
    v[1] = vtrn1q_u32(t1, t3);
    v[2] = vtrn2q_u32(t0, t2);
    v[3] = vtrn2q_u32(t1, t3);
}

static inline v32 low_halves(v32 a, v32 b) {
    return vcombine_u32(vget_low_u32(a), vget_low_u32(b));
}

static inline v32 high_halves(v32 a, v32 b) {
    return vcombine_u32(vget_high_u32(a), vget_high_u32(b));
}

/* v[i] lane j <-> v[j] lane i, in two rounds that swap blocks of 1 and 2 lanes. */
static inline void transpose32(v32 v[LANES32]) {
    const v32 t0 = vtrn1q_u32(v[0], v[1]), t1 = vtrn2q_u32(v[0], v[1]);
    const v32 t2 = vtrn1q_u32(v[2], v[3]), t3 = vtrn2q_u32(v[2], v[3]);
    v[0] = low_halves(t0, t2);
    v[1] = low_halves(t1, t3);
    v[2] = high_halves(t0, t2);
    v[3] = high_halves(t1, t3);
}

/* transpose32 of LANES32 vectors that lie `step` bytes apart in memory. */
KERNEL_INLINE void load_transposed32(const unsigned char *address, int64_t step, v32 v[LANES32]) {
    UNROLL
    for (unsigned i = 0; i < LANES32; i++)
        v[i] = load32(address + (int64_t)i * step);
    transpose32(v);
}

static inline void transpose64(v64 v[LANES64]) {
    const v64 first = vtrn1q_u64(v[0], v[1]);
    v[1] = vtrn2q_u64(v[0], v[1]);
    v[0] = first;
}

static inline v32 minus_zero32(void) {
    return vdupq_n_u32(0x80000000u);
}

static inline v64 minus_zero64(void) {
    return vdupq_n_u64(UINT64_C(1) << 63);
}

static inline v32 all_lanes_f32(float value) {
    return as_bits(vdupq_n_f32(value));
}

/* spread_s: lanes i with (i & s) receive lane (i | (s - 1)) ^ s, the others `identity`. */
static inline v32 spread_1_32(v32 v, v32 identity) {
    return vtrn1q_u32(identity, v);
}

static inline v32 spread_2_32(v32 v, v32 identity) {
    return vcombine_u32(vget_low_u32(identity), vdup_laneq_u32(v, 1));
}

static inline v32 spread_4_32(v32 v, v32 identity) {
    (void)v;
    return identity;
}

static inline v32 spread_8_32(v32 v, v32 identity) {
    (void)v;
    return identity;
}

static inline v64 spread_1_64(v64 v, v64 identity) {
    return vtrn1q_u64(identity, v);
}

static inline v64 spread_2_64(v64 v, v64 identity) {
    (void)v;
    return identity;
}

static inline v64 spread_4_64(v64 v, v64 identity) {
    (void)v;
    return identity;
}

static inline v64 spread_8_64(v64 v, v64 identity) {
    (void)v;
    return identity;
}

/* The last lane in all lanes. */
static inline v32 last32(v32 v) {
    return vdupq_laneq_u32(v, 3);
}

static inline v64 last64(v64 v) {
    return vdupq_laneq_u64(v, 1);
}

/* The last lane of before, then v without its last lane. */
static inline v32 shift_in32(v32 v, v32 before) {
    return vextq_u32(before, v, 3);
}

static inline v64 shift_in64(v64 v, v64 before) {
    return vextq_u64(before, v, 1);
}

/* The lanes with even numbers of a, then those of b; and the odd ones. */
static inline v32 evens32(v32 a, v32 b) {
    return vuzp1q_u32(a, b);
}

static inline v32 odds32(v32 a, v32 b) {
    return vuzp2q_u32(a, b);
}

static inline v32 reverse32(v32 v) {
    const v32 pairs = vrev64q_u32(v);
    return vextq_u32(pairs, pairs, 2);
}

static inline v64 reverse64(v64 v) {
    return vextq_u64(v, v, 1);
}

static inline v32 and32(v32 a, v32 b) {
    return vandq_u32(a, b);
}

static inline v32 abs_f32(v32 v) {
    return vandq_u32(v, vdupq_n_u32(0x7FFFFFFFu));
}

/* Are all lanes integers? Not for NaN; infinities are. */
static inline int whole_f32(v32 v) {
    const float32x4_t value = as_floats(v);
    return vminvq_u32(vceqq_f32(value, vrndnq_f32(value))) == 0xFFFFFFFFu;
}

#endif
