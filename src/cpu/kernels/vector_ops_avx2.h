/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_VECTOR_OPS_AVX2_H
#define CUMSUM_CPU_VECTOR_OPS_AVX2_H

/*
 * The vector operations (docs/kernels.md) for AVX2 and F16C: 8 lanes of 32 bits or 4 of 64. The
 * comments say how; what each operation does is in vector_ops_portable.h.
 *
 * Most shuffles of AVX2 work within each half of a vector, 128 bits, so an operation across all
 * lanes takes one shuffle within the halves and one that exchanges halves (permute2x128,
 * permute4x64, permutevar8x32), which has three times the latency.
 */

#include "kernel_macros.h"

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#define LANES32 8
#define LANES64 4

#define HAS_STREAM
#define HAS_TAILS
#define HAS_F16_TAILS
#define HAS_LOAD_TRANSPOSED32

/* Bytes of a line's outputs that are written together (blocks.inl.h): a cache line. */
#define CHUNK_BYTES     64
#define CHUNK_BYTES_F16 64

/* Measured: a block with ties is slower than 16 additions after each other. */
#define SCANS_BINADES 1
#define RESOLVES_TIES 0

typedef __m256i v32; /* binary32 or 32-bit integers: the bits are the same */
typedef __m256i v64;

/* All ones in the first count lanes: a window that slides over ones followed by zeros. Masked loads
 * and stores do not touch memory of the other lanes, not even to fault. */
static inline __m256i mask32(unsigned count) {
    static const int32_t window[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(window + 8 - count));
}

static inline __m256i mask64(unsigned count) {
    static const int64_t window[8] = {-1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(window + 4 - count));
}

/* Stores the low bytes of a vector in pieces. On Zen masked stores are slow: with them a row of two
 * floats takes half as long again. All rows of a panel have one length, so the branches are
 * predicted. */
static inline void store_low_bytes(void *address, __m128i v, unsigned bytes) {
    unsigned char *to = address;
    if (bytes & 8) {
        _mm_storel_epi64((__m128i *)to, v);
        v = _mm_unpackhi_epi64(v, v);
        to += 8;
    }
    if (bytes & 4) {
        const int32_t lane = _mm_cvtsi128_si32(v);
        memcpy(to, &lane, sizeof lane);
        v = _mm_srli_si128(v, 4);
        to += 4;
    }
    if (bytes & 2) {
        const uint16_t lane = (uint16_t)_mm_cvtsi128_si32(v);
        memcpy(to, &lane, sizeof lane);
    }
}

static inline void store_part(void *address, __m256i v, unsigned bytes) {
    if (bytes == 32) {
        _mm256_storeu_si256(address, v);
        return;
    }
    __m128i part = _mm256_castsi256_si128(v);
    if (bytes & 16) {
        _mm_storeu_si128(address, part);
        part = _mm256_extracti128_si256(v, 1);
    }
    store_low_bytes((unsigned char *)address + (bytes & 16), part, bytes);
}

static inline v32 load32(const void *address) {
    return _mm256_loadu_si256(address);
}

static inline v32 load32_tail(const void *address, unsigned count) {
    return _mm256_maskload_epi32(address, mask32(count));
}

static inline void store32(void *address, v32 v) {
    _mm256_storeu_si256(address, v);
}

static inline void store32_tail(void *address, v32 v, unsigned count) {
    store_part(address, v, count * 4);
}

/* For an output that is evicted before it is read. The address is a multiple of 32. */
static inline void stream32(void *address, v32 v) {
    _mm256_stream_si256(address, v);
}

static inline v64 load64(const void *address) {
    return _mm256_loadu_si256(address);
}

static inline v64 load64_tail(const void *address, unsigned count) {
    return _mm256_maskload_epi64(address, mask64(count));
}

static inline void store64(void *address, v64 v) {
    _mm256_storeu_si256(address, v);
}

static inline void store64_tail(void *address, v64 v, unsigned count) {
    store_part(address, v, count * 8);
}

