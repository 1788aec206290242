/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_PREFIX_H
#define CUMSUM_ORACLE_FAST_PREFIX_H

/* Exact sums of many terms at once: docs/oracle.md, "Fast path". */

#include "exact_prefix.h"
#include "fast_segment.h"

/* Appends FAST_SEGMENT terms of FLOAT32, `step` bytes apart. If they cannot be added at once,
 * returns false and changes nothing. */
bool cumsum_fast_prefix_add(exact_prefix *p, const unsigned char *terms, int64_t step);

/* The same for FLOAT16. */
bool cumsum_fast_prefix_add_halves(exact_prefix *p, const unsigned char *terms, int64_t step);

#endif
