/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_PORTABLE_H
#define CUMSUM_CPU_VECTOR_OPS_PORTABLE_H

/*
 * The vector operations (docs/kernels.md) by the vector extensions of gcc and clang, which any
 * target has: 4 lanes of 32 bits or 2 of 64. It is also the specification of the operations: the
 * comments here say what each does, and those of the other headers only how.
 *
 * Floating-point operations run in the default environment: rounding to nearest even, subnormals
 * kept. The conversions of binary16 are written anew. The reference uses those of
 * src/tensor/half.c, and is a check on these only if they share nothing.
 *
 * The header of an instruction set may include this file at its end. What it has instructions for,
 * it then defines before, with the macro HAS_... that is around it here.
 */

#include "kernel_macros.h"
#include "vector_types.h"

#include <string.h>

/* Bytes of a line's outputs that are written together (blocks.inl.h): a cache line, and of
 * binary16 half of one, which keeps fewer vectors under way. */
#define CHUNK_BYTES     64
#define CHUNK_BYTES_F16 32

/* All kinds of FLOAT16 share their functions: the conversions take longer than the tests. */
#ifndef SHARES_F16
#define SHARES_F16 1
#endif

/* Whether binade_scan.h is faster than one addition after the other, on blocks without ties and on
 * those with. With SSE2 it takes twice as long. */
#ifndef SCANS_BINADES
#define SCANS_BINADES 0
#endif
#define RESOLVES_TIES 0

/* A number in all lanes. */

static inline v32 all_lanes_u32(uint32_t bits) {
    return (v32){bits, bits, bits, bits};
}

static inline v64 all_lanes_u64(uint64_t bits) {
    return (v64){bits, bits};
}

static inline v32 all_lanes_f32(float value) {
    return (v32)(lanes_f32){value, value, value, value};
}

/* Memory at any address. */

static inline v32 load32(const void *address) {
    v32 v;
    memcpy(&v, address, sizeof v);
    return v;
}

static inline void store32(void *address, v32 v) {
    memcpy(address, &v, sizeof v);
}

static inline v64 load64(const void *address) {
    v64 v;
    memcpy(&v, address, sizeof v);
    return v;
}

static inline void store64(void *address, v64 v) {
    memcpy(address, &v, sizeof v);
}

/* Lane by lane: binary32 and binary64 rounded to nearest even, integers modulo 2^32 or 2^64, and
 * bits that both or either have. */
#define LANE_BY_LANE(name, vector, lanes, operator)                                                \
    static inline vector name(vector a, vector b) {                                                \
        return (vector)((lanes)a operator(lanes) b);                                               \
    }

LANE_BY_LANE(add_f32, v32, lanes_f32, +)
LANE_BY_LANE(sub_f32, v32, lanes_f32, -)
LANE_BY_LANE(mul_f32, v32, lanes_f32, *)
LANE_BY_LANE(add_f64, v64, lanes_f64, +)
LANE_BY_LANE(sub_f64, v64, lanes_f64, -)
LANE_BY_LANE(add_i32, v32, v32, +)
LANE_BY_LANE(add_i64, v64, v64, +)
LANE_BY_LANE(and32, v32, v32, &)
LANE_BY_LANE(and64, v64, v64, &)
LANE_BY_LANE(or64, v64, v64, |)
#undef LANE_BY_LANE

/* Binary32 magnitudes, which as integers are in the same order, with NaN at the end. */
static inline v32 abs_f32(v32 v) {
    return v & 0x7FFFFFFFu;
}

/* All bits of the lanes in which integers, which are not negative, are at least a limit. */
static inline v32 is_at_least(v32 v, int limit) {
    return (v32)((lanes_i32)v >= limit);
}

/* The lanes of a if all bits of `mask` are set, of b if none is. */
static inline v32 choose_lanes(v32 mask, v32 a, v32 b) {
    return (mask & a) | (~mask & b);
}

/* Subnormals become zeros of their sign. A lane without exponent bits is one, or a zero. */
static inline v32 flush_f32(v32 v) {
    return v & (is_at_least(v & 0x7F800000u, 1) | 0x80000000u);
}

/* Unsigned: the greater and the smaller of two lanes. */
static inline v32 max_u32(v32 a, v32 b) {
    return choose_lanes((v32)(a > b), a, b);
}

