/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_LINE_FAKES_H
#define CUMSUM_TESTS_LINE_FAKES_H

/* Scans of lines for the tests of fingerprints, additions, and a line_runner that calls them. */

#include "lines.h"
#include "textbook_scans.h"

textbook_scan fake_right_to_left;
textbook_scan fake_pairwise;      /* each output on its own, by halves: an order without a name */
textbook_scan fake_three_at_once; /* sums of three rounded once: no tree of additions of two */
textbook_scan fake_compensated;   /* Kahan */

textbook_scan fake_late;             /* exclusive sums in place of inclusive ones */
textbook_scan fake_no_subnormals;    /* binary16 elements below 2^-14 are lost */
textbook_scan fake_one_reassociated; /* sequential, but for one output */

textbook_scan fake_zero_behind_128;  /* the outputs behind the first 128 are 0 */
textbook_scan fake_changing_blocks;  /* blocks of 40, and of 56 behind element 2000 */
textbook_scan fake_eighths;          /* blocks of an eighth of the line */
textbook_scan fake_first_minus_zero; /* +0 is added to all sums but the first */

/* Sums are rounded to these formats; or to binary32, toward zero. */
textbook_addition add_binary16;
textbook_addition add_bfloat16;
textbook_addition add_truncating;

#define REASSOCIATED_OUTPUT 37 /* a + (b + c) in place of (a + b) + c */

typedef struct line_fake {
    textbook_scan *scan;
    textbook_scan *other; /* in place of scan for lines for which `when` is true; or NULL */
    bool (*when)(const line_block *block, uint32_t line, uint32_t run);
    uint32_t runs;
    textbook_addition *add; /* NULL: that of binary32, and of FLOAT64 that of binary64 */
    bool truncates;         /* the store, instead of rounding to nearest */
    uint32_t block; /* elements of the blocks that are scanned, with a sequential carry between
                       them; 0: lines are scanned */
    uint32_t most;  /* longer lines are not supported; 0: all are */
} line_fake;

/* state: a line_fake. */
tool_status line_fake_run(void *state, const line_block *block, const void *input, void *output,
                          tool_error *error);

#endif
