/* SPDX-License-Identifier: MIT */
/* The sequential order: S(0) = +0, S(k+1) = fl(S(k) + x[k]). */
#include "reference_float.h"

void cumsum_reference_sequential_line(const reference_line *line,
                                      const cumsum_arithmetic *arithmetic) {
    float tally = 0.0f;
    for (uint64_t k = 0; k < line->length; k++) {
        const float element =
            reference_load(line->input + (int64_t)k * line->input_step, arithmetic);
        const float before = tally;
        tally = reference_add(tally, element, arithmetic);
        reference_store(line->output + (int64_t)k * line->output_step,
                        arithmetic->exclusive ? before : tally, arithmetic);
    }
}
