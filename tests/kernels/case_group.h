/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_GROUP_H
#define CUMSUM_TESTS_CASE_GROUP_H

/* Cases by what they are after. A case is made from its group, a seed and its number alone. */

#include "kernel_case.h"

typedef struct case_group {
    const char *name;
    const char *what;
    uint64_t count;
    void (*make)(kernel_case *c, uint64_t index, uint64_t *random);
} case_group;

extern const case_group group_numerics;
extern const case_group group_modes;
extern const case_group group_exactness;
extern const case_group group_lengths;
extern const case_group group_lines;
extern const case_group group_joined;
extern const case_group group_alignments;
extern const case_group group_permutations;
extern const case_group group_layouts;
extern const case_group group_colliding;
extern const case_group group_in_place;
extern const case_group group_access_patterns;
extern const case_group group_threads;
extern const case_group group_segments;
extern const case_group group_long_columns;

/* All of them; NULL at the end. */
extern const case_group *const case_groups[];

#endif
