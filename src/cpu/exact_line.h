/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_EXACT_LINE_H
#define CUMSUM_CPU_EXACT_LINE_H

/* The exact order, faster than the reference and in parts; shares no code with it. */

#include "kernel_table.h"

extern cumsum_panel_function *const cumsum_exact_panel;
extern const cumsum_segment_functions *const cumsum_exact_line;

#endif
