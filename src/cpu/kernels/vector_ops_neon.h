/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_NEON_H
#define CUMSUM_CPU_VECTOR_OPS_NEON_H

/*
 * The vector operations (docs/kernels.md) for AArch64's Advanced SIMD: those of
 * vector_ops_portable.h, of which gcc and clang make its instructions, but for these. Every AArch64
 * processor has all of it, the conversions of binary16 included. The comments say how; what each
 * operation does is in vector_ops_portable.h.
 *
 * Stores that bypass the caches are left to vector_ops_common.h, as ordinary ones: the instruction
 * for them, STNP, stores a pair of registers and has no intrinsic.
 */

#include "kernel_macros.h"
#include "vector_types.h"

#include <arm_neon.h>

/* Conversions of binary16 are instructions, and shorter than the tests of the kind. */
#define SHARES_F16 0

/* As on AVX2; not measured. */
#define SCANS_BINADES 1

/* Conversions of binary16 are part of the base instruction set; its arithmetic is not, and is not
 * used. */
#define HAS_F16_CONVERSIONS
static inline v32 low_f16(v32 v) {
    return (v32)vcvt_f32_f16(vget_low_f16((float16x8_t)v));
}

static inline v32 high_f16(v32 v) {
    return (v32)vcvt_high_f32_f16((float16x8_t)v);
}

static inline v32 load_f16(const void *address) {
    return (v32)vcvt_f32_f16((float16x4_t)vld1_u8(address));
}

/* Rounds as the floating-point environment says, which is to nearest even (fp_environment.h). */
static inline uint16x4_t narrow_lanes(v32 v) {
    return (uint16x4_t)vcvt_f16_f32((float32x4_t)v);
}

static inline void store_f16(void *address, v32 v) {
    vst1_u8(address, (uint8x8_t)narrow_lanes(v));
}

static inline v32 pack_f16(v32 a, v32 b) {
    return (v32)vcombine_u16(narrow_lanes(a), narrow_lanes(b));
}

static inline v32 round_f16(v32 v) {
    return (v32)vcvt_f32_f16(vcvt_f16_f32((float32x4_t)v));
}

/* gcc takes two to six instructions and a table for the shuffles that are windows on two vectors.
 */
#define HAS_WINDOWS
static inline v32 spread_2_32(v32 v, v32 identity) {
    return (v32)vcombine_u32(vget_low_u32((uint32x4_t)identity), vdup_laneq_u32((uint32x4_t)v, 1));
}

static inline v32 shift_in32(v32 v, v32 before) {
    return (v32)vextq_u32((uint32x4_t)before, (uint32x4_t)v, 3);
}

static inline v32 reverse32(v32 v) {
    const uint32x4_t pairs = vrev64q_u32((uint32x4_t)v);
    return (v32)vextq_u32(pairs, pairs, 2);
}

/* The conversion names its rounding. It saturates, and gives 0 of NaN, which -2^31 replaces. */
#define HAS_NEAREST
static inline v32 nearest_i32(v32 v) {
    const float32x4_t value = (float32x4_t)v;
    const uint32x4_t nearest = (uint32x4_t)vcvtnq_s32_f32(value);
    return (v32)vbslq_u32(vceqq_f32(value, value), nearest, vdupq_n_u32(0x80000000u));
}

static inline v32 fraction_f32(v32 v) {
    return (v32)vsubq_f32((float32x4_t)v, vrndnq_f32((float32x4_t)v));
}

#define HAS_LANES_OF_MASK
static inline unsigned lanes_of_mask(v32 mask) {
    return vaddvq_u32((uint32x4_t)(mask & (v32){1, 2, 4, 8}));
}

#include "vector_ops_portable.h"

#endif
