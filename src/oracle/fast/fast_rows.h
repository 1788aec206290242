/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_ROWS_H
#define CUMSUM_ORACLE_FAST_ROWS_H

/* Lines of FLOAT32 or FLOAT16, or parts of one line, one in each lane of a vector. Empty where a
 * compiler has no vectors. */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "screen_vectors.h"

#if FAST_VECTORS

typedef uint32_t words __attribute__((vector_size(4 * LANES)));

/* Of magnitudes, below 2^31. */
CUMSUM_ALWAYS_INLINE words larger_words(words a, words b) {
#if LANES == 8
    return (words)_mm256_max_epi32((__m256i)a, (__m256i)b);
#elif LANES == 4
    return (words)_mm_max_epi32((__m128i)a, (__m128i)b);
#else
    const words first = (words)((small_truths)a > (small_truths)b);
    return (a & first) | (b & ~first);
#endif
}

CUMSUM_ALWAYS_INLINE words smaller_words(words a, words b) {
#if LANES == 8
    return (words)_mm256_min_epu32((__m256i)a, (__m256i)b);
#elif LANES == 4
    return (words)_mm_min_epu32((__m128i)a, (__m128i)b);
#else
    const words first = (words)(a < b);
    return (a & first) | (b & ~first);
#endif
}

/* A row has one element of each line; so many rows are gathered at a time. */
#define ROWS 8

typedef float rows_of_lines[ROWS][LANES];

CUMSUM_ALWAYS_INLINE floats load_row(const float *row) {
    floats v;
    memcpy(&v, row, sizeof v);
    return v;
}

#if LANES > 2
typedef uint32_t four_words __attribute__((vector_size(16)));

CUMSUM_ALWAYS_INLINE four_words load_four(const unsigned char *from) {
    four_words v;
    memcpy(&v, from, sizeof v);
    return v;
}

