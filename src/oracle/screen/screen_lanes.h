/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_SCREEN_LANES_H
#define CUMSUM_ORACLE_SCREEN_LANES_H

/*
 * Lines of FLOAT16 and short ones of FLOAT32, one in each lane of a vector: docs/oracle.md, "Fast
 * path". screen_lanes.c is compiled once for each instruction set; screen_lines.c prepares its
 * calls. The results differ only in how many lines are needed for a vector.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most terms of a line of FLOAT32, and of FLOAT16. */
#define LANE_TERMS UINT64_C(1024)
#define HALF_TERMS (UINT64_C(1) << 28)

typedef struct screen_lanes {
    const unsigned char *terms; /* the first term of the first line, and the output that it
                                   completes */
    const unsigned char *outputs;
    int64_t term_step; /* bytes from one to the next of a line */
    int64_t output_step;
    int64_t term_pitch; /* bytes from one line to the next */
    int64_t output_pitch;
    size_t count; /* the terms of a line, or one fewer if the scan is exclusive */
    size_t lines;
    bool halves;      /* FLOAT16: outputs are sequential sums in binary32, stored to nearest */
    bool exclusive;   /* the output before `outputs` is the sum of no terms */
    bool minus_zeros; /* are outputs of -0 refused? */
    bool rounded;     /* must each output be the sum, rounded once? */
    /* The error of an output of m terms, in units of u A, may be at most
     * limit + log_limit * ceil(log2 m), and at most models_limit. */
    double models_limit;
    double limit;
    double log_limit;
    /* The largest error of the lines before; raised by accepted lines. Then this is the first
     * output that has it. */
    double h;
    size_t worst_line;
    uint64_t worst_position;
} screen_lanes;

/* How many lines are accepted, from the first one to the first that is not? */
size_t cumsum_screen_lanes_baseline(screen_lanes *f);
size_t cumsum_screen_lanes_avx2(screen_lanes *f);
size_t cumsum_screen_lanes_avx512(screen_lanes *f);

#endif