static inline v32 min_u32(v32 a, v32 b) {
    return choose_lanes((v32)(a > b), b, a);
}

/* Binary16. */

/* To binary32, exactly, from lanes with a binary16 in the upper half and anything in the lower one.
 * With the fraction moved down to where binary32 has it, the exponent is too small by the
 * difference of the biases, 127 - 15 = 112. A product with 2^112 corrects that, and normalizes
 * subnormals. Infinities and NaN lack exponent bits. */
static inline v32 widen_f16(v32 upper) {
    const v32 magnitude = upper >> 3 & 0x0FFFE000u;
    const v32 value = (v32)((lanes_f32)magnitude * 0x1p112f);
    return value | (is_at_least(magnitude, 0x0F800000) & 0x7F800000u) | (upper & 0x80000000u);
}

/* Half of the last place that binary16 keeps of a magnitude, less one if that place is even
 * already: what rounds to nearest even when it is added. */
static inline v32 half_place_f16(v32 magnitude) {
    return (magnitude >> 13 & 1) + 0xFFF;
}

/* Binary32 lanes above 65504 in magnitude become infinities of their sign; NaN stays. */
static inline v32 overflow_f16(v32 v) {
    const v32 magnitude = abs_f32(v);
    const v32 large = is_at_least(magnitude, 0x477FE001) & ~is_at_least(magnitude, 0x7F800001);
    return choose_lanes(large & 0x7FFFFFFFu, all_lanes_u32(0x7F800000u), v);
}

/* A vector of binary16 from two addresses, half of it from each. */
static inline v32 load_two_f16(const void *low, const void *high) {
    uint64_t first, second;
    memcpy(&first, low, sizeof first);
    memcpy(&second, high, sizeof second);
    return (v32)(v64){first, second};
}

#ifndef HAS_F16_CONVERSIONS
/* Binary32 lanes are rounded to the nearest binary16, and widened again; NaN stays. As above, but
 * the places below are cleared, and infinity is to be told from 65536, which 65520 (0x477FF000) is
 * rounded to. */
static inline v32 round_f16(v32 v) {
    const v32 magnitude = abs_f32(v);
    const v32 small = (v32)((lanes_f32)magnitude + 0.5f - 0.5f);
    const v32 rounded = (magnitude + half_place_f16(magnitude)) & ~0x1FFFu;
    const v32 large =
        choose_lanes(is_at_least(magnitude, 0x7F800001), magnitude, all_lanes_u32(0x7F800000u));
    v32 half = choose_lanes(is_at_least(magnitude, 0x38800000), rounded, small);
    half = choose_lanes(is_at_least(magnitude, 0x477FF000), large, half);
    return half | (v & 0x80000000u);
}

/*
 * To lanes with a binary16 in the lower half and 0 in the upper one, to nearest even. Below 2^-14
 * (0x38800000) binary16 has steps of 2^-24, which is what binary32 has at 0.5: adding 0.5
 * (0x3F000000) rounds, and leaves the binary16 in the low bits. From 2^-14 on, the upper bits are
 * the binary16, less the difference of the biases. From 65536 (0x47800000) on it is infinite, and
 * NaN one number.
 */
static inline v32 narrow_f16(v32 v) {
    const v32 magnitude = abs_f32(v);
    const v32 small = (v32)((lanes_f32)magnitude + 0.5f) - 0x3F000000u;
    const v32 rounded = magnitude + half_place_f16(magnitude);
    const v32 large = (is_at_least(magnitude, 0x7F800001) & 0x200) | 0x7C00;
    v32 half = choose_lanes(is_at_least(magnitude, 0x38800000), (rounded >> 13) - 0x1C000u, small);
    half = choose_lanes(is_at_least(magnitude, 0x47800000), large, half);
    return half | (v >> 16 & 0x8000u);
}

/* Two vectors become one of binary16: the lanes of a, then those of b, as in memory. */
static inline v32 pack_f16(v32 a, v32 b) {
    const lanes_u16 first = (lanes_u16)narrow_f16(a);
    const lanes_u16 second = (lanes_u16)narrow_f16(b);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (v32)__builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15);
#else
    return (v32)__builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}

/* The halves of such a vector, widened: the inverse of pack_f16. */

static inline v32 low_f16(v32 v) {
    const lanes_u16 half = (lanes_u16)v;
    return widen_f16((v32)__builtin_shufflevector(half, half, 0, 0, 1, 1, 2, 2, 3, 3));
}