static inline void stream64(void *address, v64 v) {
    _mm256_stream_si256(address, v);
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
        return _mm256_cast##format##_si256(                                                        \
            instruction(_mm256_castsi256_##format(a), _mm256_castsi256_##format(b)));              \
    }

INTEGER_LANES(add_i32, v32, _mm256_add_epi32)
INTEGER_LANES(add_i64, v64, _mm256_add_epi64)
INTEGER_LANES(max_u32, v32, _mm256_max_epu32)
INTEGER_LANES(min_u32, v32, _mm256_min_epu32)
INTEGER_LANES(and32, v32, _mm256_and_si256)
INTEGER_LANES(and64, v64, _mm256_and_si256)
INTEGER_LANES(or64, v64, _mm256_or_si256)
FLOAT_LANES(add_f32, v32, ps, _mm256_add_ps)
FLOAT_LANES(sub_f32, v32, ps, _mm256_sub_ps)
FLOAT_LANES(mul_f32, v32, ps, _mm256_mul_ps)
FLOAT_LANES(add_f64, v64, pd, _mm256_add_pd)
FLOAT_LANES(sub_f64, v64, pd, _mm256_sub_pd)
#undef INTEGER_LANES
#undef FLOAT_LANES

/* A lane whose exponent bits are all zero keeps only its sign. */
static inline v32 flush_f32(v32 v) {
    const __m256i exponent = _mm256_and_si256(v, _mm256_set1_epi32(0x7F800000));
    const __m256i small = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
    return _mm256_andnot_si256(_mm256_and_si256(small, _mm256_set1_epi32(0x7FFFFFFF)), v);
}

/* F16C widens on the way from memory. */
static inline v32 load_f16(const void *address) {
    return _mm256_castps_si256(_mm256_cvtph_ps(_mm_loadu_si128(address)));
}

/* Lanes above 65504 (0x477FE000) are multiplied by infinity, which leaves NaN as it is, and the
 * others by 1. The encodings of 1 (0x3F800000) and infinity (0x7F800000) differ in one bit. */
static inline v32 overflow_f16(v32 v) {
    const __m256i magnitude = _mm256_and_si256(v, _mm256_set1_epi32(0x7FFFFFFF));
    const __m256i large = _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(0x477FE000));
    const __m256i factor = _mm256_or_si256(_mm256_and_si256(large, _mm256_set1_epi32(0x40000000)),
                                           _mm256_set1_epi32(0x3F800000));
    return _mm256_castps_si256(_mm256_mul_ps(_mm256_castsi256_ps(v), _mm256_castsi256_ps(factor)));
}

/* In registers, to nearest even. */
static inline __m128i narrow_f16(v32 v) {
    return _mm256_cvtps_ph(_mm256_castsi256_ps(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
}

static inline v32 round_f16(v32 v) {
    return _mm256_castps_si256(_mm256_cvtph_ps(narrow_f16(v)));
}

static inline void store_f16(void *address, v32 v) {
    _mm_storeu_si128(address, narrow_f16(v));
}

/* In pieces, from the last one on. */
static inline v32 load_f16_tail(const void *address, unsigned count) {
    if (count == LANES32)
        return load_f16(address);
    const unsigned char *end = (const unsigned char *)address + count * sizeof(uint16_t);
    __m128i halves = _mm_setzero_si128();
    if (count & 1) {
        uint16_t last;
        memcpy(&last, end -= 2, sizeof last);
        halves = _mm_cvtsi32_si128(last);
    }
    if (count & 2) {
        int32_t pair;
        memcpy(&pair, end -= 4, sizeof pair);
        halves = _mm_or_si128(_mm_slli_si128(halves, 4), _mm_cvtsi32_si128(pair));
    }
    if (count & 4)
        halves = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(end - 8)), halves);
    return _mm256_castps_si256(_mm256_cvtph_ps(halves));
}

static inline void store_f16_tail(void *address, v32 v, unsigned count) {
    store_part(address, _mm256_zextsi128_si256(narrow_f16(v)), count * 2);
}

/* Half a vector, at an address that is aligned to it. */
static inline void stream_f16(void *address, v32 v) {
    _mm_stream_si128(address, narrow_f16(v));
}

