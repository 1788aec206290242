/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_DOUBT_SCANS_H
#define CUMSUM_TESTS_DOUBT_SCANS_H

/*
 * Scans as real programs do them, in any format of sums, and the data that they add: what the rules
 * of doubt are calibrated with (test_oracle_doubt.c). Nothing here is shared with the oracle.
 */

#include "textbook_scans.h"

#include <stddef.h>

/* A line, and room for the scans. */
typedef struct doubt_line {
    uint64_t n;
    textbook_addition *add;
    const double *x; /* the terms */
    double *y;       /* receives the sums */
    double *room;    /* doubt_room(n) elements */
} doubt_line;

uint64_t doubt_room(uint64_t n);

typedef struct doubt_scan {
    const char *name;
    void (*scan)(const doubt_line *line, uint64_t parameter);
    uint64_t parameter;
} doubt_scan;

/* All scans. */
extern const doubt_scan doubt_scans[];
extern const size_t doubt_scan_count;

/* The number of the scan that faults are planted in: chunks of 128. */
extern const size_t doubt_damaged_scan;

/* The kinds of data. */
typedef struct doubt_data {
    const char *name;
    double (*term)(uint64_t k, uint64_t n, uint64_t *state); /* NULL: all terms are the constant */
    double constant;
} doubt_data;

/* Term k of n. */
double doubt_term(const doubt_data *data, uint64_t k, uint64_t n, uint64_t *state);

extern const doubt_data doubt_kinds[];
extern const size_t doubt_kind_count;

#endif
