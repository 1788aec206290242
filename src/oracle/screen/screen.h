/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_ORACLE_SCREEN_H
#define CUMSUM_ORACLE_SCREEN_H

/*
 * What the screen offers to the loops over single elements: docs/oracle.md, "Fast path". Each
 * function does what the loop would do, for many outputs or terms at once, or says that it cannot.
 */

#include "judge_output.h"
#include "screen_kernels.h"

/* FLOAT32 and FLOAT16: how many elements the loop judges from a position on before the rest of the
 * line is screened again. Fewer at the start of a line, where bounds change from one output to the
 * next, and of a piece. */
static inline uint64_t screen_piece(uint64_t position) {
    return position == 0                 ? REACH_ALWAYS + 1
           : position < SCREEN_CHUNK / 3 ? 3 * position
                                         : SCREEN_CHUNK;
}

/* The terms of the next tile of a piece that ends at `end`; as above, fewer at the start. */
static inline uint64_t screen_tile_length(const judge_state *s, uint64_t position, uint64_t end) {
    const uint64_t behind = 3 * (s->offset + position);
    const uint64_t most = behind < SCREEN_TILE ? behind : SCREEN_TILE;
    return end - position < most ? end - position : most;
}

/* Fewer terms are left to the loop. */
#define SCREEN_FEWEST 6

/* The models that matter: those of all outputs so far, and the first one that is allowed. */
static inline uint32_t screen_models(const judge_state *s) {
    return s->judgement->models | MODEL(s->prefill_verdict);
}

/* More than ceil(log2 m) of any line. */
#define MOST_LOG2 64

/*
 * FLOAT32 and FLOAT16: adds the terms of the current line from a position on, and judges the
 * outputs that they complete, as long as that is certain to do no more than to count them as most
 * are. Returns the first position that is left for the loop, which may be the same one.
 *
 * l     the terms before it
 * end   of the terms
 */
uint64_t cumsum_screen_line(judge_state *s, line_sum *l, uint64_t position, uint64_t end);

/*
 * FLOAT32 and FLOAT64: counts an output that surely fails, if its finding is neither the first nor
 * the worst, or is the worst and can be worked out later. If that is not certain, returns false and
 * changes nothing.
 *
 * l          the terms of the output, more than those of which every order is tried
 * distance   |y - S| as the sums have it, which may be wrong by `doubt`
 */
bool cumsum_screen_fail(judge_state *s, const line_sum *l, uint64_t position, uint64_t y,
                        double distance, double doubt);

/* Appends SCREEN_TILE terms of FLOAT32 or FLOAT16, `step` bytes apart, to a prefix that is not
 * short. If they cannot be added at once, returns false and changes nothing. */
bool cumsum_screen_prefix_add(exact_prefix *p, const unsigned char *terms, int64_t step);

/* Where short lines lie, and how many of them are judged by the loop before the next are tried. */
typedef struct line_spacing {
    uint64_t together; /* lines that are evenly spaced, from a multiple of this on; 0: none may be
                          accepted at once */
    uint64_t input;    /* elements from one to the next */
    uint64_t output;
    uint64_t wait;
    uint64_t next_wait;
} line_spacing;

line_spacing cumsum_screen_line_spacing(const judge_state *s);

/*
 * Judges lines of FLOAT16, or short ones of FLOAT32, from this one on, if that is certain to do no
 * more than to count their outputs, and those of short prefixes. Returns how many were judged; the
 * loop judges the next one.
 */
uint64_t cumsum_screen_lines_accept(judge_state *s, line_spacing *spacing, uint64_t line,
                                    uint64_t end);

#endif