static inline v32 pack_f16(v32 a, v32 b) {
    return _mm256_set_m128i(narrow_f16(b), narrow_f16(a));
}

/*
 * Transpositions by exchanging ever larger squares: a round of unpack instructions interleaves
 * elements of neighbouring vectors, the next one pairs of them, and so on; a block of n lanes takes
 * log2(n) rounds of n shuffles.
 *
 * This one transposes the 4 x 4 blocks in the halves of four vectors, in two rounds.
 */
KERNEL_INLINE void transpose_halves(v32 v[4]) {
    const __m256i t0 = _mm256_unpacklo_epi32(v[0], v[1]), t1 = _mm256_unpackhi_epi32(v[0], v[1]);
    const __m256i t2 = _mm256_unpacklo_epi32(v[2], v[3]), t3 = _mm256_unpackhi_epi32(v[2], v[3]);
    v[0] = _mm256_unpacklo_epi64(t0, t2);
    v[1] = _mm256_unpackhi_epi64(t0, t2);
    v[2] = _mm256_unpacklo_epi64(t1, t3);
    v[3] = _mm256_unpackhi_epi64(t1, t3);
}

/* The four 4 x 4 blocks by themselves, and then the two off the diagonal change places. */
KERNEL_INLINE void transpose32(v32 v[LANES32]) {
    transpose_halves(v);
    transpose_halves(v + 4);
    UNROLL
    for (int i = 0; i < 4; i++) {
        const v32 low = v[i], high = v[i + 4];
        v[i] = _mm256_permute2x128_si256(low, high, 0x20);
        v[i + 4] = _mm256_permute2x128_si256(low, high, 0x31);
    }
}

/* Two half vectors make one: a load that repeats the second half and a blend, which many ports can
 * do, in place of an insertion, which is a shuffle. */
static inline v32 load_halves(const unsigned char *low, const unsigned char *high) {
    const __m128i l = _mm_loadu_si128((const __m128i *)low);
    const __m128i h = _mm_loadu_si128((const __m128i *)high);
    return _mm256_blend_epi32(_mm256_castsi128_si256(l), _mm256_broadcastsi128_si256(h), 0xF0);
}

/* The exchange of the blocks off the diagonal is done by the loads: each takes its two halves from
 * where they belong. */
KERNEL_INLINE void load_transposed32(const unsigned char *address, int64_t step, v32 v[LANES32]) {
    UNROLL
    for (int i = 0; i < LANES32; i++) {
        const unsigned char *low = address + (int64_t)(i % 4) * step + (int64_t)(i / 4) * 16;
        v[i] = load_halves(low, low + 4 * step);
    }
    transpose_halves(v);
    transpose_halves(v + 4);
}

static inline v32 low_f16(v32 v) {
    return _mm256_castps_si256(_mm256_cvtph_ps(_mm256_castsi256_si128(v)));
}

static inline v32 high_f16(v32 v) {
    return _mm256_castps_si256(_mm256_cvtph_ps(_mm256_extracti128_si256(v, 1)));
}

static inline v32 load_two_f16(const void *low, const void *high) {
    return load_halves(low, high);
}

/* Three rounds, of 16, 32 and 64 bits. Unpack instructions never leave a half of the vector, which
 * is just what transposes the two halves separately. */
KERNEL_INLINE void transpose_f16(v32 v[LANES32]) {
    v32 t[8];
    UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi16(v[i], v[i + 1]);
        t[i + 1] = _mm256_unpackhi_epi16(v[i], v[i + 1]);
    }
    UNROLL
    for (int i = 0; i < 8; i += 4) {
        v[i] = _mm256_unpacklo_epi32(t[i], t[i + 2]);
        v[i + 1] = _mm256_unpackhi_epi32(t[i], t[i + 2]);
        v[i + 2] = _mm256_unpacklo_epi32(t[i + 1], t[i + 3]);
        v[i + 3] = _mm256_unpackhi_epi32(t[i + 1], t[i + 3]);
    }
    UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_epi64(v[i / 2], v[i / 2 + 4]);
        t[i + 1] = _mm256_unpackhi_epi64(v[i / 2], v[i / 2 + 4]);
    }
    UNROLL
    for (int i = 0; i < 8; i++)
        v[i] = t[i];
}

