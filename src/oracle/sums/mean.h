/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_MEAN_H
#define CUMSUM_ORACLE_MEAN_H

/*
 * Verdict 1 on a mean: docs/oracle.md, "Means". A mean is a sum and a step that divides it or
 * multiplies it by 1/n. Every step is monotonic, so that an output is a mean if one of the sums
 * that the step takes there is accepted as a sum: the one that is nearest to S.
 */

#include <cumsum/sums.h>

#include "rule.h"

/* Terms that were divided by their number: in the type, and of 16 bits in binary32 too. */
enum {
    MEAN_IN_TYPE,
    MEAN_IN_BINARY32
};

/* The verdict on y, a mean of p->divisor terms. `divided` are the prefixes of divided terms, `mean`
 * is a form or any. *forms receives the bits of the forms that fit or cannot be ruled out. */
rule_result cumsum_rule_mean(const exact_prefix *p, const exact_prefix *divided, uint64_t y,
                             const rule_options *how, cumsum_mean mean, uint32_t *forms);

/* An element, divided by n in its format: n is rounded to binary32 first, or of FLOAT64 to
 * binary64.
 */
uint64_t cumsum_mean_term(const binary_format *type, const binary_format *to, uint64_t bits,
                          uint64_t n);

/* The set of forms that `mean` allows. */
static inline uint32_t mean_forms(cumsum_mean mean) {
    const uint32_t all = MODEL(CUMSUM_MEAN_DIVIDED_SUM) | MODEL(CUMSUM_MEAN_SCALED_SUM) |
                         MODEL(CUMSUM_MEAN_DIVIDED_TERMS);
    return mean == CUMSUM_MEAN_ANY ? all : MODEL(mean) & all;
}

#endif
