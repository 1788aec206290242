/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_PORTABLE_H
#define CUMSUM_CPU_VECTOR_OPS_PORTABLE_H

/*
 * The vector operations (docs/kernels.md) in plain C: 4 lanes of 32 bits or 2 of 64, which any
 * compiler turns into what its target has. It is also the specification of the operations: the
 * comments here say what each does, and those of the other headers only how.
 *
 * A lane is bits, so that binary32 and integers share a type. Floating-point operations run in the
 * default environment: rounding to nearest even, subnormals kept.
 *
 * The conversions of binary16 are written anew. The reference uses those of src/tensor/half.c, and
 * is a check on these only if they share nothing.
 */

#include "kernel_macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LANES32 4
#define LANES64 2

/* Bytes of a line's outputs that are written together (block_scan.inl.h): one vector, because
 * without vector registers more of them are only more code. */
#define CHUNK_BYTES     16
#define CHUNK_BYTES_F16 8

/* All kinds of FLOAT16 share their functions: the conversions take longer than the tests. */
#define SHARES_F16 1

/* Whether binade_scan.h is faster than one addition after the other, on blocks without ties and on
 * those with. It takes 30 operations on vectors, and 20 more. */
#define SCANS_BINADES 0
#define RESOLVES_TIES 0

#define HAS_TAILS

/*
 * gcc and clang have vectors, which take half as long to compile as arrays. Other compilers have
 * arrays, and so have instrumented builds, so that both are tested. LANE is a lane, and LANES_ARE
 * an initializer.
 */
#if (defined(CUMSUM_COMPILER_GNU) || defined(__clang__)) && !defined(CUMSUM_SMALL_KERNELS) &&      \
    (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__))

typedef uint32_t v32 __attribute__((vector_size(LANES32 * 4)));
typedef uint64_t v64 __attribute__((vector_size(LANES64 * 8)));

#define LANE(v, i) (v)[i]
#define LANES_ARE(...)                                                                             \
    { __VA_ARGS__ }

#else

typedef struct v32 {
    uint32_t lane[LANES32];
} v32;

typedef struct v64 {
    uint64_t lane[LANES64];
} v64;

#define LANE(v, i) (v).lane[i]
#define LANES_ARE(...)                                                                             \
    {                                                                                              \
        { __VA_ARGS__ }                                                                            \
    }

#endif

static inline float lane_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t lane_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Constants: zero is +0 in every lane, minus_zero only the sign bit. */

static inline v32 zero32(void) {
    return (v32)LANES_ARE(0);
}

static inline v64 zero64(void) {
    return (v64)LANES_ARE(0);
}

static inline v32 minus_zero32(void) {
    return (v32)LANES_ARE(0x80000000u, 0x80000000u, 0x80000000u, 0x80000000u);
}

static inline v64 minus_zero64(void) {
    return (v64)LANES_ARE(UINT64_C(1) << 63, UINT64_C(1) << 63);
}

static inline v32 all_lanes_f32(float value) {
    const uint32_t bits = lane_bits(value);
    return (v32)LANES_ARE(bits, bits, bits, bits);
}

/* Memory at any address: a whole vector, or a tail. A tail is the first `count` lanes; nothing
 * behind them is touched, and the other lanes are 0. */

static inline v32 load32_tail(const void *address, unsigned count) {
    v32 v = LANES_ARE(0);
    memcpy(&v, address, count * sizeof LANE(v, 0));
    return v;
}

static inline v32 load32(const void *address) {
    return load32_tail(address, LANES32);
}

static inline void store32_tail(void *address, v32 v, unsigned count) {
    memcpy(address, &v, count * sizeof LANE(v, 0));
}

static inline void store32(void *address, v32 v) {
    store32_tail(address, v, LANES32);
}

static inline v64 load64_tail(const void *address, unsigned count) {
    v64 v = LANES_ARE(0);
    memcpy(&v, address, count * sizeof LANE(v, 0));
    return v;
}

