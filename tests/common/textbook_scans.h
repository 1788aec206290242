/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_TEXTBOOK_SCANS_H
#define CUMSUM_TESTS_TEXTBOOK_SCANS_H

/*
 * Scans as textbooks have them, for tests that must know which bits an order of additions gives.
 * They share nothing with src/ and tools/; tests compare the kernels, the reference, the oracle and
 * fingerprints with them. They are plain and slow, and end the program if there is no memory.
 */

#include <stdbool.h>
#include <stdint.h>

/* a + b, rounded as a device does. */
typedef double textbook_addition(double a, double b);

textbook_addition add_binary32;
textbook_addition add_binary64;

/* Replaces v[0..n) by its inclusive scan. */
typedef void textbook_scan(textbook_addition *add, double *v, uint32_t n);

textbook_scan scan_sequential;    /* one after the other, from +0 on */
textbook_scan scan_binary64;      /* the same in binary64, each sum rounded to binary32 */
textbook_scan scan_hillis_steele; /* Hillis, Steele: "Data parallel algorithms", 1986 */
textbook_scan scan_kogge_stone;   /* Kogge, Stone, 1973: the adder; the same additions in place */
textbook_scan scan_sklansky;      /* Sklansky: "Conditional-sum addition logic", 1960 */
textbook_scan scan_blelloch;      /* Blelloch: "Prefix sums and their applications", 1990 */
textbook_scan scan_brent_kung;    /* Brent, Kung: "A regular layout for parallel adders", 1982 */
textbook_scan scan_blocked;       /* the blocked order of docs/numerics.md */

/* Relatives of the blocked order, which is 16, 1024, false, false. */
typedef struct blocked_shape {
    uint32_t block;       /* elements that Sklansky's network scans; a power of 2 */
    uint32_t tile;        /* elements whose blocks are scanned one after the other */
    bool flat_tiles;      /* the totals of tiles are scanned sequentially, not blocked again */
    bool tile_carry_last; /* C + (c + v) in place of (C + c) + v */
} blocked_shape;

void scan_blocked_shape(const blocked_shape *shape, textbook_addition *add, double *v, uint32_t n);

#endif