KERNEL_INLINE void transpose64(v64 v[LANES64]) {
    const v64 t0 = _mm256_unpacklo_epi64(v[0], v[1]), t1 = _mm256_unpackhi_epi64(v[0], v[1]);
    const v64 t2 = _mm256_unpacklo_epi64(v[2], v[3]), t3 = _mm256_unpackhi_epi64(v[2], v[3]);
    v[0] = _mm256_permute2x128_si256(t0, t2, 0x20);
    v[1] = _mm256_permute2x128_si256(t1, t3, 0x20);
    v[2] = _mm256_permute2x128_si256(t0, t2, 0x31);
    v[3] = _mm256_permute2x128_si256(t1, t3, 0x31);
}

static inline v32 all_lanes_f32(float value) {
    return _mm256_castps_si256(_mm256_set1_ps(value));
}

/* A shuffle repeats the lanes, and a blend puts the identity in between. */
static inline v32 spread_1_32(v32 v, v32 identity) {
    return _mm256_blend_epi32(identity, _mm256_shuffle_epi32(v, 0xA0), 0xAA);
}

static inline v32 spread_2_32(v32 v, v32 identity) {
    return _mm256_blend_epi32(identity, _mm256_shuffle_epi32(v, 0x50), 0xCC);
}

/* Lane 3 is in the other half, so this one takes a permutation that crosses. */
static inline v32 spread_4_32(v32 v, v32 identity) {
    const __m256i third = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
    return _mm256_blend_epi32(identity, third, 0xF0);
}

/* A permutation with the same index in all lanes; the index vector is a constant. */
static inline v32 last32(v32 v) {
    return _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7));
}

static inline v64 last64(v64 v) {
    return _mm256_permute4x64_epi64(v, 0xFF);
}

/* alignr shifts within halves, so the halves to shift in come from a first exchange: the high half
 * of `before`, then the low half of v. */
static inline v32 shift_in32(v32 v, v32 before) {
    const __m256i middle = _mm256_permute2x128_si256(before, v, 0x21);
    return _mm256_alignr_epi8(v, middle, 12);
}

static inline v64 shift_in64(v64 v, v64 before) {
    const __m256i middle = _mm256_permute2x128_si256(before, v, 0x21);
    return _mm256_alignr_epi8(v, middle, 8);
}

/* Within halves first, which leaves quarters in the order a b a b; 0xD8 sorts them. */
static inline v32 evens32(v32 a, v32 b) {
    const __m256 halves = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xD8);
}

static inline v32 odds32(v32 a, v32 b) {
    const __m256 halves = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0xDD);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xD8);
}

static inline v32 reverse32(v32 v) {
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0));
}

static inline v64 reverse64(v64 v) {
    return _mm256_permute4x64_epi64(v, 0x1B);
}

static inline v32 abs_f32(v32 v) {
    return _mm256_and_si256(v, _mm256_set1_epi32(0x7FFFFFFF));
}

static inline v32 all_lanes_u32(uint32_t bits) {
    return _mm256_set1_epi32((int)bits);
}

/* The conversion rounds as MXCSR says, which is to nearest even (fp_environment.h). What does not
 * fit becomes -2^31. */
static inline v32 nearest_i32(v32 v) {
    return _mm256_cvtps_epi32(_mm256_castsi256_ps(v));
}

