/* SPDX-License-Identifier: MIT */
/*
 * Judges a block of a FLOAT16 line with vectors (fast_half_block.h). The file is compiled for
 * several instruction sets, whose name is FAST_ISA. Its loops do the same for every element of
 * small arrays, so that compilers make vectors of them.
 *
 * Invariant: every sum is exact, so that the width of the vectors does not show.
 */
#include "fast_half_block.h"

#include <math.h>
#include <string.h>

#include "compiler.h"
#include "fast_isa.h"

CUMSUM_ALWAYS_INLINE float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

CUMSUM_ALWAYS_INLINE uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A finite number of binary16. */
CUMSUM_ALWAYS_INLINE float value_of(uint32_t bits) {
    const uint32_t magnitude = bits & 0x7FFF;
    const float subnormal = (float)(int32_t)magnitude * 0x1p-24f;
    const float normal = float_of((magnitude << 13) + (UINT32_C(112) << 23));
    const float value = magnitude < 0x400 ? subnormal : normal;
    return bits & 0x8000 ? -value : value;
}

/* Prefix sums of the terms, or of their magnitudes. Windows of 2, 4 and 8 elements end at each
 * element; each eighth of the last ones is added up. */
CUMSUM_ALWAYS_INLINE void scan(half_block *b, double *sums, double before, bool magnitudes) {
    const float *x = b->x + LANES;
    double *pairs = b->pairs + LANES, *quads = b->quads + LANES;
    double lanes[LANES];
    const uint64_t padded = b->padded;
    for (uint64_t i = 0; i < padded; i++)
        pairs[i] = magnitudes ? (double)fabsf(x[i]) + (double)fabsf(x[i - 1])
                              : (double)x[i] + (double)x[i - 1];
    for (uint64_t i = 0; i < padded; i++)
        quads[i] = pairs[i] + pairs[i - 2];
    for (int j = 0; j < LANES; j++)
        sums[j] = lanes[j] = before;
    for (uint64_t i = 0; i < padded; i += LANES)
        for (uint64_t j = 0; j < LANES; j++) {
            lanes[j] += quads[i + j] + quads[i + j - 4];
            sums[LANES + i + j] = lanes[j];
        }
}

CUMSUM_ALWAYS_INLINE void scan_magnitudes(half_block *b) {
    scan(b, b->magnitude, b->magnitude_before, true);
    b->magnitudes_are_exact = true;
}

void FAST_NAMED(cumsum_half_magnitudes)(half_block *b) {
    scan_magnitudes(b);
}

/* The terms of a block, and what is known of all of them. */
CUMSUM_ALWAYS_INLINE void prepare_terms(half_block *b) {
    uint32_t largest = 0, zeros = 0;
    uint64_t any = 0;
    double lanes[LANES] = {0};
    const uint64_t padded = b->padded;
    for (uint64_t i = 0; i < padded; i++) {
        const uint32_t bits = b->x_bits[i], magnitude = bits & 0x7FFF;
        b->x[LANES + i] = value_of(bits);
        largest = magnitude > largest ? magnitude : largest;
        zeros += magnitude == 0;
    }
    for (uint64_t i = 0; i < padded; i += LANES)
        for (uint64_t j = 0; j < LANES; j++)
            lanes[j] += (double)fabsf(b->x[LANES + i + j]);
    for (uint64_t i = 0; i < padded; i++)
        any |= bits_of((double)fabsf(b->x[LANES + i]) + 0x1p28);
    b->magnitude_behind = b->magnitude_before;
    for (int j = 0; j < LANES; j++)
        b->magnitude_behind += lanes[j];
    b->largest = largest;
    b->zeros = zeros - (padded - b->count);
    b->any_bit = any & ((UINT64_C(1) << 52) - 1);
}

/* The outputs, and g. */
CUMSUM_ALWAYS_INLINE void prepare_outputs(half_block *b) {
    uint32_t largest = 0, negative_zeros = 0;
    const uint64_t padded = b->padded;
    for (uint64_t i = 0; i < padded; i++) {
        const uint32_t bits = b->y_bits[i], magnitude = bits & 0x7FFF;
        b->y[i] = value_of(bits);
        largest = magnitude > largest ? magnitude : largest;
        negative_zeros += bits == 0x8000;
        /* Half a gap is 2^(exponent - 26). Towards 0 it is half of that below a power of two, but
         * not below the smallest normal number. */
        const uint32_t exponent = magnitude < 0x800 ? 1 : magnitude >> 10;
        const float half_gap = float_of((exponent + 101) << 23);
        const float gap = bits & 1 ? half_gap * (1 - 0x1p-11f) : half_gap;
        b->outer[i] = gap;
        b->inner[i] = exponent > 1 && (magnitude & 0x3FF) == 0 ? gap * 0.5f : gap;
    }
    b->largest_output = largest;
    b->negative_zeros = negative_zeros;
}

