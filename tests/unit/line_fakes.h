/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_LINE_FAKES_H
#define CUMSUM_TESTS_LINE_FAKES_H

/* Scans of lines for the tests of fingerprints, and a line_runner that calls them. Each is a
 * textbook_scan: it computes in binary32, whatever the type of the line. */

#include "lines.h"
#include "textbook_scans.h"

textbook_scan fake_right_to_left;
textbook_scan fake_binary16;      /* every sum rounded to binary16 */
textbook_scan fake_pairwise;      /* each output on its own, by halves: an order without a name */
textbook_scan fake_three_at_once; /* sums of three rounded once: no tree of additions of two */
textbook_scan fake_compensated;   /* Kahan */
textbook_scan fake_truncating;    /* sums rounded toward zero */

textbook_scan fake_late;             /* exclusive sums in place of inclusive ones */
textbook_scan fake_no_subnormals;    /* binary16 elements below 2^-14 are lost */
textbook_scan fake_one_reassociated; /* sequential, but for one output */

textbook_scan fake_bfloat16;         /* every sum rounded to bfloat16 */
textbook_scan fake_zero_behind_128;  /* the outputs behind the first 128 are 0 */
textbook_scan fake_changing_blocks;  /* blocks of 40, and of 56 behind element 2000 */
textbook_scan fake_eighths;          /* blocks of an eighth of the line */
textbook_scan fake_first_minus_zero; /* +0 is added to all sums but the first */

/* Of FLOAT64: the sequential order, and blocks of 24. */
typedef void binary64_scan(double *v, uint32_t n);
binary64_scan fake_wide_sequential;
binary64_scan fake_wide_blocks;

#define REASSOCIATED_OUTPUT 37 /* a + (b + c) in place of (a + b) + c */

typedef struct line_fake {
    textbook_scan *scan;
    textbook_scan *other; /* in place of scan for lines for which `when` is true; or NULL */
    bool (*when)(const line_block *block, uint32_t line, uint32_t run);
    uint32_t runs;
    binary64_scan *wide; /* of FLOAT64, in place of all else */
    bool truncates;      /* BFLOAT16: the store, instead of rounding to nearest */
    uint32_t block;      /* elements of the blocks that are scanned, with a sequential carry between
                            them; 0: lines are scanned */
    uint32_t most;       /* longer lines are not supported; 0: all are */
} line_fake;

/* state: a line_fake. */
tool_status line_fake_run(void *state, const line_block *block, const void *input, void *output,
                          tool_error *error);

#endif
