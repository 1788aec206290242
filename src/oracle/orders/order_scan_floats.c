/* SPDX-License-Identifier: MIT */
/*
 * The orders of order_scan.h once more, of floats that need no other rounding, and by vectors
 * (fast_order.h).
 */
#include "order_scan.h"

#include "fast_choice.h"
#include "fast_order.h"

static double add_floats(void *context, double a, double b) {
    (void)context;
    return (double)((float)a + (float)b);
}

/* The blocked scan of n floats. */
static void blocked_floats(const float *x, float *v, uint64_t n, double *totals) {
    const uint64_t tiles = (n + FAST_TILE - 1) / FAST_TILE;
    const cumsum_order_match blocked = {.order = CUMSUM_NAMED_BLOCKED};
    for (uint64_t k = 0; k < n && tiles > 1; k += FAST_TILE) {
        const size_t length = (size_t)(n - k < FAST_TILE ? n - k : FAST_TILE);
        totals[k / FAST_TILE] = (double)FAST(cumsum_fast_scan_tile, x + k, v + k, length, 0);
    }
    if (tiles > 1)
        cumsum_order_scan(order_levels(&blocked), totals, tiles, false, totals + tiles, add_floats,
                          NULL);
    for (uint64_t k = 0; k < n; k += FAST_TILE) {
        const size_t length = (size_t)(n - k < FAST_TILE ? n - k : FAST_TILE);
        const float carry = k ? (float)totals[k / FAST_TILE - 1] : 0;
        FAST(cumsum_fast_scan_tile, x + k, v + k, length, carry);
    }
}

const float *cumsum_order_scan_floats(cumsum_named_order order, float *x, float *v, uint64_t n,
                                      double *scratch) {
    switch (order) {
    case CUMSUM_NAMED_BLOCKED:
        blocked_floats(x, v, n, scratch);
        return v;
    case CUMSUM_NAMED_HILLIS_STEELE:
        FAST(cumsum_fast_hillis_steele, x, v, (size_t)n);
        return x;
    case CUMSUM_NAMED_SKLANSKY:
        FAST(cumsum_fast_sklansky, x, (size_t)n);
        return x;
    default:
        FAST(cumsum_fast_blelloch, x, (size_t)n);
        return x;
    }
}
