/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_SCAN_GROUPS_H
#define CUMSUM_TESTS_SCAN_GROUPS_H

/* Groups of cases for check_scans, beside those of the kernel checker. */

#include "case_group.h"

extern const case_group group_tiles;
extern const case_group group_levels;
extern const case_group group_grids;
extern const case_group group_columns;
extern const case_group group_wide;
extern const case_group group_line_segments;
extern const case_group group_subnormals;
extern const case_group group_planned;

#endif