CUMSUM_ALWAYS_INLINE uint32_t load_one(const unsigned char *from) {
    uint32_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

/* Four rows of four lines that each have their elements next to each other. */
CUMSUM_ALWAYS_INLINE void transpose_four(rows_of_lines rows, int row, int line, bool back,
                                         const unsigned char *from, int64_t pitch) {
    const four_words a = load_four(from), b = load_four(from + pitch);
    const four_words c = load_four(from + 2 * pitch), d = load_four(from + 3 * pitch);
    const four_words ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const four_words cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const four_words ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const four_words cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const four_words turned[4] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                                  __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                                  __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                                  __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
    CUMSUM_UNROLL
    for (int i = 0; i < 4; i++)
        memcpy(&rows[row + (back ? 3 - i : i)][line], &turned[i], sizeof turned[i]);
}
#endif

/* Elements of lines, from the same place of each. Vectors are stored, since they are loaded. */
CUMSUM_ALWAYS_INLINE void gather_row(rows_of_lines rows, size_t row, const unsigned char *from,
                                     int64_t pitch) {
    if (pitch == (int64_t)sizeof(float)) {
        memcpy(rows[row], from, sizeof rows[row]);
        return;
    }
#if LANES == 2
    memcpy(&rows[row][0], from, sizeof(float));
    memcpy(&rows[row][1], from + pitch, sizeof(float));
#else
    CUMSUM_UNROLL
    for (int line = 0; line < LANES; line += 4) {
        const unsigned char *four = from + line * pitch;
        const four_words v = {load_one(four), load_one(four + pitch), load_one(four + 2 * pitch),
                              load_one(four + 3 * pitch)};
        memcpy(&rows[row][line], &v, sizeof v);
    }
#endif
}

CUMSUM_ALWAYS_INLINE void gather_rows(rows_of_lines rows, size_t count, const unsigned char *from,
                                      int64_t step, int64_t pitch) {
    size_t row = 0;
#if LANES > 2
    const int64_t size = sizeof(float);
    if ((step == size || step == -size) && pitch != size)
        for (; row + 4 <= count; row += 4) {
            const unsigned char *first = from + step * (int64_t)row + (step < 0 ? 3 * step : 0);
            CUMSUM_UNROLL
            for (int line = 0; line < LANES; line += 4)
                transpose_four(rows, (int)row, line, step < 0, first + line * pitch, pitch);
        }
#endif
    for (; row < count; row++)
        gather_row(rows, row, from + step * (int64_t)row, pitch);
}

/* FLOAT16 elements as floats. Those with the largest exponent become numbers from 65536 on. */
typedef uint32_t eight_words __attribute__((vector_size(32)));
typedef float eight_floats __attribute__((vector_size(32)));
typedef int16_t eight_halves __attribute__((vector_size(16)));

CUMSUM_ALWAYS_INLINE void widen_eight(float *to, eight_halves bits) {
#if LANES > 2
    const eight_words wide = (eight_words)_mm256_cvtepi16_epi32((__m128i)bits);
#else
    typedef int32_t eight_signed __attribute__((vector_size(32)));
    const eight_words wide = (eight_words) __builtin_convertvector(bits, eight_signed);
#endif
    /* The sign fills the bits above; the exponents differ by 127 - 15. */
    const eight_floats scaled = (eight_floats)((wide << 13) & 0x8FFFE000u) * 0x1p112F;
    memcpy(to, &scaled, sizeof scaled);
}

CUMSUM_ALWAYS_INLINE int16_t load_half(const unsigned char *from) {
    int16_t bits;
    memcpy(&bits, from, sizeof bits);
    return bits;
}

/* 2, 4 or 8 elements, with zeros behind them. A vector that is put together in memory would be
 * waited for. */
CUMSUM_ALWAYS_INLINE eight_halves load_halves(const unsigned char *from, size_t count) {
    typedef uint64_t two_words __attribute__((vector_size(16)));
    eight_halves all;
    uint64_t four;
    uint32_t two;
    if (count == 8) {
        memcpy(&all, from, sizeof all);
        return all;
    }
    if (count == 4) {
        memcpy(&four, from, sizeof four);
        return (eight_halves)(two_words){four, 0};
    }
    memcpy(&two, from, sizeof two);
    return (eight_halves)(two_words){two, 0};
}

/* A row, by way of room for eight elements. */
CUMSUM_ALWAYS_INLINE void gather_half_row(float *row, const unsigned char *from, int64_t pitch) {
    eight_halves bits = {0};
    float values[8];
    if (pitch == (int64_t)sizeof(uint16_t)) {
        bits = load_halves(from, LANES);
    } else {
        CUMSUM_UNROLL
        for (int line = 0; line < LANES; line++)
            bits[line] = load_half(from + line * pitch);
    }
    widen_eight(values, bits);
    memcpy(row, values, sizeof *values * LANES);
}

CUMSUM_ALWAYS_INLINE void gather_half_rows(rows_of_lines rows, size_t count,
                                           const unsigned char *from, int64_t step, int64_t pitch) {
    if (step == (int64_t)sizeof(uint16_t) && count >= ROWS / 2 && pitch != step) {
        float lines[LANES][ROWS];
        CUMSUM_UNROLL
        for (int line = 0; line < LANES; line++)
            widen_eight(lines[line], load_halves(from + line * pitch, count));
        gather_rows(rows, count, (const unsigned char *)lines, sizeof(float), sizeof *lines);
        return;
    }
    for (size_t row = 0; row < count; row++)
        gather_half_row(rows[row], from + step * (int64_t)row, pitch);
}

CUMSUM_ALWAYS_INLINE void gather_line_rows(rows_of_lines rows, size_t count,
                                           const unsigned char *from, int64_t step, int64_t pitch,
                                           bool halves) {
    if (halves)
        gather_half_rows(rows, count, from, step, pitch);
    else
        gather_rows(rows, count, from, step, pitch);
}

#endif

#endif
