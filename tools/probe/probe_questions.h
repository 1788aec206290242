/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PROBE_QUESTIONS_H
#define CUMSUM_TOOLS_PROBE_QUESTIONS_H

#include "probe.h"

/* probe_half.c */
probe_function probe_half_accumulator, probe_half_rounding, probe_half_overflow,
    probe_half_subnormals;

/* probe_float.c: FLOAT32, but signed zero, NaN and infinity FLOAT16 as well */
probe_function probe_subnormal_inputs, probe_subnormal_sums, probe_signed_zero, probe_nan,
    probe_infinity, probe_overflow;

/* probe_integer.c */
probe_function probe_wrap;

/* probe_line.c: long lines of FLOAT32 */
probe_function probe_order, probe_causality, probe_stability, probe_length, probe_layouts,
    probe_neighbours;

#endif
