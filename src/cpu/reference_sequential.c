/* SPDX-License-Identifier: MIT */
/* The sequential order: S(0) = +0, S(k+1) = fl(S(k) + x[k]). */
#include "reference_float.h"

void cumsum_reference_sequential_line(const reference_line *line,
                                      const cumsum_arithmetic *arithmetic) {
    /* Copies, which no output can overlap: else both are read again behind every store. */
    const reference_line here = *line;
    const cumsum_arithmetic rules = *arithmetic;
    float tally = 0.0f;
    for (uint64_t k = 0; k < here.length; k++) {
        const float element = reference_load(here.input + (int64_t)k * here.input_step, &rules);
        const float before = tally;
        tally = reference_add(tally, element, &rules);
        reference_store(here.output + (int64_t)k * here.output_step,
                        rules.exclusive ? before : tally, &rules);
    }
}
