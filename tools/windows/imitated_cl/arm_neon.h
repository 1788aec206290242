/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_IMITATED_ARM_NEON_H
#define CUMSUM_IMITATED_ARM_NEON_H

/* The NEON intrinsics that src/ may use, declared as in Microsoft's cl. All vectors of one size are
 * the same union, so that only intrinsics can work on them. Any other intrinsic is an error. */

#include <stdint.h>

typedef union __declspec(align(8)) __n64 {
    uint64_t n64_u64[1];
} __n64;
typedef union __declspec(align(16)) __n128 {
    uint64_t n128_u64[2];
} __n128;

typedef __n64 float16x4_t;
typedef __n64 uint8x8_t;
typedef __n64 uint16x4_t;
typedef __n64 uint32x2_t;
typedef __n64 float32x2_t;
typedef __n128 float32x4_t;
typedef __n128 float64x2_t;
typedef __n128 uint8x16_t;
typedef __n128 uint16x8_t;
typedef __n128 uint32x4_t;
typedef __n128 int32x4_t;
typedef __n128 uint64x2_t;

float32x4_t vaddq_f32(float32x4_t, float32x4_t);
uint32x4_t vaddq_u32(uint32x4_t, uint32x4_t);
uint64x2_t vaddq_u64(uint64x2_t, uint64x2_t);
uint32x4_t vandq_u32(uint32x4_t, uint32x4_t);
uint32x4_t vbslq_u32(uint32x4_t, uint32x4_t, uint32x4_t);
uint32x4_t vcagtq_f32(float32x4_t, float32x4_t);
uint32x4_t vceqq_f32(float32x4_t, float32x4_t);
uint32x4_t vcgtq_u32(uint32x4_t, uint32x4_t);
uint32x4_t vcleq_u32(uint32x4_t, uint32x4_t);
uint32x4_t vcltq_u32(uint32x4_t, uint32x4_t);
uint16x8_t vcombine_u16(uint16x4_t, uint16x4_t);
uint32x4_t vcombine_u32(uint32x2_t, uint32x2_t);
uint8x16_t vcombine_u8(uint8x8_t, uint8x8_t);
float16x4_t vcvt_f16_f32(float32x4_t);
float32x4_t vcvt_f32_f16(float16x4_t);
uint32x4_t vcvtq_u32_f32(float32x4_t);
uint32x2_t vdup_laneq_u32(uint32x4_t, const int);
uint32x4_t vdupq_laneq_u32(uint32x4_t, const int);
uint64x2_t vdupq_laneq_u64(uint64x2_t, const int);
float32x4_t vdupq_n_f32(float);
uint32x4_t vdupq_n_u32(uint32_t);
uint64x2_t vdupq_n_u64(uint64_t);
uint32x4_t vextq_u32(uint32x4_t, uint32x4_t, const int);
uint64x2_t vextq_u64(uint64x2_t, uint64x2_t, const int);
uint16x4_t vget_high_u16(uint16x8_t);
uint32x2_t vget_high_u32(uint32x4_t);
uint16x4_t vget_low_u16(uint16x8_t);
uint32x2_t vget_low_u32(uint32x4_t);
uint16x4_t vld1_u16(uint16_t const *);
uint8x8_t vld1_u8(uint8_t const *);
uint32x4_t vld1q_u32(uint32_t const *);
uint64x2_t vld1q_u64(uint64_t const *);
uint8x16_t vld1q_u8(uint8_t const *);
uint32x4_t vminq_u32(uint32x4_t, uint32x4_t);
uint32_t vminvq_u32(uint32x4_t);
uint16x4_t vmovn_u32(uint32x4_t);
float32x4_t vmulq_n_f32(float32x4_t, float);
uint32x4_t vorrq_u32(uint32x4_t, uint32x4_t);
float16x4_t vreinterpret_f16_u16(uint16x4_t);
uint16x4_t vreinterpret_u16_f16(float16x4_t);
uint16x4_t vreinterpret_u16_u8(uint8x8_t);
uint8x8_t vreinterpret_u8_u16(uint16x4_t);
float32x4_t vreinterpretq_f32_u32(uint32x4_t);
uint32x4_t vreinterpretq_u32_f32(float32x4_t);
uint32x4_t vreinterpretq_u32_u16(uint16x8_t);
uint16x8_t vreinterpretq_u16_u32(uint32x4_t);
uint32x4_t vreinterpretq_u32_u8(uint8x16_t);
uint64x2_t vreinterpretq_u64_u8(uint8x16_t);
uint8x16_t vreinterpretq_u8_u32(uint32x4_t);
uint8x16_t vreinterpretq_u8_u64(uint64x2_t);
uint32x4_t vrev64q_u32(uint32x4_t);
float32x4_t vrndnq_f32(float32x4_t);
uint32x4_t vshrq_n_u32(uint32x4_t, const int);
void vst1_u16(uint16_t *, uint16x4_t);
void vst1_u8(uint8_t *, uint8x8_t);
void vst1q_u32(uint32_t *, uint32x4_t);
void vst1q_u64(uint64_t *, uint64x2_t);
void vst1q_u8(uint8_t *, uint8x16_t);
uint32x4_t vsubq_u32(uint32x4_t, uint32x4_t);
uint16x8_t vtrn1q_u16(uint16x8_t, uint16x8_t);
uint32x4_t vtrn1q_u32(uint32x4_t, uint32x4_t);
uint64x2_t vtrn1q_u64(uint64x2_t, uint64x2_t);
uint16x8_t vtrn2q_u16(uint16x8_t, uint16x8_t);
uint32x4_t vtrn2q_u32(uint32x4_t, uint32x4_t);
uint64x2_t vtrn2q_u64(uint64x2_t, uint64x2_t);
uint32x4_t vtstq_u32(uint32x4_t, uint32x4_t);
uint32x4_t vuzp1q_u32(uint32x4_t, uint32x4_t);
uint32x4_t vuzp2q_u32(uint32x4_t, uint32x4_t);
float32x4_t vsubq_f32(float32x4_t, float32x4_t);
float32x4_t vmulq_f32(float32x4_t, float32x4_t);
uint32x4_t vreinterpretq_u32_s32(int32x4_t);
int32x4_t vcvtnq_s32_f32(float32x4_t);
uint32_t vaddvq_u32(uint32x4_t);
uint32x4_t vcgeq_u32(uint32x4_t, uint32x4_t);
float64x2_t vaddq_f64(float64x2_t, float64x2_t);
uint64x2_t vandq_u64(uint64x2_t, uint64x2_t);
uint64x2_t vceqq_u64(uint64x2_t, uint64x2_t);
float32x2_t vcvt_f32_f64(float64x2_t);
float64x2_t vcvt_f64_f32(float32x2_t);
float32x4_t vcvt_high_f32_f64(float32x2_t, float64x2_t);
float64x2_t vcvt_high_f64_f32(float32x4_t);
float32x2_t vget_low_f32(float32x4_t);
uint64_t vgetq_lane_u64(uint64x2_t, const int);
uint32x4_t vmaxq_u32(uint32x4_t, uint32x4_t);
uint64x2_t vorrq_u64(uint64x2_t, uint64x2_t);
float64x2_t vreinterpretq_f64_u64(uint64x2_t);
uint64x2_t vreinterpretq_u64_f64(float64x2_t);
float64x2_t vsubq_f64(float64x2_t, float64x2_t);

#endif
