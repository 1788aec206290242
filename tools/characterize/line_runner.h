/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LINE_RUNNER_H
#define CUMSUM_TOOLS_LINE_RUNNER_H

/* Anything that scans lines: a backend, a function of a test. */

#include <cumsum/cumsum.h>

#include "error.h"

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

#endif
