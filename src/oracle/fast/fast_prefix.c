/* SPDX-License-Identifier: MIT */
/*
 * The superaccumulator, a segment at a time. The sums of a segment on two grids (fast_segment.h)
 * are exact binary64 numbers: two for the terms and two for their magnitudes are added in place of
 * them all.
 */
#include "fast_paths.h"

#include "fast_choice.h"

static uint32_t bits_at(const unsigned char *terms, int64_t step, int64_t i) {
    uint32_t bits;
    memcpy(&bits, terms + step * i, sizeof bits);
    return bits;
}

/* Are all terms multiples of 2^(lowest - 149)? A yes is certain. */
static bool has_none_below(const unsigned char *terms, int64_t step, unsigned lowest) {
    const double grid = fast_grid((int)lowest - 149);
    int off = 0;
    for (int64_t i = 0; i < FAST_SEGMENT; i++) {
        const double term = (double)binary32_value(bits_at(terms, step, i));
        off |= fast_rounded(term, grid) != term;
    }
    return !off;
}

/* The lowest bit that is set in any term, if that is below `lowest`. */
static unsigned lowest_of(const unsigned char *terms, int64_t step, unsigned lowest) {
    for (int64_t i = 0; i < FAST_SEGMENT; i++) {
        unsigned shift;
        uint64_t significand =
            format_significand(&binary32_format, bits_at(terms, step, i), &shift);
        if (shift >= lowest || significand == 0)
            continue;
        for (; !(significand & 1); significand >>= 1)
            shift++;
        lowest = shift < lowest ? shift : lowest;
    }
    return lowest;
}

/* Adds a multiple of 2^-149. */
static void add_to_wide(wide *sum, double value) {
    const uint64_t bits = binary64_bits(value);
    unsigned shift; /* in units of binary64's quantum */
    uint64_t significand = format_significand(&binary64_format, bits, &shift);
    const unsigned quantum = 1074 - 149; /* binary32's */
    if (shift < quantum && significand != 0) {
        significand >>= quantum - shift; /* zeros */
        shift = quantum;
    }
    if (significand != 0)
        wide_accumulate(sum, significand, shift - quantum, (bits & binary64_format.sign) != 0);
}

bool cumsum_fast_prefix_add(exact_prefix *p, const unsigned char *terms, int64_t step) {
    fast_segment f = {.terms = terms, .term_step = step, .count = FAST_SEGMENT};
    const fast_extent extent = FAST(cumsum_fast_extent, &f);
    const uint32_t largest = extent.greatest;
    unsigned least_shift;
    if (largest >= binary32_format.infinity || largest == 0 || p->nonzero < REACH_MOST)
        return false;
    /* Magnitudes add up to less than 2^51 g. */
    const int g = fast_exponent((double)binary32_value(largest)) + 1 + 9 - 51;
    f.grid = fast_grid(g);
    f.fine_grid = fast_grid(g - FAST_FINE);
    FAST(cumsum_fast_sums, &f);
    if (f.off_grid)
        return false;
    add_to_wide(&p->sum, f.sum);
    add_to_wide(&p->sum, f.sum_rest);
    add_to_wide(&p->magnitude, f.magnitude);
    add_to_wide(&p->magnitude, f.magnitude_rest);
    p->terms += f.count;
    p->nonzero += f.count - f.zeros;
    if (largest > p->largest)
        p->largest = largest;
    format_significand(&binary32_format, extent.least, &least_shift);
    if (least_shift < p->lowest && !has_none_below(terms, step, p->lowest))
        p->lowest = lowest_of(terms, step, p->lowest);
    return true;
}

bool cumsum_fast_prefix_add_halves(exact_prefix *p, const unsigned char *terms, int64_t step) {
    int64_t sum = 0;
    uint64_t magnitude = 0, any = 0, largest = 0, zeros = 0;
    for (int64_t i = 0; i < FAST_SEGMENT; i++) { /* units are below 2^41 */
        uint16_t bits;
        unsigned shift;
        memcpy(&bits, terms + step * i, sizeof bits);
        const uint64_t absolute = bits & 0x7FFFu;
        const uint64_t significand = format_significand(&binary16_format, absolute, &shift);
        const int64_t units = (int64_t)(significand << shift);
        sum += bits & 0x8000u ? -units : units;
        magnitude += (uint64_t)units;
        any |= (uint64_t)units;
        zeros += absolute == 0;
        largest = absolute > largest ? absolute : largest;
    }
    if (largest >= binary16_format.infinity || largest == 0 || p->nonzero < REACH_MOST)
        return false;
    wide_accumulate(&p->sum, (uint64_t)(sum < 0 ? -sum : sum), 0, sum < 0);
    wide_accumulate(&p->magnitude, magnitude, 0, false);
    p->terms += FAST_SEGMENT;
    p->nonzero += FAST_SEGMENT - zeros;
    if (largest > p->largest)
        p->largest = largest;
    for (unsigned lowest = 0; lowest < p->lowest; lowest++)
        if (any >> lowest & 1)
            p->lowest = lowest;
    return true;
}
