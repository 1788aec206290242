/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_BENCH_JUDGED_SUMS_H
#define CUMSUM_BENCH_JUDGED_SUMS_H

/* Sums that the oracle judges in a measurement, in the orders that the library does not have. */

#include "workload.h"

/* Sums the packed lines of a workload in its order `sums`, Hillis-Steele or binary64. */
void judged_sums(const workload_operator *op);

#endif
