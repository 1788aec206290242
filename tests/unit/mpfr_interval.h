/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MPFR_INTERVAL_H
#define CUMSUM_TESTS_MPFR_INTERVAL_H

/* The intervals of verdict 1 (docs/oracle.md) in MPFR, with which those of the oracle are compared.
 */

#include <mpfr.h>

#include "binary_format.h"
#include "rule.h"

#define EXACT_BITS 2400 /* more than any sum or bound here has */

/* A prefix, and what its bounds are about beside the sums. */
typedef struct line_facts {
    mpfr_t sum;
    mpfr_t magnitude;
    unsigned long nonzero;
    double lowest;  /* bit of any term */
    double largest; /* magnitude of any term */
} line_facts;

void facts_begin(line_facts *facts);
void facts_end(line_facts *facts);
void facts_add(line_facts *facts, double term);

/* The exponent e for which 2^e and more is infinity. */
int overflow_exponent(const binary_format *f);

/* Rounds like IEEE 754 to the format, to nearest or toward zero, subnormals and overflow included;
 * returns the bits. */
uint64_t round_by_mpfr(const binary_format *f, const mpfr_t exact, mpfr_rnd_t way);

/* The additions that may round, the last one included. */
unsigned long roundings(const line_facts *facts, int precision);

/*
 * round(S - E) and round(S + E) with E = F + k e (A + F), where e is u to nearest and 2 u toward
 * zero, and F is the smallest normal number for each of so many places that are flushed. Of terms
 * of one sign the end nearer to 0 is the least magnitude y with round(A - F - k e y) <= y.
 */
rule_range interval_by_mpfr(const line_facts *facts, const binary_format *f, mpfr_rnd_t way,
                            unsigned long k, unsigned long places);

#endif
