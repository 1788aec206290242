/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_IMITATED_IMMINTRIN_H
#define CUMSUM_IMITATED_IMMINTRIN_H

/*
 * The x86 intrinsics that src/ may use, declared as in Microsoft's cl. Vectors are unions, so that
 * only intrinsics can work on them, and masks are integers. Any other intrinsic is an error. Before
 * you add one, check that cl has it: up to AVX2 in Microsoft's "x64 (amd64)
 * intrinsics list", AVX-512 in Intel's Intrinsics Guide, which cl follows.
 */

#include <stdint.h>

typedef union __declspec(align(16)) __m128i {
    int64_t m128i_i64[2];
} __m128i;
typedef union __declspec(align(16)) __m128 {
    float m128_f32[4];
} __m128;
typedef union __declspec(align(32)) __m256 {
    float m256_f32[8];
} __m256;
typedef union __declspec(align(32)) __m256i {
    int64_t m256i_i64[4];
} __m256i;
typedef union __declspec(align(32)) __m256d {
    double m256d_f64[4];
} __m256d;
typedef union __declspec(align(64)) __m512 {
    float m512_f32[16];
} __m512;
typedef union __declspec(align(64)) __m512i {
    int64_t m512i_i64[8];
} __m512i;
typedef union __declspec(align(64)) __m512d {
    double m512d_f64[8];
} __m512d;
typedef unsigned char __mmask8;
typedef unsigned short __mmask16;

#define _MM_HINT_T0               1
#define _MM_HINT_T1               2
#define _MM_FROUND_TO_NEAREST_INT 0x00
#define _MM_FROUND_TO_ZERO        0x03
#define _MM_FROUND_NO_EXC         0x08
#define _CMP_EQ_OQ                0x00

unsigned int _mm_getcsr(void);
void _mm_setcsr(unsigned int);
void _mm_pause(void);
void _mm_sfence(void);
void _mm_prefetch(char const *, int);
unsigned int _bzhi_u32(unsigned int, unsigned int);
uint64_t _xgetbv(unsigned int);

__m128i _mm_loadu_si128(__m128i const *);
void _mm_storeu_si128(__m128i *, __m128i);
void _mm_stream_si128(__m128i *, __m128i);

__m256i _mm256_add_epi32(__m256i, __m256i);
__m256i _mm256_add_epi64(__m256i, __m256i);
__m256 _mm256_add_ps(__m256, __m256);
__m256i _mm256_alignr_epi8(__m256i, __m256i, const int);
__m256i _mm256_and_si256(__m256i, __m256i);
__m256i _mm256_andnot_si256(__m256i, __m256i);
__m256i _mm256_blend_epi32(__m256i, __m256i, const int);
__m256i _mm256_blendv_epi8(__m256i, __m256i, __m256i);
__m256i _mm256_broadcastsi128_si256(__m128i);
__m256i _mm256_castps_si256(__m256);
__m256i _mm256_castsi128_si256(__m128i);
__m128i _mm256_castsi256_si128(__m256i);
__m256 _mm256_castsi256_ps(__m256i);
__m256 _mm256_cmp_ps(__m256, __m256, const int);
__m256i _mm256_cmpeq_epi32(__m256i, __m256i);
__m256i _mm256_cmpgt_epi32(__m256i, __m256i);
__m256 _mm256_cvtph_ps(__m128i);
__m128i _mm256_cvtps_ph(__m256, const int);
__m128i _mm256_extracti128_si256(__m256i, int);
__m256i _mm256_loadu_si256(__m256i const *);
void _mm256_mask_storeu_epi16(void *, __mmask16, __m256i);
__m256i _mm256_maskload_epi32(int const *, __m256i);
__m256i _mm256_maskload_epi64(int64_t const *, __m256i);
void _mm256_maskstore_epi32(int *, __m256i, __m256i);
void _mm256_maskstore_epi64(int64_t *, __m256i, __m256i);
__m256i _mm256_maskz_loadu_epi16(__mmask16, void const *);
int _mm256_movemask_ps(__m256);
__m256 _mm256_mul_ps(__m256, __m256);
__m256i _mm256_or_si256(__m256i, __m256i);
__m256i _mm256_permute2x128_si256(__m256i, __m256i, const int);
__m256i _mm256_permute4x64_epi64(__m256i, const int);
__m256i _mm256_permutevar8x32_epi32(__m256i, __m256i);
__m256 _mm256_round_ps(__m256, int);
__m256i _mm256_set1_epi32(int);
__m256i _mm256_set1_epi64x(int64_t);
__m256 _mm256_set1_ps(float);
__m256i _mm256_set_m128i(__m128i, __m128i);
__m256i _mm256_setr_epi32(int, int, int, int, int, int, int, int);
__m256i _mm256_setzero_si256(void);
__m256i _mm256_shuffle_epi32(__m256i, const int);
__m256i _mm256_slli_si256(__m256i, const int);
__m256 _mm256_shuffle_ps(__m256, __m256, const int);
void _mm256_storeu_si256(__m256i *, __m256i);
void _mm256_stream_si256(__m256i *, __m256i);
__m256i _mm256_unpackhi_epi16(__m256i, __m256i);
__m256i _mm256_unpackhi_epi32(__m256i, __m256i);
__m256i _mm256_unpackhi_epi64(__m256i, __m256i);
__m256i _mm256_unpacklo_epi16(__m256i, __m256i);
__m256i _mm256_unpacklo_epi32(__m256i, __m256i);
__m256i _mm256_unpacklo_epi64(__m256i, __m256i);

