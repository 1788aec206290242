/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SCAN_GROUPS_H
#define CUMSUM_TESTS_SCAN_GROUPS_H

/* Cases that are large for a processor's kernels and the least that a GPU's shaders are made for.
 */

#include "case_group.h"

extern const case_group group_tiles;
extern const case_group group_levels;
extern const case_group group_grids;
extern const case_group group_wide;

#endif
