/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_AVX512_H
#define CUMSUM_CPU_VECTOR_OPS_AVX512_H

/*
 * The vector operations (docs/kernels.md) for AVX-512 F, BW, DQ and VL: 16 lanes of 32 bits or 8
 * of 64. The comments say how; what each operation does is in vector_ops_portable.h.
 *
 * A mask register takes the place of a blend, and permutexvar moves any lane to any other with the
 * latency of the shuffles that cross halves in AVX2.
 */

#include "kernel_macros.h"

#include <immintrin.h>
#include <stdint.h>

#define LANES32 16
#define LANES64 8

/* Lanes of the scans in blocks, which kernels_avx512_blocks.c compiles. */
#define BLOCK_LANES32 8

#define HAS_STREAM
#define HAS_TAILS
#define HAS_F16_TAILS
#define HAS_MAX_MAGNITUDE

/* Bytes of a line's outputs that are written together (blocks.inl.h): a cache line. */
#define CHUNK_BYTES     64
#define CHUNK_BYTES_F16 64

/* Measured: blocks with ties are as fast as additions after each other, or faster. */
#define SCANS_BINADES 1
#define RESOLVES_TIES 1

typedef __m512i v32; /* binary32 or 32-bit integers: the bits are the same */
typedef __m512i v64;

/* The lowest `count` bits. Masked loads and stores do not touch memory of the other lanes, not even
 * to fault. */
static inline __mmask16 mask32(unsigned count) {
    return (__mmask16)_bzhi_u32(0xFFFFu, count);
}

static inline __mmask8 mask64(unsigned count) {
    return (__mmask8)_bzhi_u32(0xFFu, count);
}

static inline v32 load32(const void *address) {
    return _mm512_loadu_si512(address);
}

static inline v32 load32_tail(const void *address, unsigned count) {
    return _mm512_maskz_loadu_epi32(mask32(count), address);
}

static inline void store32(void *address, v32 v) {
    _mm512_storeu_si512(address, v);
}

static inline void store32_tail(void *address, v32 v, unsigned count) {
    _mm512_mask_storeu_epi32(address, mask32(count), v);
}

/* For an output that is evicted before it is read. The address is a multiple of 64. */
static inline void stream32(void *address, v32 v) {
    _mm512_stream_si512((void *)address, v);
}

static inline v64 load64(const void *address) {
    return _mm512_loadu_si512(address);
}

static inline v64 load64_tail(const void *address, unsigned count) {
    return _mm512_maskz_loadu_epi64(mask64(count), address);
}

static inline void store64(void *address, v64 v) {
    _mm512_storeu_si512(address, v);
}

static inline void store64_tail(void *address, v64 v, unsigned count) {
    _mm512_mask_storeu_epi64(address, mask64(count), v);
}

static inline void stream64(void *address, v64 v) {
    _mm512_stream_si512((void *)address, v);
}

/* Streaming stores are not ordered with others. Another thread that reads the output after this one
 * has said so must find it. */
static inline void fence(void) {
    _mm_sfence();
}

/* Lane by lane. Casts between integers and floats are free. */
#define INTEGER_LANES(name, vector, instruction)                                                   \
    static inline vector name(vector a, vector b) {                                                \
        return instruction(a, b);                                                                  \
    }
