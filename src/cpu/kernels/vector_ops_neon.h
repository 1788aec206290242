/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_NEON_H
#define CUMSUM_CPU_VECTOR_OPS_NEON_H

/*
 * The vector operations (docs/kernels.md) for AArch64's Advanced SIMD: 4 lanes of 32 bits or 2
 * of 64. Every AArch64 processor has all of it, the conversions of binary16 included. The comments
 * say how; what each operation does is in vector_ops_portable.h.
 *
 * Stores that bypass the caches are left to vector_ops_common.h, as ordinary ones: the instruction
 * for them, STNP, stores a pair of registers and has no intrinsic.
 */

#include "kernel_macros.h"

#include <arm_neon.h>
#include <stdint.h>

#define LANES32 4
#define LANES64 2

/* Bytes of a line's outputs that are written together (block_scan.inl.h): a cache line, and of
 * binary16 half of one, which keeps fewer vectors under way. */
#define CHUNK_BYTES     64
#define CHUNK_BYTES_F16 32

/* As on AVX2; not measured. */
#define SCANS_BINADES 1
#define RESOLVES_TIES 0

typedef uint32x4_t v32; /* binary32 or 32-bit integers: the bits are the same */
typedef uint64x2_t v64;

/* Casts between types of the same bits are free. */
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

/* Memory as bytes: any address will do for those. */
static inline v32 load32(const void *address) {
    return vreinterpretq_u32_u8(vld1q_u8(address));
}

static inline void store32(void *address, v32 v) {
    vst1q_u8(address, vreinterpretq_u8_u32(v));
}

static inline v64 load64(const void *address) {
    return vreinterpretq_u64_u8(vld1q_u8(address));
}

static inline void store64(void *address, v64 v) {
    vst1q_u8(address, vreinterpretq_u8_u64(v));
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

/* A lane whose exponent bits are all zero keeps only its sign. */
static inline v32 flush_f32(v32 v) {
    const v32 normal = vtstq_u32(v, vdupq_n_u32(0x7F800000u));
    return vandq_u32(v, vorrq_u32(normal, vdupq_n_u32(0x80000000u)));
}

/* Conversions of binary16 are part of the base instruction set; its arithmetic is not, and is not
 * used. */
static inline v32 widen_f16(uint16x4_t half) {
    return as_bits(vcvt_f32_f16(vreinterpret_f16_u16(half)));
}

static inline v32 load_f16(const void *address) {
    return widen_f16(vreinterpret_u16_u8(vld1_u8(address)));
}

/* vcagt compares magnitudes, and is false for NaN. The sign is the bit that is not selected. */
static inline v32 overflow_f16(v32 v) {
    const v32 large = vcagtq_f32(as_floats(v), vdupq_n_f32(65504));
    return vbslq_u32(vandq_u32(large, vdupq_n_u32(0x7FFFFFFFu)), vdupq_n_u32(0x7F800000u), v);
}

/* Rounds as the floating-point environment says, which is to nearest even (fp_environment.h). */
static inline uint16x4_t narrow_nearest(v32 v) {
    return vreinterpret_u16_f16(vcvt_f16_f32(as_floats(v)));
}

/* No instruction truncates. From 2^-14 (0x38800000) on, a binary16 is the upper bits of the
 * binary32, less the difference of the biases (0x38000000), and infinite where that exceeds 0x7C00.
 * Below, it counts steps of 2^-24. */
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

static inline v32 round_f16(v32 v) {
    return widen_f16(narrow_nearest(v));
}

static inline void store_f16(void *address, v32 v, int toward_zero) {
    vst1_u8(address, vreinterpret_u8_u16(narrow_f16(v, toward_zero)));
}

static inline v32 pack_f16(v32 a, v32 b, int toward_zero) {
    return vreinterpretq_u32_u16(
        vcombine_u16(narrow_f16(a, toward_zero), narrow_f16(b, toward_zero)));
}

static inline v32 low_f16(v32 v) {
    return widen_f16(vget_low_u16(vreinterpretq_u16_u32(v)));
}

static inline v32 high_f16(v32 v) {
    return widen_f16(vget_high_u16(vreinterpretq_u16_u32(v)));
}

static inline v32 load_two_f16(const void *low, const void *high) {
    return vreinterpretq_u32_u8(vcombine_u8(vld1_u8(low), vld1_u8(high)));
}

/*
 * Transpositions by exchanging ever larger squares: vtrn1 takes the even lanes of two vectors by
 * turns and vtrn2 the odd ones, which transposes squares of 2 x 2.
 */

static inline v32 even_pairs16(v32 a, v32 b) {
    return vreinterpretq_u32_u16(vtrn1q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));
}

static inline v32 odd_pairs16(v32 a, v32 b) {
    return vreinterpretq_u32_u16(vtrn2q_u16(vreinterpretq_u16_u32(a), vreinterpretq_u16_u32(b)));
}

/* The 4 x 4 blocks of 16-bit lanes in the halves of the vectors, in two rounds. */
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

