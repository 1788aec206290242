/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_FAST_PATHS_H
#define CUMSUM_ORACLE_FAST_PATHS_H

/*
 * What the fast paths offer to the loops over single elements: docs/oracle.md, "Fast path". Each
 * function does what the loop would do, for many outputs or terms at once, or says that it cannot.
 */

#include "judge_output.h"

/* Where short lines lie, and how many of them are judged by the loop before the next are tried. */
typedef struct line_spacing {
    uint64_t together; /* lines that are evenly spaced, from a multiple of this on; 0: none may be
                          accepted at once */
    uint64_t input;    /* elements from one to the next */
    uint64_t output;
    uint64_t wait;
    uint64_t next_wait;
} line_spacing;

line_spacing cumsum_fast_line_spacing(const judge_state *s);

/*
 * Judges lines of FLOAT16, or short ones of FLOAT32, from this one on, if that is certain to do no
 * more than to count their outputs, and those of short prefixes. Returns how many were judged; the
 * loop judges the next one.
 */
uint64_t cumsum_fast_lines_accept(judge_state *s, line_spacing *spacing, uint64_t line,
                                  uint64_t end);

/* FLOAT16: how many lines, from this one on, surely have the sequential order, with sums in
 * binary32 that are stored to nearest? */
uint64_t cumsum_fast_lines_in_sequence(judge_state *s, line_spacing *spacing, uint64_t line,
                                       uint64_t end);

#endif