#define FLOAT_LANES(name, vector, format, instruction)                                             \
    static inline vector name(vector a, vector b) {                                                \
        return _mm512_cast##format##_si512(                                                        \
            instruction(_mm512_castsi512_##format(a), _mm512_castsi512_##format(b)));              \
    }

INTEGER_LANES(add_i32, v32, _mm512_add_epi32)
INTEGER_LANES(add_i64, v64, _mm512_add_epi64)
INTEGER_LANES(max_u32, v32, _mm512_max_epu32)
INTEGER_LANES(min_u32, v32, _mm512_min_epu32)
INTEGER_LANES(and32, v32, _mm512_and_si512)
INTEGER_LANES(and64, v64, _mm512_and_si512)
INTEGER_LANES(or64, v64, _mm512_or_si512)
FLOAT_LANES(add_f32, v32, ps, _mm512_add_ps)
FLOAT_LANES(sub_f32, v32, ps, _mm512_sub_ps)
FLOAT_LANES(mul_f32, v32, ps, _mm512_mul_ps)
FLOAT_LANES(add_f64, v64, pd, _mm512_add_pd)
FLOAT_LANES(sub_f64, v64, pd, _mm512_sub_pd)
#undef INTEGER_LANES
#undef FLOAT_LANES

/* A lane whose exponent bits are all zero keeps only its sign. */
static inline v32 flush_f32(v32 v) {
    __mmask16 small = _mm512_testn_epi32_mask(v, _mm512_set1_epi32(0x7F800000));
    return _mm512_mask_and_epi32(v, small, v, _mm512_set1_epi32((int)0x80000000u));
}

/* The conversion widens on the way from memory. */
static inline v32 load_f16(const void *address) {
    return _mm512_castps_si512(_mm512_cvtph_ps(_mm256_loadu_si256(address)));
}

static inline v32 load_f16_tail(const void *address, unsigned count) {
    __m256i half = _mm256_maskz_loadu_epi16(mask32(count), address);
    return _mm512_castps_si512(_mm512_cvtph_ps(half));
}

/* In registers, to nearest even. */
static inline __m256i narrow_f16(v32 v) {
    return _mm512_cvtps_ph(_mm512_castsi512_ps(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

/* Lanes above 65504 (0x477FE000) are multiplied by infinity, which leaves NaN as it is. */
static inline v32 overflow_f16(v32 v) {
    const __m512 value = _mm512_castsi512_ps(v);
    const __m512 infinity = _mm512_castsi512_ps(_mm512_set1_epi32(0x7F800000));
    const v32 magnitude = _mm512_and_si512(v, _mm512_set1_epi32(0x7FFFFFFF));
    const __mmask16 large = _mm512_cmpgt_epu32_mask(magnitude, _mm512_set1_epi32(0x477FE000));
    return _mm512_castps_si512(_mm512_mask_mul_ps(value, large, value, infinity));
}

static inline v32 round_f16(v32 v) {
    return _mm512_castps_si512(_mm512_cvtph_ps(narrow_f16(v)));
}

static inline void store_f16(void *address, v32 v) {
    _mm256_storeu_si256(address, narrow_f16(v));
}

/* Half a vector, at an address that is aligned to it. */
static inline void stream_f16(void *address, v32 v) {
    _mm256_stream_si256(address, narrow_f16(v));
}

static inline void store_f16_tail(void *address, v32 v, unsigned count) {
    _mm256_mask_storeu_epi16(address, mask32(count), narrow_f16(v));
}

/*
 * Transpositions by exchanging ever larger squares: a block of n lanes takes log2(n) rounds of n
 * shuffles. Here there are four rounds, which exchange squares of 1, 2, 4 and 8 lanes: unpack
 * instructions work within quarters of a vector, and shuffle_i32x4 moves whole quarters. It takes
 * two quarters from each operand (0x88: the even ones, 0xDD: the odd ones).
 */
KERNEL_INLINE void transpose32(v32 v[LANES32]) {
    v32 t[16];
    UNROLL
    for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(v[i], v[i + 1]);
    }
    UNROLL
    for (int i = 0; i < 16; i += 4) {
        v[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        v[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        v[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        v[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_i32x4(v[i], v[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i32x4(v[i], v[i + 4], 0xDD);
        t[i + 8] = _mm512_shuffle_i32x4(v[i + 8], v[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_i32x4(v[i + 8], v[i + 12], 0xDD);
    }
    UNROLL
    for (int i = 0; i < 8; i++) {
        v[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
        v[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xDD);
    }
}

static inline v32 load_two_f16(const void *low, const void *high) {
    const __m512i v = _mm512_castsi256_si512(_mm256_loadu_si256(low));
    return _mm512_inserti64x4(v, _mm256_loadu_si256(high), 1);
}

/* The 8 x 8 blocks of 16-bit lanes in the quarters of eight vectors, in three rounds. */
KERNEL_INLINE void transpose_quarters(v32 v[8]) {
    v32 t[8];
    UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi16(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi16(v[i], v[i + 1]);
    }
    UNROLL
    for (int i = 0; i < 8; i += 4) {
        v[i] = _mm512_unpacklo_epi32(t[i], t[i + 2]);
        v[i + 1] = _mm512_unpackhi_epi32(t[i], t[i + 2]);
        v[i + 2] = _mm512_unpacklo_epi32(t[i + 1], t[i + 3]);
        v[i + 3] = _mm512_unpackhi_epi32(t[i + 1], t[i + 3]);
    }
    UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(v[i / 2], v[i / 2 + 4]);
        t[i + 1] = _mm512_unpackhi_epi64(v[i / 2], v[i / 2 + 4]);
    }
    UNROLL
    for (int i = 0; i < 8; i++)
        v[i] = t[i];
}

/* A half is 16 x 16 lanes, of four such blocks. They are transposed by themselves, and then those
 * off the diagonal of each half change places. */
KERNEL_INLINE void transpose_f16(v32 v[LANES32]) {
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    transpose_quarters(v);
    transpose_quarters(v + 8);
    UNROLL
    for (int i = 0; i < 8; i++) {
        const v32 low = v[i], high = v[i + 8];
        v[i] = _mm512_permutex2var_epi64(low, even, high);
        v[i + 8] = _mm512_permutex2var_epi64(low, odd, high);
    }
}

/* Three rounds, which exchange squares of 1, 2 and 4 lanes. */
KERNEL_INLINE void transpose64(v64 v[LANES64]) {
    v64 t[8];
    UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(v[i], v[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi64(v[i], v[i + 1]);
    }
    UNROLL
    for (int i = 0; i < 2; i++) {
        v[i] = _mm512_shuffle_i64x2(t[i], t[i + 2], 0x88);
        v[i + 2] = _mm512_shuffle_i64x2(t[i], t[i + 2], 0xDD);
        v[i + 4] = _mm512_shuffle_i64x2(t[i + 4], t[i + 6], 0x88);
        v[i + 6] = _mm512_shuffle_i64x2(t[i + 4], t[i + 6], 0xDD);
    }
    UNROLL
    for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_i64x2(v[i], v[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i64x2(v[i], v[i + 4], 0xDD);
    }
    UNROLL
    for (int i = 0; i < 8; i++)
        v[i] = t[i];
}

static inline v32 all_lanes_f32(float value) {
    return _mm512_castps_si512(_mm512_set1_ps(value));
}

/* The mask names the lanes that receive one; the others keep the identity. */
static inline v32 spread_1_32(v32 v, v32 identity) {
    return _mm512_mask_shuffle_epi32(identity, 0xAAAA, v, 0xA0);
}

static inline v32 spread_2_32(v32 v, v32 identity) {
    return _mm512_mask_shuffle_epi32(identity, 0xCCCC, v, 0x50);
}

/* Stage 4 adds lane 3 to lanes 4 to 7, and lane 11 to lanes 12 to 15. */
static inline v32 spread_4_32(v32 v, v32 identity) {
    const __m512i from = _mm512_setr_epi32(0, 0, 0, 0, 3, 3, 3, 3, 0, 0, 0, 0, 11, 11, 11, 11);
    return _mm512_mask_permutexvar_epi32(identity, 0xF0F0, from, v);
}

static inline v32 spread_8_32(v32 v, v32 identity) {
    return _mm512_mask_permutexvar_epi32(identity, 0xFF00, _mm512_set1_epi32(7), v);
}

/* By way of memory: a load can repeat an element in all lanes, and the network of line_scan.inl.h
 * keeps the units that shuffle busy. */
static inline v32 last32(v32 v) {
    int32_t lanes[LANES32];
    _mm512_storeu_si512(lanes, v);
    force_to_memory(lanes);
    return _mm512_set1_epi32(lanes[LANES32 - 1]);
}

static inline v64 last64(v64 v) {
    return _mm512_permutexvar_epi64(_mm512_set1_epi64(7), v);
}

/* Lanes 15 to 30 of the 32 of `before` and v. */
static inline v32 shift_in32(v32 v, v32 before) {
    return _mm512_alignr_epi32(v, before, 15);
}

static inline v64 shift_in64(v64 v, v64 before) {
    return _mm512_alignr_epi64(v, before, 7);
}

/* Lanes from 16 on are those of b. */
static inline v32 evens32(v32 a, v32 b) {
    const __m512i from =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_epi32(a, from, b);
}

static inline v32 odds32(v32 a, v32 b) {
    const __m512i from =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_permutex2var_epi32(a, from, b);
}

/* Index vectors name, for each lane, the lane that it receives. */
static inline v32 reverse32(v32 v) {
    return _mm512_permutexvar_epi32(
        _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), v);
}

static inline v64 reverse64(v64 v) {
    return _mm512_permutexvar_epi64(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), v);
}

static inline v32 abs_f32(v32 v) {
    return _mm512_and_si512(v, _mm512_set1_epi32(0x7FFFFFFF));
}

static inline v32 all_lanes_u32(uint32_t bits) {
    return _mm512_set1_epi32((int)bits);
}

/* The conversion rounds as MXCSR says, which is to nearest even (fp_environment.h). What does not
 * fit becomes -2^31. */
static inline v32 nearest_i32(v32 v) {
    return _mm512_cvtps_epi32(_mm512_castsi512_ps(v));
}

/* One instruction, which gives 0 of infinities. */
static inline v32 fraction_f32(v32 v) {
    return _mm512_castps_si512(
        _mm512_reduce_ps(_mm512_castsi512_ps(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}

static inline unsigned lanes_with32(v32 v, uint32_t bit) {
    return _mm512_test_epi32_mask(v, all_lanes_u32(bit));
}

static inline unsigned lanes_from_u32(v32 v, uint32_t limit) {
    return _mm512_cmpge_epu32_mask(v, all_lanes_u32(limit));
}

static inline v32 add_lanes32(v32 v, unsigned lanes, v32 addend) {
    return _mm512_mask_add_epi32(v, (__mmask16)lanes, v, addend);
}

/* Lanes are shifted up by 1, 2, 4 and 8, which needs no masks (P. M. Kogge and H. S. Stone, A
 * parallel algorithm for the efficient solution of a general class of recurrence equations, IEEE
 * Transactions on Computers C-22, 1973). */
#define HAS_RUNNING_I32
static inline v32 running_i32(v32 v, v32 *sum) {
    const v32 zero = _mm512_setzero_si512();
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
    const v32 before = *sum;
    *sum = _mm512_add_epi32(before, _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v));
    return _mm512_add_epi32(before, v);
}

/* One instruction, which ignores NaN. */
static inline v32 max_magnitude(v32 a, v32 b) {
    const __m512 x = _mm512_castsi512_ps(a), y = _mm512_castsi512_ps(b);
    return _mm512_castps_si512(_mm512_range_ps(x, y, 0xB));
}

static inline v64 all_lanes_u64(uint64_t bits) {
    return _mm512_set1_epi64((long long)bits);
}

static inline unsigned lanes_equal64(v64 a, v64 b) {
    return _mm512_cmpeq_epi64_mask(a, b);
}

static inline v64 low_f64(v32 v) {
    return _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_castsi256_ps(_mm512_castsi512_si256(v))));
}

static inline v64 high_f64(v32 v) {
    const __m256i high = _mm512_extracti64x4_epi64(v, 1);
    return _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_castsi256_ps(high)));
}

static inline v32 narrow_f64(v64 low, v64 high) {
    const __m256 a = _mm512_cvtpd_ps(_mm512_castsi512_pd(low));
    const __m256 b = _mm512_cvtpd_ps(_mm512_castsi512_pd(high));
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_castps_si256(a)),
                              _mm256_castps_si256(b), 1);
}

#define HAS_RUNNING_64
/* The stages of Sklansky's network. */
static inline v64 stage_1(v64 v, v64 identity) {
    return _mm512_mask_permutex_epi64(identity, 0xAA, v, 0xA0);
}

static inline v64 stage_2(v64 v, v64 identity) {
    return _mm512_mask_permutex_epi64(identity, 0xCC, v, 0x50);
}

static inline v64 stage_4(v64 v, v64 identity) {
    return _mm512_mask_permutexvar_epi64(identity, 0xF0, _mm512_set1_epi64(3), v);
}

static inline v64 running_i64(v64 v, v64 *sum) {
    const v64 before = *sum, zero = _mm512_setzero_si512();
    v = add_i64(v, stage_1(v, zero));
    v = add_i64(v, stage_2(v, zero));
    v = add_i64(v, stage_4(v, zero));
    *sum = add_i64(before, last64(v));
    return add_i64(before, v);
}

static inline v64 running_f64(v64 v, v64 *sum) {
    const v64 before = *sum, identity = all_lanes_u64(UINT64_C(1) << 63);
    v = add_f64(v, stage_1(v, identity));
    v = add_f64(v, stage_2(v, identity));
    v = add_f64(v, stage_4(v, identity));
    *sum = add_f64(before, last64(v));
    return add_f64(before, v);
}

#include "vector_ops_common.h"

#endif
