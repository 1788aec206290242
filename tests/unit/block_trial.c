/* SPDX-License-Identifier: MIT */
/* Adds up blocks of FLOAT16 terms, and compares their sums with those of a loop. */
#include "block_trial.h"

#include "fast_binary16_block.h"
#include "fast_choice.h"

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

static bool differs(uint64_t count, uint64_t shift) {
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

bool block_trial_differs(void) {
    for (uint64_t count = 1; count <= BLOCK; count++)
        if (differs(count, 0) || differs(count, 1))
            return true;
    return false;
}

bool block_trial_has_short_parts(void) {
    binary16_block b = some_block(1, 0);
    FAST(cumsum_binary16_prepare, &b);
    return b.parts > 2;
}