static inline v64 load64(const void *address) {
    return load64_tail(address, LANES64);
}

static inline void store64_tail(void *address, v64 v, unsigned count) {
    memcpy(address, &v, count * sizeof LANE(v, 0));
}

static inline void store64(void *address, v64 v) {
    store64_tail(address, v, LANES64);
}

/* Additions, lane by lane: binary32 rounded to nearest even, integers modulo 2^32 or 2^64. */

static inline v32 add_f32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) = lane_bits(lane_float(LANE(a, i)) + lane_float(LANE(b, i)));
    return a;
}

static inline v32 add_i32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) += LANE(b, i);
    return a;
}

static inline v64 add_i64(v64 a, v64 b) {
    for (int i = 0; i < LANES64; i++)
        LANE(a, i) += LANE(b, i);
    return a;
}

/* Subnormals become zeros of their sign. A lane without exponent bits is one, or a zero. */
static inline v32 flush_f32(v32 v) {
    for (int i = 0; i < LANES32; i++)
        LANE(v, i) &= (LANE(v, i) & 0x7F800000u) ? 0xFFFFFFFFu : 0x80000000u;
    return v;
}

/* Binary16. The conversions are functions that are not inlined, because each use would repeat four
 * times the code of a lane. */

/* To binary32, exactly. With the fraction moved up by 13 bits to where binary32 has it, the
 * exponent is too small by the difference of the biases, 127 - 15 = 112. A product with 2^112
 * corrects that, and normalizes subnormals. */
static inline uint32_t lane_widen(uint16_t half) {
    const uint32_t magnitude = (uint32_t)(half & 0x7FFFu) << 13;
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    if (magnitude >= 0x0F800000u) /* infinity or NaN */
        return sign | magnitude | 0x7F800000u;
    return sign | lane_bits(lane_float(magnitude) * 0x1p112f);
}

/*
 * To nearest even, infinite from 65520 on. Below 2^-14 (0x38800000) binary16 has steps of 2^-24,
 * which is what binary32 has at 0.5: adding 0.5 (0x3F000000) rounds, and leaves the binary16 in the
 * low bits. From 2^-14 on, adding half of the last place that is kept rounds, less one if that
 * place is even already; 0x38000000 is the difference of the biases.
 */
static inline uint16_t lane_narrow_nearest(uint32_t bits) {
    const uint32_t magnitude = bits & 0x7FFFFFFFu, sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7F800000u)
        return (uint16_t)(sign | 0x7E00u);
    if (magnitude < 0x38800000u)
        return (uint16_t)(sign | (lane_bits(lane_float(magnitude) + 0.5f) - 0x3F000000u));
    const uint32_t rounded = magnitude + 0xFFFu + (magnitude >> 13 & 1);
    return (uint16_t)(sign | (rounded >= 0x47800000u ? 0x7C00u : (rounded - 0x38000000u) >> 13));
}

/* Truncated. Below 2^-14, a binary16 counts steps of 2^-24. */
static inline uint16_t lane_narrow_zero(uint32_t bits) {
    const uint32_t magnitude = bits & 0x7FFFFFFFu, sign = bits >> 16 & 0x8000u;
    if (magnitude > 0x7F800000u)
        return (uint16_t)(sign | 0x7E00u);
    if (magnitude < 0x38800000u)
        return (uint16_t)(sign | (uint32_t)(lane_float(magnitude) * 0x1p24f));
    return (uint16_t)(sign |
                      (magnitude >= 0x47800000u ? 0x7C00u : (magnitude - 0x38000000u) >> 13));
}

/* LANES32 binary16 in memory become binary32 lanes. */
KERNEL_OUTLINE v32 load_f16(const void *address) {
    uint16_t half[LANES32];
    v32 v;
    memcpy(half, address, sizeof half);
    for (int i = 0; i < LANES32; i++)
        LANE(v, i) = lane_widen(half[i]);
    return v;
}

