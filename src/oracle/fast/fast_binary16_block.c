/* SPDX-License-Identifier: MIT */
/*
 * Judges a block of a FLOAT16 line with vectors (fast_binary16_block.h). The file is compiled for
 * several instruction sets, whose name is FAST_ISA. Its loops do the same for every element of
 * small arrays, so that compilers make vectors of them.
 *
 * Invariant: every sum is exact, so that the width of the vectors does not show.
 */
#include "fast_binary16_block.h"

#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_binary16_value.h"
#include "fast_isa.h"

CUMSUM_ALWAYS_INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* LANES sums at a time. gcc makes no vectors of a short loop inside another. */
#if FAST_VECTORS
typedef double lanes __attribute__((vector_size(8 * LANES)));

CUMSUM_ALWAYS_INLINE void add_lanes(lanes *sums, const double *values) {
    lanes v;
    memcpy(&v, values, sizeof v);
    *sums += v;
}
#else
typedef struct lanes {
    double of[LANES];
} lanes;

CUMSUM_ALWAYS_INLINE void add_lanes(lanes *sums, const double *values) {
    for (int j = 0; j < LANES; j++)
        sums->of[j] += values[j];
}
#endif

/* Prefix sums of the terms, or of their magnitudes. Windows of 2, 4 and 8 elements end at each
 * element; each eighth of the last ones is added up. */
CUMSUM_ALWAYS_INLINE void scan_binary16_block(binary16_block *b, double *sums, double before,
                                              bool magnitudes, int length) {
    const float *x = b->x + LANES;
    double *pairs = b->pairs + LANES, *quads = b->quads + LANES;
    for (int i = 0; i < length; i++)
        pairs[i] = magnitudes ? (double)fabsf(x[i]) + (double)fabsf(x[i - 1])
                              : (double)x[i] + (double)x[i - 1];
    for (int i = 0; i < length; i++)
        quads[i] = pairs[i] + pairs[i - 2];
    for (int j = 0; j < LANES; j++)
        sums[j] = before;
    lanes running;
    memcpy(&running, sums, sizeof running);
    for (int i = 0; i < length; i += LANES) {
        add_lanes(&running, quads + i);
        add_lanes(&running, quads + i - 4);
        memcpy(sums + LANES + i, &running, sizeof running);
    }
}

CUMSUM_ALWAYS_INLINE void scan_magnitudes(binary16_block *b, int length) {
    scan_binary16_block(b, b->magnitude, b->magnitude_before, true, length);
    b->magnitudes_are_exact = true;
}

/* The terms of a block, and what is known of all of them. */
CUMSUM_ALWAYS_INLINE void prepare_terms(binary16_block *b, int length) {
    uint32_t largest = 0, zeros = 0;
    uint64_t any = 0;
    for (int i = 0; i < length; i++) {
        const uint32_t bits = b->x_bits[i], magnitude = bits & 0x7FFF;
        b->x[LANES + i] = binary16_value_of(bits);
        largest = magnitude > largest ? magnitude : largest;
        zeros += magnitude == 0;
    }
    /* Added to 2^28, a number has its units in the lowest bits. */
    double *magnitudes = b->pairs + LANES, parts[LANES];
    for (int i = 0; i < length; i++) {
        magnitudes[i] = (double)fabsf(b->x[LANES + i]);
        any |= bits_of(magnitudes[i] + 0x1p28);
    }
    lanes sums = {0};
    for (int i = 0; i < length; i += LANES)
        add_lanes(&sums, magnitudes + i);
    memcpy(parts, &sums, sizeof parts);
    b->magnitude_behind = b->magnitude_before;
    for (int j = 0; j < LANES; j++)
        b->magnitude_behind += parts[j];
    b->largest = largest;
    b->zeros = zeros - ((uint64_t)length - b->count);
    b->any_bit = any & ((UINT64_C(1) << 52) - 1);
}

/* The outputs. */
CUMSUM_ALWAYS_INLINE void prepare_outputs(binary16_block *b, int length) {
    uint32_t largest = 0, negative_zeros = 0;
    for (int i = 0; i < length; i++) {
        const uint32_t bits = b->y_bits[i], magnitude = bits & 0x7FFF;
        b->y[i] = binary16_value_of(bits);
        largest = magnitude > largest ? magnitude : largest;
        negative_zeros += bits == 0x8000;
    }
    b->largest_output = largest;
    b->negative_zeros = negative_zeros;
}

/* g. Half a gap is 2^(exponent - 26). Towards 0 it is half of that below a power of two, but not
 * below the smallest normal number. */