/* From the bits of a block: values, g, and sums. */
void FAST_NAMED(cumsum_half_prepare)(half_block *b) {
    prepare_terms(b);
    prepare_outputs(b);
    scan(b, b->sum, b->sum_before, false);
    b->sum_behind = b->sum[LANES + b->count - 1];
    b->magnitudes_are_exact = false;
    if (b->magnitude_behind > b->magnitude_before * 1.0625) {
        scan_magnitudes(b);
        return;
    }
    for (uint64_t i = 0; i < LANES + b->padded; i++)
        b->magnitude[i] = b->magnitude_before;
}

CUMSUM_ALWAYS_INLINE double bound_at(bound b, double k, double magnitude) {
    return (b.first + b.step * k) * magnitude;
}

block_answer FAST_NAMED(cumsum_half_test)(const half_block *b, const half_limits *limits) {
    const half_limits l = *limits;
    const double *sums = b->sum + LANES - b->shift, *magnitudes = b->magnitude + LANES - b->shift;
    uint64_t misfits = 0, unrated = 0;
    for (uint64_t i = 0; i < b->count; i++) {
        const double y = (double)b->y[i], s = sums[i], a = magnitudes[i], k = (double)(int32_t)i;
        const double distance = fabs(y - s);
        const bool beyond = (s - y) * y >= 0;
        const double g = (double)(beyond ? b->outer[i] : b->inner[i]);
        const double error = bound_at(l.wide, k, a);
        const double rounded = least(g + error + l.nearest, g + bound_at(l.narrow, k, a));
        const double cut =
            least(error + (beyond ? l.zero_outer * g : l.zero), bound_at(l.truncating, k, a));
        misfits |= distance <= least(rounded, cut) ? 0 : 1;
        unrated |= distance <= least(l.error * a, l.rounding * g) ? 0 : 1;
    }
    return (block_answer){misfits == 0, unrated == 0};
}

/* Sorts the models of each output into those that fit and those of which it is not sure. `high` has
 * bounds that are too large, and only these. */
void FAST_NAMED(cumsum_half_sort)(half_block *b, const half_limits *low, const half_limits *high) {
    const half_limits l = *low, h = *high;
    const double largest = 65504, *sums = b->sum + LANES - b->shift;
    const double *magnitudes = b->magnitude + LANES - b->shift;
    for (uint64_t i = 0; i < b->count; i++) {
        const double y = (double)b->y[i], s = sums[i], a = magnitudes[i], k = (double)(int32_t)i;
        const double distance = fabs(y - s);
        const bool beyond = (s - y) * y >= 0;
        const double outer = (double)b->outer[i], g = beyond ? outer : (double)b->inner[i];
        const double error = bound_at(l.wide, k, a), error_most = bound_at(h.wide, k, a);
        const double cut = bound_at(l.truncating, k, a), cut_most = bound_at(h.truncating, k, a);
        const double positive = (a + s) * 0.5, negative = (a - s) * 0.5;
        const double under = least(positive, largest) - negative - y;
        const double over = y - (positive - least(negative, largest));
        const double outside = under > over ? under : over;
        uint32_t yes = 0, no = 0;
        yes |= distance <= g + error ? NEAREST | IEEE : 0;
        no |= distance > g * (1 + 0x1p-11) + error_most ? NEAREST | IEEE : 0;
        yes |= distance <= error + (beyond ? 2 * (1 - 0x1p-11) * g : 0) ? ZERO : 0;
        no |= distance > error_most + outer * (beyond ? 2 * (1 + 0x1p-10) : 0x1p-12) ? ZERO : 0;
        yes |= distance <= g + bound_at(l.narrow, k, a) ? NARROW : 0;
        no |= distance > g * (1 + 0x1p-10) + bound_at(h.narrow, k, a) ? NARROW : 0;
        yes |= distance <= cut ? TRUNCATING : 0;
        no |= distance > cut_most ? TRUNCATING : 0;
        yes |= outside <= cut ? SATURATING : 0;
        no |= outside > cut_most ? SATURATING : 0;
        b->fits[i] = (uint8_t)yes;
        b->unsure[i] = (uint8_t)(0x3F & ~(yes | no));
    }
}