/* Binary32 lanes become binary16 in memory, to nearest even or truncated. */
KERNEL_OUTLINE void store_f16(void *address, v32 v, int toward_zero) {
    uint16_t half[LANES32];
    for (int i = 0; i < LANES32; i++)
        half[i] = toward_zero ? lane_narrow_zero(LANE(v, i)) : lane_narrow_nearest(LANE(v, i));
    memcpy(address, half, sizeof half);
}

/* Two vectors become one of binary16: the lanes of a, then those of b, as in memory. */
static inline v32 pack_f16(v32 a, v32 b, int toward_zero) {
    v32 packed;
    unsigned char *bytes = (unsigned char *)&packed;
    store_f16(bytes, a, toward_zero);
    store_f16(bytes + sizeof packed / 2, b, toward_zero);
    return packed;
}

/* The halves of such a vector, widened: the inverse of pack_f16. */
static inline v32 low_f16(v32 v) {
    return load_f16(&v);
}

static inline v32 high_f16(v32 v) {
    return load_f16((const unsigned char *)&v + sizeof v / 2);
}

/* Such a vector from two addresses, half of it from each. */
static inline v32 load_two_f16(const void *low, const void *high) {
    v32 v;
    memcpy(&v, low, sizeof v / 2);
    memcpy((unsigned char *)&v + sizeof v / 2, high, sizeof v / 2);
    return v;
}

/* Binary32 lanes above 65504 in magnitude become infinities of their sign; NaN stays. */
KERNEL_OUTLINE v32 overflow_f16(v32 v) {
    for (int i = 0; i < LANES32; i++) {
        const uint32_t magnitude = LANE(v, i) & 0x7FFFFFFFu;
        if (magnitude > 0x477FE000u && magnitude <= 0x7F800000u)
            LANE(v, i) = (LANE(v, i) & 0x80000000u) | 0x7F800000u;
    }
    return v;
}

/* Binary32 lanes are rounded to the nearest binary16, and widened again. */
KERNEL_OUTLINE v32 round_f16(v32 v) {
    for (int i = 0; i < LANES32; i++)
        LANE(v, i) = lane_widen(lane_narrow_nearest(LANE(v, i)));
    return v;
}

/* Transpositions, in place. */

/* Vectors of binary16: lane j of v[i] and lane i of v[j] are exchanged, in the low halves of the
 * vectors and, separately, in the high halves. */
KERNEL_OUTLINE void transpose_f16(v32 v[LANES32]) {
    uint16_t from[LANES32][2][LANES32], to[LANES32][2][LANES32];
    memcpy(from, v, sizeof from);
    for (int i = 0; i < LANES32; i++)
        for (int half = 0; half < 2; half++)
            for (int j = 0; j < LANES32; j++)
                to[i][half][j] = from[j][half][i];
    memcpy(v, to, sizeof to);
}

/* Lanes of a and b in turns: the lower two of each, and the upper two. */
static inline v32 low_pairs(v32 a, v32 b) {
    return (v32)LANES_ARE(LANE(a, 0), LANE(b, 0), LANE(a, 1), LANE(b, 1));
}

static inline v32 high_pairs(v32 a, v32 b) {
    return (v32)LANES_ARE(LANE(a, 2), LANE(b, 2), LANE(a, 3), LANE(b, 3));
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
    const uint64_t kept = LANE(v[0], 1);
    LANE(v[0], 1) = LANE(v[1], 0);
    LANE(v[1], 0) = kept;
}

/* Movements of lanes. */

/* spread_s is what stage s of Sklansky's network adds (line_scan.inl.h): lanes i with (i & s)
 * receive lane (i | (s - 1)) ^ s, and the others the lane of `identity`. */
static inline v32 spread_1_32(v32 v, v32 identity) {
    return (v32)LANES_ARE(LANE(identity, 0), LANE(v, 0), LANE(identity, 2), LANE(v, 2));
}