CUMSUM_ALWAYS_INLINE void prepare_gaps(binary16_block *b, int length) {
    for (int i = 0; i < length; i++) {
        const uint32_t bits = b->y_bits[i], magnitude = bits & 0x7FFF;
        const uint32_t exponent = magnitude < 0x800 ? 1 : magnitude >> 10;
        const uint32_t smaller = exponent > 1 && (magnitude & 0x3FF) == 0;
        const float odd = bits & 1 ? 1 - 0x1p-11f : 1;
        b->outer[i] = binary32_of_bits((exponent + 101) << 23) * odd;
        b->inner[i] = binary32_of_bits((exponent + 101 - smaller) << 23) * odd;
    }
}

CUMSUM_ALWAYS_INLINE bool is_near(const binary16_block *b, double distance, int length) {
    const double *sums = b->sum + LANES - b->shift;
    const double count = (double)b->count;
    uint64_t far = 0;
    for (int i = 0; i < length; i++)
        far |= ((fabs((double)b->y[i] - sums[i]) <= distance) | ((double)i >= count)) ? 0 : 1;
    return far == 0;
}

/* Half the gap above a number of binary16: 2^-11 of the power of two below it, but not less than
 * that of the subnormal numbers. Of the binary32 number before it, half the gap below. */
CUMSUM_ALWAYS_INLINE float half_gap(float magnitude) {
    uint32_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    const float gap = binary32_of_bits(bits & 0x7F800000) * 0x1p-11f;
    return gap > 0x1p-25f ? gap : 0x1p-25f;
}

/* Behind the difference all is done in binary32. Its size is rounded up, by more than the
 * difference has lost; the difference to the gap loses less than the margins of the levels. */
CUMSUM_ALWAYS_INLINE watch_answer watch_as(const binary16_block *b, const binary16_watch *watch,
                                           binary16_stored stored, int length) {
    const double *sums = b->sum + LANES - b->shift;
    const int32_t count = (int32_t)b->count;
    const double error = watch->error;
    const float level = watch->level, distance = watch->distance;
    uint32_t unsure = 0, far = 0;
    for (int i = 0; i < length; i++) {
        const float y = b->y[i], difference = (float)((sums[i] + error) - (double)y);
        const float size = fabsf(difference), magnitude = fabsf(y);
        uint32_t bits, sign;
        memcpy(&bits, &y, sizeof bits);
        memcpy(&sign, &difference, sizeof sign);
        const bool before = (int32_t)(bits ^ sign) < 0, none = i >= count;
        float gap = 0;
        if (stored == STORED_NEAREST)
            gap = half_gap(magnitude * (before ? 1 - 0x1p-24f : 1));
        else if (stored == STORED_ZERO)
            gap = before ? 0 : 2 * half_gap(magnitude);
        unsure |= ((size * (1 + 0x1p-22f) - gap <= level) | none) ? 0 : 1;
        far |= ((size <= distance) | none) ? 0 : 1;
    }
    return (watch_answer){unsure == 0, far == 0};
}

CUMSUM_ALWAYS_INLINE watch_answer watch_stored(const binary16_block *b, const binary16_watch *watch,
                                               int length) {
    switch (watch->stored) {
    case STORED_NEAREST:
        return watch_as(b, watch, STORED_NEAREST, length);
    case STORED_ZERO:
        return watch_as(b, watch, STORED_ZERO, length);
    default:
        return watch_as(b, watch, STORED_PLAIN, length);
    }
}

CUMSUM_ALWAYS_INLINE block_answer test(const binary16_block *b, const binary16_limits *limits,
                                       int length) {
    const binary16_limits l = *limits;
    const double *sums = b->sum + LANES - b->shift, *magnitudes = b->magnitude + LANES - b->shift;
    const double count = (double)b->count;
    uint64_t misfits = 0, unrated = 0;
    for (int i = 0; i < length; i++) {
        const double y = (double)b->y[i], s = sums[i], a = magnitudes[i], k = (double)i;
        const double distance = fabs(y - s), outer = (double)b->outer[i];
        const double inner = (double)b->inner[i];
        const bool beyond = (s - y) * y >= 0, none = k >= count;
        const double g = beyond ? outer : inner;
        const double error = bound_at(l.wide, k, a);
        const double rounded = least_of(g + error + l.nearest, g + bound_at(l.narrow, k, a));
        const double zero = l.zero_outer * g;
        const double cut = least_of(error + (beyond ? zero : l.zero), bound_at(l.truncating, k, a));
        misfits |= ((distance <= least_of(rounded, cut)) | none) ? 0 : 1;
        unrated |= ((distance <= least_of(l.error * a, l.rounding * g)) | none) ? 0 : 1;
    }
    return (block_answer){misfits == 0, unrated == 0};
}

/* Sorts the models of each output into those that fit, by bounds that are too small, those that do
 * not, by bounds that are too large, and the rest. */
