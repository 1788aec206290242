/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_LINE_MODELS_H
#define CUMSUM_TESTS_LINE_MODELS_H

/* Implementations of line sums to be found out, each written as its textbook has it, on numbers. */

#include "line_runner.h"

/* Replaces v[0..n) by its inclusive scan. */
typedef void line_scan(float *v, uint32_t n);

line_scan model_sequential;
line_scan model_hillis_steele;
line_scan model_kogge_stone;
line_scan model_sklansky;
line_scan model_blelloch;
line_scan model_brent_kung;
line_scan model_right_to_left;
line_scan model_binary64;
line_scan model_binary16; /* every sum rounded to binary16 */
line_scan model_blocks_of_8;
line_scan model_blocks_of_24;  /* no power of 2 */
line_scan model_pairwise;      /* each output by itself, halves: it has no name */
line_scan model_three_at_once; /* fused additions of three: no tree of additions of two */
line_scan model_compensated;   /* Kahan */
line_scan model_truncating;    /* sums rounded toward zero */

line_scan model_late;          /* the sums before each element, where those after it are asked */
line_scan model_no_subnormals; /* binary16 elements below 2^-14 are lost */
line_scan model_one_turned;    /* sequential, but for one output */

#define TURNED_OUTPUT 37 /* a + (b + c) in place of (a + b) + c */

typedef struct line_model {
    line_scan *scan;
    line_scan *other; /* what is used instead, where the next says so; or NULL */
    bool (*when)(const line_block *block, uint32_t line, uint32_t run);
    uint32_t runs;
} line_model;

/* state: a line_model. */
tool_status line_model_run(void *state, const line_block *block, const void *input, void *output,
                           tool_error *error);

#endif