static inline v32 spread_2_32(v32 v, v32 identity) {
    return (v32)LANES_ARE(LANE(identity, 0), LANE(identity, 1), LANE(v, 1), LANE(v, 1));
}

/* The last lane, in all lanes. */
static inline v32 last32(v32 v) {
    return (v32)LANES_ARE(LANE(v, 3), LANE(v, 3), LANE(v, 3), LANE(v, 3));
}

static inline v64 last64(v64 v) {
    return (v64)LANES_ARE(LANE(v, 1), LANE(v, 1));
}

/* The last lane of `before`, then v without its last lane. */
static inline v32 shift_in32(v32 v, v32 before) {
    return (v32)LANES_ARE(LANE(before, 3), LANE(v, 0), LANE(v, 1), LANE(v, 2));
}

static inline v64 shift_in64(v64 v, v64 before) {
    return (v64)LANES_ARE(LANE(before, 1), LANE(v, 0));
}

/* The lanes with even numbers of a, then those of b; and the odd ones. */
static inline v32 evens32(v32 a, v32 b) {
    return (v32)LANES_ARE(LANE(a, 0), LANE(a, 2), LANE(b, 0), LANE(b, 2));
}

static inline v32 odds32(v32 a, v32 b) {
    return (v32)LANES_ARE(LANE(a, 1), LANE(a, 3), LANE(b, 1), LANE(b, 3));
}

/* Lanes from last to first. */
static inline v32 reverse32(v32 v) {
    return (v32)LANES_ARE(LANE(v, 3), LANE(v, 2), LANE(v, 1), LANE(v, 0));
}

static inline v64 reverse64(v64 v) {
    return (v64)LANES_ARE(LANE(v, 1), LANE(v, 0));
}

/* Bits that both have. */
static inline v32 and32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) &= LANE(b, i);
    return a;
}

/* Binary32 magnitudes. */
static inline v32 abs_f32(v32 v) {
    for (int i = 0; i < LANES32; i++)
        LANE(v, i) &= 0x7FFFFFFFu;
    return v;
}

/* Numbers of 32 bits in all lanes. */
static inline v32 all_lanes_u32(uint32_t bits) {
    return (v32)LANES_ARE(bits, bits, bits, bits);
}

/* Binary32 differences and products. */
static inline v32 sub_f32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) = lane_bits(lane_float(LANE(a, i)) - lane_float(LANE(b, i)));
    return a;
}

static inline v32 mul_f32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) = lane_bits(lane_float(LANE(a, i)) * lane_float(LANE(b, i)));
    return a;
}

/* Adding 1.5 * 2^52 in binary64 rounds to an integer, to nearest even, which then is the lower half
 * of the sum's encoding. */
static inline uint32_t lane_nearest(float value) {
    const double sum = (double)value + 0x1.8p52;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return value > -0x1p31f && value < 0x1p31f ? (uint32_t)bits : 0x80000000u;
}

/* The integer nearest to a binary32 lane, ties to even, as an integer of 32 bits. NaN and numbers
 * outside of +-2^31 give an integer of more than 2^30 in magnitude. */
static inline v32 nearest_i32(v32 v) {
    for (int i = 0; i < LANES32; i++)
        LANE(v, i) = lane_nearest(lane_float(LANE(v, i)));
    return v;
}

/* Binary32 lanes less the nearest integer, ties to even: exact, and at most 1/2 in magnitude. NaN
 * of NaN, and either 0 or NaN of infinities. From 2^23 on a number has no fraction, and subtracting
 * it from itself tells infinities and NaN. */
static inline v32 fraction_f32(v32 v) {
    for (int i = 0; i < LANES32; i++) {
        const float value = lane_float(LANE(v, i));
        const bool small = value > -0x1p23f && value < 0x1p23f;
        const float whole = small ? (float)(int32_t)lane_nearest(value) : value;
        LANE(v, i) = lane_bits(value - whole);
    }
    return v;
}

