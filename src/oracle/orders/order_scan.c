/* SPDX-License-Identifier: MIT */
/*
 * The named orders, element by element and in the plainest form: an order that is not the device's
 * own usually differs in the first line, so speed matters little. Every addition goes through
 * cumsum_order_add, which is the only place that rounds.
 */
#include "order_scan.h"

#include <float.h>
#include <math.h>

/* A sum is rounded on the way to its format: to binary64, and for 16 bits to binary32. That changes
 * nothing, since each time there are more than twice the bits and two (Figueroa, SIGNUM Newsletter
 * 30, 1995). */
double cumsum_order_add(double a, double b, order_rounding how) {
    const double sum64 = a + b;
    if (how.format->precision == 53)
        return how.flush && fabs(sum64) < DBL_MIN ? copysign(0, sum64) : sum64;
    const float sum = (float)sum64;
    if (how.format->precision == 24)
        return (double)(how.flush && fabsf(sum) < FLT_MIN ? copysignf(0, sum) : sum);
    if (isnan(sum))
        return (double)sum;
    return format_value(how.format,
                        half_store(how.format, binary32_bits(sum), CUMSUM_HALF_STORE_IEEE));
}

#define BLOCK 16
#define TILE  1024

/* One total for each tile, on every level until a single tile is left. */
uint64_t cumsum_order_scratch(uint64_t n) {
    uint64_t total = 0;
    while (n > TILE) {
        n = (n + TILE - 1) / TILE;
        total += n;
    }
    return total;
}

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Sklansky's network. After the step of width s, v[i] holds the sum from the start of its aligned
 * group of 2s elements. A step reads elements whose index has bit s clear and writes the others, so
 * it may run in place. */
static void sklansky(double *v, uint64_t n, order_rounding how) {
    for (uint64_t s = 1; s < n; s *= 2)
        for (uint64_t i = s; i < n; i++)
            if (i & s)
                v[i] = cumsum_order_add(v[(i | (s - 1)) ^ s], v[i], how);
}

/* Scans each block of a tile on its own; returns the total of the tile, which is the carry after
 * its last block. */
static double scan_tile_blocks(double *tile, uint64_t n, order_rounding how) {
    double carry = 0;
    for (uint64_t b = 0; b < n; b += BLOCK) {
        uint64_t length = smaller(BLOCK, n - b);
        sklansky(tile + b, length, how);
        carry = cumsum_order_add(carry, tile[b + length - 1], how);
    }
    return carry;
}

/* Adds to every element the carry into its block, which is the carry into the tile plus the totals
 * of the blocks before. */
static void add_carries(double *tile, uint64_t n, double carry_in, order_rounding how) {
    double carry = 0;
    for (uint64_t b = 0; b < n; b += BLOCK) {
        uint64_t length = smaller(BLOCK, n - b);
        double total = tile[b + length - 1];
        double base = cumsum_order_add(carry_in, carry, how);
        for (uint64_t i = 0; i < length; i++)
            tile[b + i] = cumsum_order_add(base, tile[b + i], how);
        carry = cumsum_order_add(carry, total, how);
    }
}

/* `totals` has room for the totals of the tiles, and behind them for those of the next level: the
 * line of totals is scanned in the same order. */
static void blocked(double *v, uint64_t n, double *totals, order_rounding how) {
    uint64_t tiles = (n + TILE - 1) / TILE;
    for (uint64_t t = 0; t < tiles; t++) {
        double total = scan_tile_blocks(v + TILE * t, smaller(TILE, n - TILE * t), how);
        if (tiles > 1)
            totals[t] = total;
    }
    if (tiles > 1)
        blocked(totals, tiles, totals + tiles, how);
    for (uint64_t t = 0; t < tiles; t++)
        add_carries(v + TILE * t, smaller(TILE, n - TILE * t), t ? totals[t - 1] : 0, how);
}

/* Each step adds the element `distance` places before. It runs from the end, so that the element it
 * reads has not been written in this step. */
static void hillis_steele(double *v, uint64_t n, order_rounding how) {
    for (uint64_t distance = 1; distance < n; distance *= 2)
        for (uint64_t i = n; i-- > distance;)
            v[i] = cumsum_order_add(v[i - distance], v[i], how);
}

/*
 * After the up-sweep v[j - 1] holds the total of the largest aligned block that ends at j. The
 * down-sweep of the algorithm gives a prefix of k elements as the sum of its aligned blocks, one
 * for each bit of k, added from the left; here that sum is formed directly. It runs from the end,
 * so that the blocks to the left still hold totals.
 */
static void blelloch(double *v, uint64_t n, order_rounding how) {
    for (uint64_t size = 2; size <= n; size *= 2)
        for (uint64_t end = size; end <= n; end += size)
            v[end - 1] = cumsum_order_add(v[end - 1 - size / 2], v[end - 1], how);
    for (uint64_t k = n; k > 0; k--) {
        uint64_t bit = 1, end = 0;
        double sum = 0;
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

void cumsum_order_scan(cumsum_named_order order, double *v, uint64_t n, double *scratch,
                       order_rounding how) {
    if (order == CUMSUM_NAMED_BLOCKED)
        blocked(v, n, scratch, how);
    else if (order == CUMSUM_NAMED_HILLIS_STEELE)
        hillis_steele(v, n, how);
    else if (order == CUMSUM_NAMED_SKLANSKY)
        sklansky(v, n, how);
    else
        blelloch(v, n, how);
}
