/* SPDX-License-Identifier: MIT */
#include "order_scan.h"

#include <float.h>
#include <math.h>

#include "binary16.h"

static float round_to_binary16(float value) {
    uint32_t bits = binary32_bits(value);
    if (format_is_nan(&binary32_format, bits))
        return value;
    return binary16_value(format_store_half(bits, CUMSUM_HALF_STORE_IEEE));
}

float cumsum_order_add(float a, float b, order_arithmetic how) {
    float sum = a + b;
    if (how.binary16)
        return round_to_binary16(sum);
    if (how.flush && fabsf(sum) < FLT_MIN)
        return copysignf(0, sum);
    return sum;
}

uint64_t cumsum_order_scratch(uint64_t n) {
    uint64_t total = 0;
    while (n > 1024) {
        n = (n + 1023) / 1024;
        total += n;
    }
    return total;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Sklansky's network: after the step of width s, v[i] holds the sum from the start of its aligned
 * group of 2s elements. In a step, what is read has bit s clear and is not written. */
static void sklansky(float *v, uint64_t n, order_arithmetic how) {
    for (uint64_t s = 1; s < n; s *= 2)
        for (uint64_t i = s; i < n; i++)
            if (i & s)
                v[i] = cumsum_order_add(v[(i | (s - 1)) ^ s], v[i], how);
}

/* Scans the blocks of a tile of which each starts from nothing; returns the carry after the last.
 */
static float scan_blocks(float *tile, uint64_t n, order_arithmetic how) {
    float carry = 0;
    for (uint64_t b = 0; b < n; b += 16) {
        uint64_t length = smaller(16, n - b);
        sklansky(tile + b, length, how);
        carry = cumsum_order_add(carry, tile[b + length - 1], how);
    }
    return carry;
}

static void add_carries(float *tile, uint64_t n, float before, order_arithmetic how) {
    float carry = 0;
    for (uint64_t b = 0; b < n; b += 16) {
        uint64_t length = smaller(16, n - b);
        float total = tile[b + length - 1];
        float base = cumsum_order_add(before, carry, how);
        for (uint64_t i = 0; i < length; i++)
            tile[b + i] = cumsum_order_add(base, tile[b + i], how);
        carry = cumsum_order_add(carry, total, how);
    }
}

/* totals: ceil(n / 1024) elements for the totals of the tiles, then the next level's. */
static void blocked(float *v, uint64_t n, float *totals, order_arithmetic how) {
    uint64_t tiles = (n + 1023) / 1024;
    for (uint64_t t = 0; t < tiles; t++) {
        float total = scan_blocks(v + 1024 * t, smaller(1024, n - 1024 * t), how);
        if (tiles > 1)
            totals[t] = total;
    }
    if (tiles > 1)
        blocked(totals, tiles, totals + tiles, how);
    for (uint64_t t = 0; t < tiles; t++)
        add_carries(v + 1024 * t, smaller(1024, n - 1024 * t), t ? totals[t - 1] : 0, how);
}

/* Each step adds the element 2^s places before; from the end, so that it is still the old one. */
static void hillis_steele(float *v, uint64_t n, order_arithmetic how) {
    for (uint64_t distance = 1; distance < n; distance *= 2)
        for (uint64_t i = n; i-- > distance;)
            v[i] = cumsum_order_add(v[i - distance], v[i], how);
}

/* After the up-sweep v[j - 1] is the total of the largest aligned block that ends at j. The
 * down-sweep gives a prefix of k elements as its aligned blocks, added from the left: one for each
 * bit of k. From the end, so that the blocks to the left are still totals. */
static void blelloch(float *v, uint64_t n, order_arithmetic how) {
    for (uint64_t size = 2; size <= n; size *= 2)
        for (uint64_t end = size; end <= n; end += size)
            v[end - 1] = cumsum_order_add(v[end - 1 - size / 2], v[end - 1], how);
    for (uint64_t k = n; k > 0; k--) {
        uint64_t bit = 1, end = 0;
        float sum = 0;
        while (bit <= k / 2)
            bit *= 2;
        for (; bit; bit /= 2)
            if (k & bit) {
                end += bit;
                sum = cumsum_order_add(sum, v[end - 1], how);
            }
        v[k - 1] = sum;
    }
}

void cumsum_order_scan(cumsum_named_order order, float *v, uint64_t n, float *scratch,
                       order_arithmetic how) {
    if (order == CUMSUM_NAMED_BLOCKED)
        blocked(v, n, scratch, how);
    else if (order == CUMSUM_NAMED_HILLIS_STEELE)
        hillis_steele(v, n, how);
    else if (order == CUMSUM_NAMED_SKLANSKY)
        sklansky(v, n, how);
    else
        blelloch(v, n, how);
}
