/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_BLOCKED_LEVELS_H
#define CUMSUM_CPU_BLOCKED_LEVELS_H

/*
 * The levels of the blocked order above its tiles, for one line and for LANES32 lines. The code of
 * both is blocked_levels.inl.h. The levels of one line are plain floats, because they are part of
 * the carry that moves from thread to thread and so must not depend on the instruction set
 * (cumsum_level in segment.h, all zero at the start of a line).
 */

#include "elements.h"

/* A level of LANES32 lines, a lane each. */
typedef struct lanes_level {
    v32 halves[4];    /* the last element of the lower half in stages 1, 2, 4, 8 of the network */
    v32 carry;        /* c[b]: the sum of the finished blocks of the current tile */
    v32 tiles_before; /* C[t], from the level above */
} lanes_level;

/* Halves are set before they are read. */
static inline void clear_lanes_level(lanes_level *level) {
    level->carry = level->tiles_before = zero32();
}

#define VALUE v32
#define ZERO  zero32()
#define ADD   add_elements32
#define LEVEL lanes_level
#define STEP  step_lanes_level
#define PUSH  push_lanes_total
#include "blocked_levels.inl.h"

#define VALUE float
#define ZERO  0
#define ADD   add_scalars
#define LEVEL cumsum_level
#define STEP  step_line_level
#define PUSH  push_line_total
#include "blocked_levels.inl.h"

#endif
