/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LINE_LEVELS_H
#define CUMSUM_CPU_LINE_LEVELS_H

/*
 * The levels of the blocked order above the tiles of one line. They are plain floats, because they
 * are part of the carry that moves from thread to thread and from piece to piece, and so must not
 * depend on the instruction set (cumsum_level in segment.h, all zero at the start of a line).
 * float_columns.h has those of LANES32 lines.
 */

#include "scalars.h"

#define VALUE float
#define ZERO  0
#define ADD   add_scalars
#define LEVEL cumsum_level
#define ENTER enter_line_level
#define STEP  step_line_level
#define PUSH  push_line_total
#include "blocked_levels.inl.h"

#endif
