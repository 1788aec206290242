/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPLAIN_ERRORS_H
#define CUMSUM_EXPLAIN_ERRORS_H

/* The errors of all outputs, in the unit of the elements. */

#include <cumsum/explain.h>

/* Measures those of floating-point outputs of a scan or of sums; of others, and where outputs may
 * share addresses or memory is out, all members are 0. */
void cumsum_measure_errors(const cumsum_judged *judged, cumsum_errors *errors);

#endif