static inline v32 high_f16(v32 v) {
    const lanes_u16 half = (lanes_u16)v;
    return widen_f16((v32)__builtin_shufflevector(half, half, 4, 4, 5, 5, 6, 6, 7, 7));
}

/* LANES32 binary16 in memory become binary32 lanes. */
static inline v32 load_f16(const void *address) {
    uint64_t halves;
    memcpy(&halves, address, sizeof halves);
    return low_f16((v32)(v64){halves, 0});
}

/* Binary32 lanes become binary16 in memory, to nearest even. */
static inline void store_f16(void *address, v32 v) {
    const uint64_t halves = ((v64)pack_f16(v, v))[0];
    memcpy(address, &halves, sizeof halves);
}

#endif

/* Transpositions, in place. */

/* Vectors of binary16: lane j of v[i] and lane i of v[j] are exchanged, in the low halves of the
 * vectors and, separately, in the high halves. Squares of 1 lane and then of 2 are exchanged. */

static inline lanes_u16 even_lanes(v32 a, v32 b) {
    return __builtin_shufflevector((lanes_u16)a, (lanes_u16)b, 0, 8, 2, 10, 4, 12, 6, 14);
}

static inline lanes_u16 odd_lanes(v32 a, v32 b) {
    return __builtin_shufflevector((lanes_u16)a, (lanes_u16)b, 1, 9, 3, 11, 5, 13, 7, 15);
}

KERNEL_INLINE void transpose_f16(v32 v[LANES32]) {
    const v32 even = (v32)even_lanes(v[0], v[1]), odd = (v32)odd_lanes(v[0], v[1]);
    const v32 even_2 = (v32)even_lanes(v[2], v[3]), odd_2 = (v32)odd_lanes(v[2], v[3]);
    v[0] = __builtin_shufflevector(even, even_2, 0, 4, 2, 6);
    v[1] = __builtin_shufflevector(odd, odd_2, 0, 4, 2, 6);
    v[2] = __builtin_shufflevector(even, even_2, 1, 5, 3, 7);
    v[3] = __builtin_shufflevector(odd, odd_2, 1, 5, 3, 7);
}

