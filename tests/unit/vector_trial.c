/* SPDX-License-Identifier: MIT */
/* Blocks of FLOAT16 and segments of FLOAT32 whose results are known. */
#include "vector_trial.h"

#include "fast_binary16_block.h"
#include "fast_choice.h"
#include "fast_segment.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Subnormal numbers of FLOAT16, whose bits are their units. Zeros follow the last one. */
static binary16_block some_block(uint64_t count, uint64_t shift) {
    binary16_block b;
    memset(&b, 0, sizeof b);
    b.count = count;
    b.shift = shift;
    for (uint64_t i = 0; i < count; i++)
        b.x_bits[i] = (uint16_t)((i % 3 ? 0 : 0x8000) | (1 + i * 37 % 1023));
    return b;
}

static bool block_differs(uint64_t count, uint64_t shift) {
    binary16_block b = some_block(count, shift);
    double sum = 0, magnitude = 0;
    uint64_t any = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t units = b.x_bits[i] & 0x7FFFu;
        magnitude += (double)units * 0x1p-24;
        sum += (double)units * (i % 3 ? 0x1p-24 : -0x1p-24);
        any |= units;
    }
    FAST(cumsum_binary16_prepare, &b);
    const bool same =
        b.sum_behind == sum && b.magnitude_behind == magnitude && b.any_bit == any && b.zeros == 0;
    if (!same)
        printf("a block of %" PRIu64 " terms, shift %" PRIu64 ", has other sums\n", count, shift);
    return !same;
}

/* A segment on three grids, with g = 1, whose outputs must be sums, rounded once. */
static fast_segment some_segment(const float *terms, const float *outputs, size_t count) {
    return (fast_segment){.terms = (const unsigned char *)terms,
                          .outputs = (const unsigned char *)outputs,
                          .term_step = sizeof *terms,
                          .output_step = sizeof *outputs,
                          .count = count,
                          .grid = fast_grid(0),
                          .fine_grid = fast_grid(-FAST_FINE),
                          .finest_grid = fast_grid(-FAST_FINEST),
                          .largest = 1,
                          .bound = FAST_PRODUCT,
                          .grids = FAST_THREE_GRIDS,
                          .rounded = true};
}

/* Do vectors cut the shortest blocks into parts of fewer than 8 terms? */
static bool has_short_parts(void) {
    binary16_block b = some_block(1, 0);
    FAST(cumsum_binary16_prepare, &b);
    return b.parts > 2;
}

static bool segments_differ(void) {
    const float large = 0x1p20F, sums[] = {large, 1, 1 + 0x1p-5F, 1 + 0x1p-5F};
    const float on[] = {large, 1 - large, 0x1p-5F, 0x1p-54F};
    const float off[] = {large, 1 - large, 0x1p-5F, 0x1p-55F};
    fast_segment s = some_segment(on, sums, 4);
    if (!FAST(cumsum_fast_accept, &s)) { /* without vectors, none is accepted */
        if (has_short_parts())
            puts("a segment on three grids is not accepted");
        return has_short_parts();
    }
    bool differs = s.off_grid || s.sum + s.sum_rest != 1 + 0x1p-5 || s.sum_remainder != 0x1p-54;
    s = some_segment(off, sums, 4);
    (void)FAST(cumsum_fast_accept, &s);
    differs |= !s.off_grid;
    /* The rests give a sum below a tie, 2^-10 + 2^-34, and the remainders lift it above. */
    const float small = 0x1p-44F - 0x1p-47F, below = 0x1p-34F - 0x1p-43F, low = 0x1p-10F;
    const float terms[] = {low, large, -large, below, small, small, small, small};
    const float wrong[] = {low, large, low, low, low, low, low, low};
    s = some_segment(terms, wrong, 8);
    differs |= FAST(cumsum_fast_accept, &s);
    /* The rests of these outputs are larger than the error that is accepted. */
    const float rests[] = {large, -large, 0.25F, 0.25F}, sums_of_rests[] = {large, 0, 0.25F, 0.5F};
    s = some_segment(rests, sums_of_rests, 4);
    s.rounded = false;
    s.largest = 0x1p-10;
    differs |= !FAST(cumsum_fast_accept, &s);
    if (differs)
        puts("a segment on three grids differs");
    return differs;
}

/* A segment of ones, judged by steps from a sum that is 1 below the output before it, and from that
 * output, where each one is lost. */
static bool steps_differ(void) {
    const float ones[] = {1, 1, 1, 1}, sums[] = {10, 11, 12, 13, 14};
    const float lost[] = {0x1p24F, 0x1p24F, 0x1p24F, 0x1p24F, 0x1p24F};
    fast_segment s = some_segment(ones, sums + 1, 4);
    s.bound = FAST_STEPS;
    s.grids = FAST_ONE_GRID;
    s.rounded = false;
    s.sum = s.magnitude = 9;
    bool differs = FAST(cumsum_fast_accept, &s);
    s.outputs = (const unsigned char *)(lost + 1);
    s.sum = s.magnitude = 0x1p24;
    s.largest = 8;
    differs |= FAST(cumsum_fast_accept, &s) ? s.jumps < 1 || s.errors < 4 || s.sum != 0x1p24 + 4
                                            : has_short_parts();
    if (differs)
        puts("a segment that is judged by steps differs");
    return differs;
}

bool vector_trial_differs(void) {
    for (uint64_t count = 1; count <= BLOCK; count++)
        if (block_differs(count, 0) || block_differs(count, 1))
            return true;
    return segments_differ() || steps_differ();
}