/* Lanes as bits, lane 0 the lowest: those that have a bit, and those that are at least `limit`,
 * unsigned. */

static inline unsigned lanes_with32(v32 v, uint32_t bit) {
    unsigned lanes = 0;
    for (unsigned i = 0; i < LANES32; i++)
        lanes |= (unsigned)((LANE(v, i) & bit) != 0) << i;
    return lanes;
}

static inline unsigned lanes_from_u32(v32 v, uint32_t limit) {
    unsigned lanes = 0;
    for (unsigned i = 0; i < LANES32; i++)
        lanes |= (unsigned)(LANE(v, i) >= limit) << i;
    return lanes;
}

/* Integers: adds `addend` to such lanes. Higher bits of `lanes` are ignored. */
static inline v32 add_lanes32(v32 v, unsigned lanes, v32 addend) {
    for (unsigned i = 0; i < LANES32; i++)
        LANE(v, i) += lanes >> i & 1 ? LANE(addend, i) : 0;
    return v;
}

/* Unsigned: the greater and the smaller of two lanes. */
static inline v32 max_u32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) = LANE(a, i) > LANE(b, i) ? LANE(a, i) : LANE(b, i);
    return a;
}

static inline v32 min_u32(v32 a, v32 b) {
    for (int i = 0; i < LANES32; i++)
        LANE(a, i) = LANE(a, i) < LANE(b, i) ? LANE(a, i) : LANE(b, i);
    return a;
}

/* 64 bits in all lanes, and bits that both or either have. */
static inline v64 all_lanes_u64(uint64_t bits) {
    return (v64)LANES_ARE(bits, bits);
}

static inline v64 and64(v64 a, v64 b) {
    for (int i = 0; i < LANES64; i++)
        LANE(a, i) &= LANE(b, i);
    return a;
}

static inline v64 or64(v64 a, v64 b) {
    for (int i = 0; i < LANES64; i++)
        LANE(a, i) |= LANE(b, i);
    return a;
}

/* The lanes in which two vectors have the same bits, as bits, lane 0 the lowest. */
static inline unsigned lanes_equal64(v64 a, v64 b) {
    unsigned lanes = 0;
    for (unsigned i = 0; i < LANES64; i++)
        lanes |= (unsigned)(LANE(a, i) == LANE(b, i)) << i;
    return lanes;
}

/* Binary64: the lower and the upper half of binary32 lanes; back, to nearest even; sums and
 * differences. */

static inline double lane_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t lane_bits_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline v64 low_f64(v32 v) {
    return (v64)LANES_ARE(lane_bits_f64((double)lane_float(LANE(v, 0))),
                          lane_bits_f64((double)lane_float(LANE(v, 1))));
}

static inline v64 high_f64(v32 v) {
    return (v64)LANES_ARE(lane_bits_f64((double)lane_float(LANE(v, 2))),
                          lane_bits_f64((double)lane_float(LANE(v, 3))));
}

static inline v32 narrow_f64(v64 low, v64 high) {
    return (v32)LANES_ARE(
        lane_bits((float)lane_double(LANE(low, 0))), lane_bits((float)lane_double(LANE(low, 1))),
        lane_bits((float)lane_double(LANE(high, 0))), lane_bits((float)lane_double(LANE(high, 1))));
}

static inline v64 add_f64(v64 a, v64 b) {
    for (int i = 0; i < LANES64; i++)
        LANE(a, i) = lane_bits_f64(lane_double(LANE(a, i)) + lane_double(LANE(b, i)));
    return a;
}

static inline v64 sub_f64(v64 a, v64 b) {
    for (int i = 0; i < LANES64; i++)
        LANE(a, i) = lane_bits_f64(lane_double(LANE(a, i)) - lane_double(LANE(b, i)));
    return a;
}

#include "vector_ops_common.h"

#endif