/* Lanes of a and b in turns: the lower two of each, and the upper two. */
static inline v32 low_pairs(v32 a, v32 b) {
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

static inline v32 high_pairs(v32 a, v32 b) {
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

/* Lane j of v[i] and lane i of v[j] are exchanged. */
KERNEL_INLINE void transpose32(v32 v[LANES32]) {
    const v32 low_even = low_pairs(v[0], v[2]), high_even = high_pairs(v[0], v[2]);
    const v32 low_odd = low_pairs(v[1], v[3]), high_odd = high_pairs(v[1], v[3]);
    v[0] = low_pairs(low_even, low_odd);
    v[1] = high_pairs(low_even, low_odd);
    v[2] = low_pairs(high_even, high_odd);
    v[3] = high_pairs(high_even, high_odd);
}

KERNEL_INLINE void transpose64(v64 v[LANES64]) {
    const v64 first = __builtin_shufflevector(v[0], v[1], 0, 2);
    v[1] = __builtin_shufflevector(v[0], v[1], 1, 3);
    v[0] = first;
}

/* Movements of lanes. The numbers from 4 on, of lanes of 64 bits from 2 on, are the second
 * vector's. */

/* spread_s is what stage s of Sklansky's network adds (line_scan.inl.h): lanes i with (i & s)
 * receive lane (i | (s - 1)) ^ s, and the others the lane of `identity`. */
static inline v32 spread_1_32(v32 v, v32 identity) {
    return __builtin_shufflevector(identity, v, 0, 4, 2, 6);
}

#ifndef HAS_WINDOWS
static inline v32 spread_2_32(v32 v, v32 identity) {
    return __builtin_shufflevector(identity, v, 0, 1, 5, 5);
}

/* The last lane of `before`, then v without its last lane. In two steps, of which SSE2 has each in
 * one instruction. */
static inline v32 shift_in32(v32 v, v32 before) {
    const v32 first = __builtin_shufflevector(before, v, 3, 3, 4, 4);
    return __builtin_shufflevector(first, v, 0, 2, 5, 6);
}

/* Lanes from last to first. */
static inline v32 reverse32(v32 v) {
    return __builtin_shufflevector(v, v, 3, 2, 1, 0);
}
#endif

/* The last lane, in all lanes. */
static inline v32 last32(v32 v) {
    return __builtin_shufflevector(v, v, 3, 3, 3, 3);
}

static inline v64 last64(v64 v) {
    return __builtin_shufflevector(v, v, 1, 1);
}

/* shift_in32 and reverse32 of 64 bits. */
static inline v64 shift_in64(v64 v, v64 before) {
    return __builtin_shufflevector(before, v, 1, 2);
}

static inline v64 reverse64(v64 v) {
    return __builtin_shufflevector(v, v, 1, 0);
}

/* The lanes with even numbers of a, then those of b; and the odd ones. */
static inline v32 evens32(v32 a, v32 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6);
}

static inline v32 odds32(v32 a, v32 b) {
    return __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

#ifndef HAS_NEAREST
/* The whole number nearest to a binary32 lane, ties to even; infinities and NaN stay. Numbers from
 * 2^23 (0x4B000000) on are whole. */
static inline v32 nearest_f32(v32 v) {
    const v32 steps_of_1 = (v & 0x80000000u) | 0x4B000000u;
    const v32 whole = sub_f32(add_f32(v, steps_of_1), steps_of_1);
    return choose_lanes(is_at_least(abs_f32(v), 0x4B000000), v, whole);
}

/* The same as an integer of 32 bits. NaN and numbers outside of +-2^31 (0x4F000000) give an integer
 * of more than 2^30 in magnitude. */
static inline v32 nearest_i32(v32 v) {
    const v32 outside = is_at_least(abs_f32(v), 0x4F000000);
    const lanes_f32 whole = (lanes_f32)(nearest_f32(v) & ~outside);
    return (v32) __builtin_convertvector(whole, lanes_i32) | (outside & 0x80000000u);
}

/* Binary32 lanes less the nearest integer, ties to even: exact, and at most 1/2 in magnitude. NaN
 * of NaN, and either 0 or NaN of infinities. */
static inline v32 fraction_f32(v32 v) {
    return sub_f32(v, nearest_f32(v));
}
#endif

/* Lanes as bits, lane 0 the lowest: those of a mask, those that have a bit, and those that are at
 * least `limit`, unsigned. */
#ifndef HAS_LANES_OF_MASK
static inline unsigned lanes_of_mask(v32 mask) {
    const v64 bits = (v64)(mask & (v32){1, 2, 4, 8});
    const uint64_t both = bits[0] | bits[1];
    return (unsigned)(both | both >> 32);
}
#endif

static inline unsigned lanes_with32(v32 v, uint32_t bit) {
    return lanes_of_mask((v32)((v & bit) != 0));
}

static inline unsigned lanes_from_u32(v32 v, uint32_t limit) {
    return lanes_of_mask((v32)(v >= limit));
}

/* Integers: adds `addend` to such lanes. Higher bits of `lanes` are ignored. */
static inline v32 add_lanes32(v32 v, unsigned lanes, v32 addend) {
    return v + (addend & (v32)((all_lanes_u32(lanes) & (v32){1, 2, 4, 8}) != 0));
}

/* The lanes in which two vectors have the same bits, as bits, lane 0 the lowest. */
static inline unsigned lanes_equal64(v64 a, v64 b) {
    return (unsigned)(a[0] == b[0]) | (unsigned)(a[1] == b[1]) << 1;
}

/* Binary64: the lower and the upper half of binary32 lanes; back, to nearest even. gcc has
 * instructions for the conversions of whole vectors, of which one half is not used. */

static inline v64 low_f64(v32 v) {
    const lanes_f64x4 all = __builtin_convertvector((lanes_f32)v, lanes_f64x4);
    return (v64)__builtin_shufflevector(all, all, 0, 1);
}

static inline v64 high_f64(v32 v) {
    const lanes_f64x4 all = __builtin_convertvector((lanes_f32)v, lanes_f64x4);
    return (v64)__builtin_shufflevector(all, all, 2, 3);
}

static inline v32 narrow_f64(v64 low, v64 high) {
    const lanes_f64x4 all = __builtin_shufflevector((lanes_f64)low, (lanes_f64)high, 0, 1, 2, 3);
    return (v32) __builtin_convertvector(all, lanes_f32);
}

#include "vector_ops_common.h"

#endif