/* Two rounds, which exchange squares of 1 and 2 lanes. */
static inline void transpose32(v32 v[LANES32]) {
    const v32 t0 = vtrn1q_u32(v[0], v[1]), t1 = vtrn2q_u32(v[0], v[1]);
    const v32 t2 = vtrn1q_u32(v[2], v[3]), t3 = vtrn2q_u32(v[2], v[3]);
    v[0] = low_halves(t0, t2);
    v[1] = low_halves(t1, t3);
    v[2] = high_halves(t0, t2);
    v[3] = high_halves(t1, t3);
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

/* Stage 1 is a trn: the identity in even lanes, and the lanes before them in odd ones. */
static inline v32 spread_1_32(v32 v, v32 identity) {
    return vtrn1q_u32(identity, v);
}

static inline v32 spread_2_32(v32 v, v32 identity) {
    return vcombine_u32(vget_low_u32(identity), vdup_laneq_u32(v, 1));
}

/* A lane that is named in the instruction, in all lanes. */
static inline v32 last32(v32 v) {
    return vdupq_laneq_u32(v, 3);
}

static inline v64 last64(v64 v) {
    return vdupq_laneq_u64(v, 1);
}

/* A window on `before` and v, three lanes or one from the start. */
static inline v32 shift_in32(v32 v, v32 before) {
    return vextq_u32(before, v, 3);
}

static inline v64 shift_in64(v64 v, v64 before) {
    return vextq_u64(before, v, 1);
}

/* Unzip. */
static inline v32 evens32(v32 a, v32 b) {
    return vuzp1q_u32(a, b);
}

static inline v32 odds32(v32 a, v32 b) {
    return vuzp2q_u32(a, b);
}

/* Within pairs, and then the pairs. */
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

static inline v32 all_lanes_u32(uint32_t bits) {
    return vdupq_n_u32(bits);
}

static inline v32 sub_f32(v32 a, v32 b) {
    return as_bits(vsubq_f32(as_floats(a), as_floats(b)));
}

static inline v32 mul_f32(v32 a, v32 b) {
    return as_bits(vmulq_f32(as_floats(a), as_floats(b)));
}

/* The conversion names its rounding. It saturates, and gives 0 of NaN, which -2^31 replaces. */
static inline v32 nearest_i32(v32 v) {
    const v32 nearest = vreinterpretq_u32_s32(vcvtnq_s32_f32(as_floats(v)));
    const v32 is_number = vceqq_f32(as_floats(v), as_floats(v));
    return vbslq_u32(is_number, nearest, vdupq_n_u32(0x80000000u));
}

static inline v32 fraction_f32(v32 v) {
    return as_bits(vsubq_f32(as_floats(v), vrndnq_f32(as_floats(v))));
}

/* The lanes as bits, in a vector. */
static inline v32 lane_numbers(void) {
    static const uint32_t bits[LANES32] = {1, 2, 4, 8};
    return vld1q_u32(bits);
}

static inline unsigned lanes_with32(v32 v, uint32_t bit) {
    return vaddvq_u32(vandq_u32(vtstq_u32(v, vdupq_n_u32(bit)), lane_numbers()));
}

static inline unsigned lanes_from_u32(v32 v, uint32_t limit) {
    return vaddvq_u32(vandq_u32(vcgeq_u32(v, vdupq_n_u32(limit)), lane_numbers()));
}

static inline v32 add_lanes32(v32 v, unsigned lanes, v32 addend) {
    return vaddq_u32(v, vandq_u32(vtstq_u32(vdupq_n_u32(lanes), lane_numbers()), addend));
}

/* By shifts of one lane and of two. */
#define HAS_RUNNING_I32
static inline v32 running_i32(v32 v, v32 *sum) {
    const v32 before = *sum;
    v = vaddq_u32(v, vextq_u32(zero32(), v, 3));
    v = vaddq_u32(v, vextq_u32(zero32(), v, 2));
    *sum = add_i32(before, last32(v));
    return add_i32(before, v);
}

static inline v32 max_u32(v32 a, v32 b) {
    return vmaxq_u32(a, b);
}

static inline v32 min_u32(v32 a, v32 b) {
    return vminq_u32(a, b);
}

static inline v64 all_lanes_u64(uint64_t bits) {
    return vdupq_n_u64(bits);
}

static inline v64 and64(v64 a, v64 b) {
    return vandq_u64(a, b);
}

static inline v64 or64(v64 a, v64 b) {
    return vorrq_u64(a, b);
}

static inline unsigned lanes_equal64(v64 a, v64 b) {
    const v64 equal = vceqq_u64(a, b);
    return (unsigned)((vgetq_lane_u64(equal, 0) & 1) | (vgetq_lane_u64(equal, 1) & 2));
}

static inline v64 low_f64(v32 v) {
    return vreinterpretq_u64_f64(vcvt_f64_f32(vget_low_f32(as_floats(v))));
}

static inline v64 high_f64(v32 v) {
    return vreinterpretq_u64_f64(vcvt_high_f64_f32(as_floats(v)));
}

static inline v32 narrow_f64(v64 low, v64 high) {
    const float32x2_t first = vcvt_f32_f64(vreinterpretq_f64_u64(low));
    return as_bits(vcvt_high_f32_f64(first, vreinterpretq_f64_u64(high)));
}

static inline v64 add_f64(v64 a, v64 b) {
    return vreinterpretq_u64_f64(vaddq_f64(vreinterpretq_f64_u64(a), vreinterpretq_f64_u64(b)));
}

static inline v64 sub_f64(v64 a, v64 b) {
    return vreinterpretq_u64_f64(vsubq_f64(vreinterpretq_f64_u64(a), vreinterpretq_f64_u64(b)));
}

#include "vector_ops_common.h"

#endif
