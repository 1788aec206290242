/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_DOUBT_CHUNK_H
#define CUMSUM_ORACLE_DOUBT_CHUNK_H

/*
 * What a chunk explains: docs/oracle.md. The carry behind a chunk has the error of the carry before
 * it, and what the sum of the chunk's terms loses. This is computed for the ways in which programs
 * form such sums.
 */

#include "doubt_scan.h"

/* Do chunks between the last seam and this position explain the errors of the output there? */
bool cumsum_doubt_chunk_explains(const doubt_scan *d, uint64_t position, const doubt_output *o);

#endif
