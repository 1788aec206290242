/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_ORDER_SCAN_H
#define CUMSUM_ORACLE_ORDER_SCAN_H

/* The named orders that need a whole line at once. Their definitions are in docs/oracle.md. */

#include <cumsum/oracle.h>

/* How an addition rounds. */
typedef struct order_arithmetic {
    bool binary16; /* to binary16, else to binary32 */
    bool flush;    /* subnormal binary32 results become zeros of their sign */
} order_arithmetic;

float cumsum_order_add(float a, float b, order_arithmetic how);

/* Elements of scratch that cumsum_order_scan needs beside the line. */
uint64_t cumsum_order_scratch(uint64_t n);

/* Replaces v[0..n) by its inclusive scan. One of BLOCKED, HILLIS_STEELE, SKLANSKY, BLELLOCH. */
void cumsum_order_scan(cumsum_named_order order, float *v, uint64_t n, float *scratch,
                       order_arithmetic how);

#endif
