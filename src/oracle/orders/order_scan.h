/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_SCAN_H
#define CUMSUM_ORACLE_ORDER_SCAN_H

/*
 * The orders that scan a line in memory, for the oracle. Each is written from its definition in
 * docs/oracle.md ("Verdict 3") and shares nothing with the kernels.
 *
 *     BLOCKED         this project's fixed tree: docs/numerics.md, "blocked"
 *     HILLIS_STEELE   Hillis and Steele, "Data parallel algorithms", CACM 29, 1986; the network of
 *                     Kogge and Stone (IEEE Trans. Comput. C-22, 1973) adds the same pairs
 *     SKLANSKY        Sklansky, "Conditional-sum addition logic", IRE Trans. EC-9, 1960
 *     BLELLOCH        Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990; Brent
 *                     and Kung's network (IEEE Trans. Comput. C-31, 1982) adds the same pairs
 *
 * Values travel as binary64, which holds the numbers of every format, with one rounding for each
 * addition.
 */

#include <cumsum/oracle.h>

#include <float.h>
#include <math.h>

#include "binary_format.h"
#include "order_tools.h"

/* How an addition rounds. */
typedef struct order_rounding {
    const binary_format *format;
    bool flush; /* subnormal results of binary32 and binary64 become zeros of their sign */
} order_rounding;

/* a + b, rounded. A sum is rounded on the way to its format: to binary64, and for 16 bits to
 * binary32. That changes nothing, since each time there are more than twice the bits and two
 * (Figueroa, SIGNUM Newsletter 30, 1995). */
static inline double order_add(double a, double b, order_rounding how) {
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

/* The same where it is not inlined. */
double cumsum_order_add(double a, double b, order_rounding how);

/* The same for cumsum_order_scan; `how` is an order_rounding. */
cumsum_addition cumsum_order_addition;

/* cumsum_order_scan, with sums that are rounded as `how` says.
 * first: NULL, or the total of the elements in front of the values, which are one unit of the last
 * level, as large as the sizes of the others together. The values are the elements behind it, and
 * the levels are two at least. */
void cumsum_order_scan_behind(const cumsum_composed_order *order, const double *first,
                              double *values, uint64_t n, bool exclusive, double *scratch,
                              order_rounding how);

/* Replaces values by totals in this order, rounded as `how` says: values[k] becomes that of the
 * first k + 1 units of the last level. Returns how many there are; units are complete. */
uint64_t cumsum_order_totals(const cumsum_composed_order *order, double *values, uint64_t n,
                             double *scratch, order_rounding how);

/* The levels of a match; NULL for an order that is no scan in memory. */
static inline const cumsum_composed_order *order_levels(const cumsum_order_match *match) {
    static const cumsum_composed_order plain[] = {
        [CUMSUM_NAMED_BLOCKED] = {1, {{CUMSUM_KIND_BLOCKED, 0, 0, 0}}},
        [CUMSUM_NAMED_HILLIS_STEELE] = {1, {{CUMSUM_KIND_HILLIS_STEELE, 0, 0, 0}}},
        [CUMSUM_NAMED_SKLANSKY] = {1, {{CUMSUM_KIND_SKLANSKY, 0, 0, 0}}},
        [CUMSUM_NAMED_BLELLOCH] = {1, {{CUMSUM_KIND_BLELLOCH, 0, 0, 0}}},
    };
    if (match->order == CUMSUM_NAMED_COMPOSED)
        return &match->composed;
    return match->order <= CUMSUM_NAMED_BLELLOCH && plain[match->order].count ? &plain[match->order]
                                                                              : NULL;
}

/* The scan of x[0..n) by vectors, for floats that are added in binary32, subnormals kept. The order
 * is not composed. The scan is returned: it is in x or in v, and both are overwritten. */
const float *cumsum_order_scan_floats(cumsum_named_order order, float *x, float *v, uint64_t n,
                                      double *scratch);

#endif
