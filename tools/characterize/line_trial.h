/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LINE_TRIAL_H
#define CUMSUM_TOOLS_LINE_TRIAL_H

/* Lines of test data with the outputs that a line_runner gives for them. */

#include "line_runner.h"

/* The kinds of lines, in turn. The last one holds -0 only. */
#define LINE_KINDS       8
#define LINE_MINUS_ZEROS 7

typedef struct line_trial {
    line_block block;
    uint32_t distinct; /* line i has the elements of line i % distinct */
    unsigned char *input;
    unsigned char *output;
} line_trial;

/* Makes the elements, which tell orders and roundings apart. An element depends only on the seed,
 * its type, its place in the line and the line's number: a longer line begins like a shorter one.
 * line_trial_free frees the trial. */
void line_trial_init(line_trial *t, const line_block *block, uint32_t distinct, uint64_t seed);
void line_trial_free(line_trial *t);

/* Makes lines of zeros, for any type. line_trial_free frees them. */
void line_trial_init_zeros(line_trial *t, const line_block *block);

/* One of the lines as a trial, which is a part of `t`: it is not ended. */
line_trial line_trial_line(const line_trial *t, uint32_t line);

/* Runs the lines, and replaces the outputs by what comes. */
tool_status line_trial_run(const line_runner *runner, line_trial *t, tool_error *error);

/* The bits of an output. */
uint64_t line_trial_output(const line_trial *t, uint32_t line, uint32_t at);

typedef enum difference_kind {
    LINES_EQUAL,
    ZEROS_DIFFER, /* but for the signs of zeros the bits are the same */
    BITS_DIFFER
} difference_kind;

/* An output that differs from what was expected, by more than the sign of a zero if there is such a
 * one. Of several it is the first in a line. */
typedef struct line_difference {
    difference_kind kind;
    uint32_t line;
    uint32_t at;
    uint64_t actual;
    uint64_t expected;
} line_difference;

/* Compares the outputs of each line of `t` with those of the line of `from` that has the same
 * number and the same elements, as far as both reach. Exclusive sums have their outputs one place
 * later.
 */
line_difference line_trial_compare(const line_trial *t, const line_trial *from);

/* Compares lines of `t` with each other. */
line_difference line_trial_compare_lines(const line_trial *t);

/* "line 3, output 17 is 1.5 and not 2" */
#define LINE_DIFFERENCE_TEXT 160
void line_difference_text(char text[LINE_DIFFERENCE_TEXT], cumsum_data_type type,
                          const line_difference *d);

#endif
