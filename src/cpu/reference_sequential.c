/* SPDX-License-Identifier: MIT */
/*
 * The sequential order of the reference: S(0) = +0, S(k+1) = fl(S(k) + x[k]). Output k is S(k+1),
 * or S(k) for an exclusive scan.
 */
#include "reference_float.h"

REFERENCE_INLINE void compute_lines(const cumsum_panel *panel, uint64_t lines,
                                    cumsum_arithmetic rules) {
    const cumsum_panel here = *panel; /* a copy, which no output can alias */
    float tally[REFERENCE_LINES] = {0.0f};
    for (uint64_t k = 0; k < here.length; k++)
        for (uint64_t i = 0; i < lines; i++) {
            const float element = reference_load(reference_input(&here, i, k), rules);
            const float before = tally[i];
            tally[i] = reference_add(before, element, rules);
            reference_store(reference_output(&here, i, k), rules.exclusive ? before : tally[i],
                            rules);
        }
}

void cumsum_reference_sequential_lines(const cumsum_panel *panel,
                                       const cumsum_arithmetic *arithmetic) {
    if (panel->lines == 1) /* a constant, which lets the tally stay in a register */
        compute_lines(panel, 1, *arithmetic);
    else
        compute_lines(panel, panel->lines, *arithmetic);
}