static inline v32 fraction_f32(v32 v) {
    const __m256 value = _mm256_castsi256_ps(v);
    const __m256 rounded = _mm256_round_ps(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    return _mm256_castps_si256(_mm256_sub_ps(value, rounded));
}

static inline unsigned lanes_with32(v32 v, uint32_t bit) {
    const __m256i bits = all_lanes_u32(bit);
    const __m256i lanes = _mm256_cmpeq_epi32(_mm256_and_si256(v, bits), bits);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

/* AVX2 compares signed integers only. The larger one of a lane and the limit is the lane if it is
 * not below the limit. */
static inline unsigned lanes_from_u32(v32 v, uint32_t limit) {
    const __m256i larger = _mm256_max_epu32(v, all_lanes_u32(limit));
    const __m256i lanes = _mm256_cmpeq_epi32(larger, v);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

static inline v32 add_lanes32(v32 v, unsigned lanes, v32 addend) {
    const __m256i bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = all_lanes_u32(lanes);
    const __m256i mask = _mm256_cmpeq_epi32(_mm256_and_si256(all, bits), bits);
    return _mm256_add_epi32(v, _mm256_and_si256(mask, addend));
}

static inline __m256i two_halves(__m128i low, __m128i high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

/* Running sums: in both halves by shifts; then the low half from *sum on, and the high half from
 * the low one's sum on. Instructions that move lanes between halves take long, so *sum is in the
 * lanes of the low half alone. */
#define HAS_RUNNING_I32
static inline v32 running_i32(v32 v, v32 *sum) {
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    const __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);
    const __m128i before = _mm256_castsi256_si128(*sum);
    const __m128i middle = _mm_add_epi32(before, _mm_shuffle_epi32(low, 0xFF));
    *sum = _mm256_zextsi128_si256(_mm_add_epi32(middle, _mm_shuffle_epi32(high, 0xFF)));
    return two_halves(_mm_add_epi32(before, low), _mm_add_epi32(middle, high));
}

#define HAS_RUNNING_64
static inline v64 running_i64(v64 v, v64 *sum) {
    v = _mm256_add_epi64(v, _mm256_slli_si256(v, 8));
    const __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);
    const __m128i before = _mm256_castsi256_si128(*sum);
    const __m128i middle = _mm_add_epi64(before, _mm_unpackhi_epi64(low, low));
    *sum = _mm256_zextsi128_si256(_mm_add_epi64(middle, _mm_unpackhi_epi64(high, high)));
    return two_halves(_mm_add_epi64(before, low), _mm_add_epi64(middle, high));
}

static inline v64 running_f64(v64 v, v64 *sum) {
    const __m256d lanes = _mm256_castsi256_pd(v);
    const __m256d pairs = _mm256_add_pd(lanes, _mm256_unpacklo_pd(_mm256_set1_pd(-0.0), lanes));
    const __m128d low = _mm256_castpd256_pd128(pairs), high = _mm256_extractf128_pd(pairs, 1);
    const __m128d before = _mm256_castpd256_pd128(_mm256_castsi256_pd(*sum));
    const __m128d first = _mm_unpackhi_pd(low, low), second = _mm_unpackhi_pd(high, high);
    const __m128d middle = _mm_add_pd(before, first);
    *sum =
        _mm256_castpd_si256(_mm256_zextpd128_pd256(_mm_add_pd(before, _mm_add_pd(first, second))));
    return two_halves(_mm_castpd_si128(_mm_add_pd(before, low)),
                      _mm_castpd_si128(_mm_add_pd(middle, high)));
}

static inline v64 all_lanes_u64(uint64_t bits) {
    return _mm256_set1_epi64x((long long)bits);
}

static inline unsigned lanes_equal64(v64 a, v64 b) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a, b)));
}

static inline v64 low_f64(v32 v) {
    return _mm256_castpd_si256(_mm256_cvtps_pd(_mm_castsi128_ps(_mm256_castsi256_si128(v))));
}

static inline v64 high_f64(v32 v) {
    return _mm256_castpd_si256(_mm256_cvtps_pd(_mm_castsi128_ps(_mm256_extracti128_si256(v, 1))));
}

static inline v32 narrow_f64(v64 low, v64 high) {
    const __m128i a = _mm_castps_si128(_mm256_cvtpd_ps(_mm256_castsi256_pd(low)));
    const __m128i b = _mm_castps_si128(_mm256_cvtpd_ps(_mm256_castsi256_pd(high)));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
}

#include "vector_ops_common.h"

#endif