CUMSUM_ALWAYS_INLINE void sort(binary16_block *b, int length) {
    const double largest = 65504, *sums = b->sum + LANES - b->shift;
    const double *magnitudes = b->magnitude + LANES - b->shift;
    const double *earlier = b->pairs + LANES, *roundings = b->quads + LANES;
    for (int i = 0; i < length; i++) {
        const double y = (double)b->y[i], s = sums[i], a = magnitudes[i];
        const double distance = fabs(y - s), outer = (double)b->outer[i];
        const double inner = (double)b->inner[i];
        const bool beyond = (s - y) * y >= 0;
        const double g = beyond ? outer : inner;
        const double error = earlier[i] * 0x1p-24 * a, cut = roundings[i] * 0x1p-10 * a;
        const double narrow = roundings[i] > 1 ? (roundings[i] - 1) * 0x1p-11 * a : 0;
        const double positive = (a + s) * 0.5, negative = (a - s) * 0.5;
        const double under = least_of(positive, largest) - negative - y;
        const double over = y - (positive - least_of(negative, largest));
        const double outside = under > over ? under : over;
        const double low = 1 - 0x1p-19, high = 1 + 0x1p-19;
        const double gap = beyond ? 2 * outer : 0, rest = beyond ? 0x1p-9 * outer : 0x1p-12 * outer;
        uint32_t yes = 0, no = 0;
        yes |= distance <= g + error * low ? NEAREST | IEEE : 0;
        no |= distance > g * (1 + 0x1p-11) + error * high ? NEAREST | IEEE : 0;
        yes |= distance <= error * low + gap * (1 - 0x1p-11) ? ZERO : 0;
        no |= distance > error * high + gap + rest ? ZERO : 0;
        yes |= distance <= g + narrow * low ? NARROW : 0;
        no |= distance > g * (1 + 0x1p-10) + narrow * high ? NARROW : 0;
        yes |= distance <= cut * low ? TRUNCATING : 0;
        no |= distance > cut * high ? TRUNCATING : 0;
        yes |= outside <= cut * low ? SATURATING : 0;
        no |= outside > cut * high ? SATURATING : 0;
        b->fits[i] = (uint8_t)yes;
        b->unsure[i] = (uint8_t)(0x3F & ~(yes | no));
    }
}

CUMSUM_ALWAYS_INLINE void prepare_binary16_block(binary16_block *b, int length) {
    prepare_terms(b, length);
    prepare_outputs(b, length);
    scan_binary16_block(b, b->sum, b->sum_before, false, length);
    b->sum_behind = b->sum[LANES + b->count - 1];
}

CUMSUM_ALWAYS_INLINE block_answer test_gaps(binary16_block *b, const binary16_limits *limits,
                                            int length) {
    prepare_gaps(b, length);
    return test(b, limits, length);
}

/* Lengths of blocks are constants, for the sake of the compiler's vectors. */
#define FOR_LENGTH(b, call)                                                                        \
    do {                                                                                           \
        enum {                                                                                     \
            tiny = 16,                                                                             \
            small = 64                                                                             \
        };                                                                                         \
        if ((b)->count <= tiny)                                                                    \
            call(tiny);                                                                            \
        else if ((b)->count <= small)                                                              \
            call(small);                                                                           \
        else                                                                                       \
            call(BLOCK);                                                                           \
    } while (0)

void FAST_NAMED(cumsum_binary16_prepare)(binary16_block *b) {
#define PREPARE(length) prepare_binary16_block(b, length)
    FOR_LENGTH(b, PREPARE);
}

bool FAST_NAMED(cumsum_binary16_near)(const binary16_block *b, double distance) {
#define IS_NEAR(length) return is_near(b, distance, length)
    FOR_LENGTH(b, IS_NEAR);
}

watch_answer FAST_NAMED(cumsum_binary16_watch)(const binary16_block *b,
                                               const binary16_watch *watch) {
#define WATCH(length) return watch_stored(b, watch, length)
    FOR_LENGTH(b, WATCH);
}

void FAST_NAMED(cumsum_binary16_magnitudes)(binary16_block *b) {
#define SCAN_MAGNITUDES(length) scan_magnitudes(b, length)
    FOR_LENGTH(b, SCAN_MAGNITUDES);
}

block_answer FAST_NAMED(cumsum_binary16_test)(binary16_block *b, const binary16_limits *limits) {
#define TEST(length) return test_gaps(b, limits, length)
    FOR_LENGTH(b, TEST);
}

void FAST_NAMED(cumsum_binary16_sort)(binary16_block *b) {
#define SORT(length) sort(b, length)
    FOR_LENGTH(b, SORT);
}
