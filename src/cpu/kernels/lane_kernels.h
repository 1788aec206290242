/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LANE_KERNELS_H
#define CUMSUM_CPU_LANE_KERNELS_H

/*
 * The templates for both lane widths, 32 and 64 bits, in the order in which they use each other.
 * Each states its parameter, WIDTH, which is defined here and nowhere else; FN(name) of a template
 * is name32 or name64 for everyone who includes this file.
 */

#include "elements.h"

#define WIDTH 32
#include "column_scan.inl.h"

#include "line_scan.inl.h"

#include "integer_scan.inl.h"
#undef WIDTH

#define WIDTH 64
#include "column_scan.inl.h"

#include "line_scan.inl.h"

#include "integer_scan.inl.h"
#undef WIDTH

#endif