__m512i _mm512_add_epi32(__m512i, __m512i);
__m512i _mm512_add_epi64(__m512i, __m512i);
__m512 _mm512_add_ps(__m512, __m512);
__m512i _mm512_alignr_epi32(__m512i, __m512i, const int);
__m512i _mm512_alignr_epi64(__m512i, __m512i, const int);
__m512i _mm512_and_si512(__m512i, __m512i);
__m512i _mm512_castps_si512(__m512);
__m512 _mm512_castsi512_ps(__m512i);
__m512i _mm512_castsi256_si512(__m256i);
__m256i _mm512_castsi512_si256(__m512i);
__mmask16 _mm512_cmp_ps_mask(__m512, __m512, const int);
__mmask16 _mm512_cmpgt_epu32_mask(__m512i, __m512i);
__m512 _mm512_cvtph_ps(__m256i);
__m256i _mm512_cvtps_ph(__m512, int);
__m256i _mm512_extracti64x4_epi64(__m512i, int);
__m512i _mm512_inserti64x4(__m512i, __m256i, int);
__m512i _mm512_loadu_si512(void const *);
__m512i _mm512_mask_and_epi32(__m512i, __mmask16, __m512i, __m512i);
__mmask16 _mm512_mask_cmple_epu32_mask(__mmask16, __m512i, __m512i);
__m512i _mm512_mask_mov_epi32(__m512i, __mmask16, __m512i);
__m512 _mm512_mask_mul_ps(__m512, __mmask16, __m512, __m512);
__m512i _mm512_mask_permutex_epi64(__m512i, __mmask8, __m512i, const int);
__m512i _mm512_mask_permutexvar_epi32(__m512i, __mmask16, __m512i, __m512i);
__m512i _mm512_mask_permutexvar_epi64(__m512i, __mmask8, __m512i, __m512i);
__m512i _mm512_mask_shuffle_epi32(__m512i, __mmask16, __m512i, int);
void _mm512_mask_storeu_epi32(void *, __mmask16, __m512i);
void _mm512_mask_storeu_epi64(void *, __mmask8, __m512i);
__m512i _mm512_maskz_loadu_epi32(__mmask16, void const *);
__m512i _mm512_maskz_loadu_epi64(__mmask8, void const *);
__m512i _mm512_or_si512(__m512i, __m512i);
__m512i _mm512_permutex2var_epi32(__m512i, __m512i, __m512i);
__m512i _mm512_permutex2var_epi64(__m512i, __m512i, __m512i);
__m512i _mm512_permutexvar_epi32(__m512i, __m512i);
__m512i _mm512_permutexvar_epi64(__m512i, __m512i);
__m512 _mm512_roundscale_ps(__m512, int);
__m512i _mm512_set1_epi32(int);
__m512i _mm512_set1_epi64(int64_t);
__m512 _mm512_set1_ps(float);
__m512i _mm512_setr_epi32(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,
                          int);
__m512i _mm512_setr_epi64(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t);
__m512i _mm512_setzero_si512(void);
__m512i _mm512_shuffle_i32x4(__m512i, __m512i, const int);
__m512i _mm512_shuffle_i64x2(__m512i, __m512i, const int);
void _mm512_storeu_si512(void *, __m512i);
void _mm512_stream_si512(void *, __m512i);
__mmask16 _mm512_testn_epi32_mask(__m512i, __m512i);
__m512i _mm512_unpackhi_epi16(__m512i, __m512i);
__m512i _mm512_unpackhi_epi32(__m512i, __m512i);
__m512i _mm512_unpackhi_epi64(__m512i, __m512i);
__m512i _mm512_unpacklo_epi16(__m512i, __m512i);
__m512i _mm512_unpacklo_epi32(__m512i, __m512i);
__m512i _mm512_unpacklo_epi64(__m512i, __m512i);
__m256 _mm256_sub_ps(__m256, __m256);
__m256i _mm256_cvtps_epi32(__m256);
__m256i _mm256_max_epu32(__m256i, __m256i);
__m512 _mm512_sub_ps(__m512, __m512);
__m512 _mm512_mul_ps(__m512, __m512);
__m512 _mm512_reduce_ps(__m512, int);
__m512i _mm512_cvtps_epi32(__m512);
__m512i _mm512_mask_add_epi32(__m512i, __mmask16, __m512i, __m512i);
__mmask16 _mm512_test_epi32_mask(__m512i, __m512i);
__mmask16 _mm512_cmpge_epu32_mask(__m512i, __m512i);

__m128i _mm_castps_si128(__m128);
__m128 _mm_castsi128_ps(__m128i);
__m256d _mm256_add_pd(__m256d, __m256d);
__m256i _mm256_castpd_si256(__m256d);
__m256d _mm256_castsi256_pd(__m256i);
__m256i _mm256_cmpeq_epi64(__m256i, __m256i);
__m128 _mm256_cvtpd_ps(__m256d);
__m256d _mm256_cvtps_pd(__m128);
__m256i _mm256_inserti128_si256(__m256i, __m128i, int);
__m256i _mm256_min_epu32(__m256i, __m256i);
int _mm256_movemask_pd(__m256d);
__m256d _mm256_sub_pd(__m256d, __m256d);
__m512d _mm512_add_pd(__m512d, __m512d);
__m512i _mm512_castpd_si512(__m512d);
__m512d _mm512_castsi512_pd(__m512i);
__mmask8 _mm512_cmpeq_epi64_mask(__m512i, __m512i);
__m256 _mm512_cvtpd_ps(__m512d);
__m512d _mm512_cvtps_pd(__m256);
__m512i _mm512_max_epu32(__m512i, __m512i);
__m512i _mm512_min_epu32(__m512i, __m512i);
__m512 _mm512_range_ps(__m512, __m512, int);
__m512d _mm512_sub_pd(__m512d, __m512d);

#endif
