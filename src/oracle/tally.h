/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_TALLY_H
#define CUMSUM_ORACLE_TALLY_H

/*
 * A fast prefix sum that knows how wrong it is: S lies within `slack` of high + low. Two binary64
 * numbers hold it, by Knuth's TwoSum, which gives a sum and its rounding error exactly; the error
 * of the second sum is what is lost, and its magnitude is added up. Nothing underflows: all terms
 * are multiples of 2^-149. With the usual data nothing is lost at all and slack stays 0.
 */

#include <math.h>
#include <stdbool.h>

typedef struct tally {
    double high;
    double low;
    double slack;     /* its own rounding, below 2^-20 of it, is covered where it is used */
    double magnitude; /* A, with a relative error below 2^-20: 2^32 additions of error 2^-53 */
} tally;

static inline double two_sum(double *sum, double term) {
    double s = *sum + term;
    double virtual_term = s - *sum;
    double error = (*sum - (s - virtual_term)) + (term - virtual_term);
    *sum = s;
    return error;
}

static inline void tally_add(tally *t, double term) {
    double error = two_sum(&t->high, term);
    t->slack += fabs(two_sum(&t->low, error));
    t->magnitude += fabs(term);
}

/* |y - S|, up to slack and to two roundings. */
static inline double tally_distance(const tally *t, double y) {
    return fabs((y - t->high) - t->low);
}

/* Factors that turn a value with a relative error below 2^-19 into a bound. */
#define ROUND_DOWN (1 - 0x1p-19)
#define ROUND_UP   (1 + 0x1p-19)

#endif
