/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_SCAN_H
#define CUMSUM_ORACLE_ORDER_SCAN_H

/*
 * The named orders that scan a line in memory. Each is written from its definition in
 * docs/oracle.md ("Verdict 3") and shares nothing with the kernels.
 *
 *     BLOCKED         this project's fixed tree: docs/numerics.md, "blocked"
 *     HILLIS_STEELE   Hillis and Steele, "Data parallel algorithms", CACM 29, 1986; the network of
 *                     Kogge and Stone (IEEE Trans. Comput. C-22, 1973) adds the same pairs
 *     SKLANSKY        Sklansky, "Conditional-sum addition logic", IRE Trans. EC-9, 1960
 *     BLELLOCH        Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990
 *
 * Values travel as binary64, which holds the numbers of every format, with one rounding for each
 * addition.
 */

#include <cumsum/oracle.h>

#include "binary_format.h"

/* How an addition rounds. */
typedef struct order_rounding {
    const binary_format *format;
    bool flush; /* subnormal results of binary32 and binary64 become zeros of their sign */
} order_rounding;

/* a + b, rounded. */
double cumsum_order_add(double a, double b, order_rounding how);

/* The elements of scratch that cumsum_order_scan needs for a line of n elements. */
uint64_t cumsum_order_scratch(uint64_t n);

/* Replaces v[0..n) by its inclusive scan, in one of the orders above. */
void cumsum_order_scan(cumsum_named_order order, double *v, uint64_t n, double *scratch,
                       order_rounding how);

/* The same for floats that are added in binary32, subnormals kept. The scan of x[0..n) is returned:
 * it is in x or in v, and both are overwritten. */
const float *cumsum_order_scan_floats(cumsum_named_order order, float *x, float *v, uint64_t n,
                                      double *scratch);

#endif
