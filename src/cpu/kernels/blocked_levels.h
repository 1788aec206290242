/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_BLOCKED_LEVELS_H
#define CUMSUM_CPU_BLOCKED_LEVELS_H

/*
 * The levels of the blocked order above its tiles, for one line; float_columns.h has those of
 * LANES32 lines. They are plain floats, because they are part of the carry that moves from thread
 * to thread and so must not depend on the instruction set (cumsum_level in segment.h, all zero at
 * the start of a line).
 */

#include "elements.h"

#define VALUE float
#define ZERO  0
#define ADD   add_scalars
#define LEVEL cumsum_level
#define STEP  step_line_level
#define PUSH  push_line_total
#include "blocked_levels.inl.h"

#endif
