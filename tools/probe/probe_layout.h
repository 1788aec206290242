/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROBE_LAYOUT_H
#define CUMSUM_TOOLS_PROBE_LAYOUT_H

/* The same line of FLOAT32 in different layouts, among lines of its own kind. */

#include "probe_run.h"

/* Elements of a line: three tiles of the blocked order, the last of them not full. */
#define LINE      2600
#define QUIET_NAN 0x7FC00000u

/* A line of ordinary numbers as bits, and room for its sums. */
typedef struct probe_lines {
    uint32_t line[LINE];
    uint32_t sums[LINE];
    uint32_t others[LINE];
} probe_lines;

probe_lines *probe_lines_new(void); /* to be freed */

/* LINE along the axis; the other sizes multiply up to the number of lines. */
typedef struct probe_layout {
    const char *name;
    uint32_t rank;
    uint32_t axis;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    uint32_t input_strides[CUMSUM_MAX_DIMENSIONS]; /* all 0: packed */
    uint32_t output_strides[CUMSUM_MAX_DIMENSIONS];
    bool decreasing;
    bool nan_around; /* the other lines are NaN; otherwise they are the same line */
} probe_layout;

extern const probe_layout probe_layout_list[];
extern const size_t probe_layout_count;

/* Lays the line into the middle of the tensor, sums, and takes its sums out again. */
bool probe_layout_sum(prober *p, const probe_question *q, const probe_layout *layout,
                      const uint32_t line[LINE], uint32_t sums[LINE], probe_result *r);

#endif
