/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LINES_H
#define CUMSUM_TOOLS_LINES_H

/* Lines: what scans them, their elements, and test data with the outputs that come for them. */

#include <cumsum/cumsum.h>
#include <stddef.h>

#include "error.h"

/* ---- anything that scans lines: a backend, a function of a test ---- */

/* How the lines are stored in the tensors. The last three need strides. */
typedef enum line_layout {
    LINES_PACKED,     /* one after the other */
    LINES_ACROSS,     /* along the first axis: elements of a line are far apart */
    LINES_MIDDLE,     /* along the second of three dimensions */
    LINES_FOLDED,     /* along the fifth of eight dimensions */
    LINES_WITH_GAPS,  /* every second element, and gaps between the lines */
    LINES_PADDED,     /* gaps between the lines, other ones in the output */
    LINES_TRANSPOSED, /* the input packed, the output along the first axis */
    LINES_LAYOUT_COUNT
} line_layout;

typedef struct line_block {
    cumsum_data_type type;
    uint32_t lines;
    uint32_t length;
    line_layout layout;
    bool decreasing;
    bool exclusive;
    bool total; /* no scans: the last output of a line is its total, and the others are +0 */
} line_block;

typedef struct line_runner {
    /* input, output: lines * length elements in traversal order, line after line, whatever the
     * layout of the tensors. TOOL_SKIPPED with the reason if the block is not supported. */
    tool_status (*run)(void *state, const line_block *block, const void *input, void *output,
                       tool_error *error);
    void *state;
    /* What happened to the data of the runs since the last call, as bits that only the runner
     * knows; NULL: nothing ever does. */
    uint32_t (*adapted)(void *state);
} line_runner;

/* ---- elements ---- */

/* The element types whose sums depend on the order of additions. Every element of them is a double.
 */

typedef struct line_format {
    cumsum_data_type type;
    int digits;    /* of a significand */
    int least;     /* 2^least is the smallest normal number */
    int greatest;  /* 2^greatest is the largest power of 2 */
    double unit;   /* of order_discover.c: lines hold units, M and -M */
    double mask;   /* M: it absorbs any number of units, in wider accumulators than the type too */
    uint32_t most; /* units that every sum of them counts exactly */
} line_format;

/* NULL for other types. */
const line_format *line_format_of(cumsum_data_type type);

/* The element number `at`. line_store rounds to nearest even. */
double line_load(cumsum_data_type type, const void *elements, size_t at);
void line_store(cumsum_data_type type, void *elements, size_t at, double value);

/* The value that line_store stores. */
double line_rounded(cumsum_data_type type, double value);

/* ---- test data ---- */

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
