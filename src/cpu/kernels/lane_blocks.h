/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_CPU_LANE_BLOCKS_H
#define CUMSUM_CPU_LANE_BLOCKS_H

/*
 * The templates of scans in blocks for both lane widths, as lane_kernels.h has the others.
 */

#include "elements.h"
#include "panel_walk.h"

#define WIDTH 32
#include "blocks.inl.h"

#include "block_scan.inl.h"

#include "half_chunk.inl.h"

#include "panel_scan.inl.h"
#undef WIDTH

#define WIDTH 64
#include "blocks.inl.h"

#include "block_scan.inl.h"

#include "panel_scan.inl.h"
#undef WIDTH

#endif
