/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TEST_EXPLAINED_H
#define CUMSUM_TEST_EXPLAINED_H

/* An output that is judged and explained in one call, for the tests of src/explain. */

#include "check.h"
#include "layout.h"
#include "scan_case.h"

#include <cumsum/explain.h>
#include <string.h>

typedef struct explained {
    cumsum_judgement judgement;
    cumsum_explanation said;
    char words[2000]; /* "FAIL: ..." */
} explained;

/* Packed tensors of two dimensions. desc: the axis, its direction, the kind of sum. */
static inline explained explain_packed(cumsum_operator_desc desc, cumsum_data_type type,
                                       uint32_t lines, uint32_t length, const void *x,
                                       const void *y, cumsum_judge_options options) {
    const uint32_t sizes[2] = {lines, length};
    scan_case c;
    scan_case_init(&c, type, 2, sizes, desc.axis);
    const uint64_t bytes = c.buffer[0].total_tensor_size_in_bytes;
    explained e;
    const cumsum_judged judged = {.desc = &desc,
                                  .input = x,
                                  .input_in_bytes = bytes,
                                  .actual = y,
                                  .actual_in_bytes = bytes,
                                  .options = &options,
                                  .judgement = &e.judgement};
    desc.input_tensor = desc.output_tensor = &c.tensor[0];
    assert_int_equal(cumsum_judge(&desc, x, bytes, y, bytes, &options, NULL, &e.judgement, NULL),
                     CUMSUM_OK);
    assert_int_equal(cumsum_explain(&judged, &e.said, NULL), CUMSUM_OK);
    assert_true(cumsum_judgement_text(&judged, &e.said, CUMSUM_TEXT_STATUS, e.words,
                                      sizeof e.words) < sizeof e.words);
    return e;
}

#endif
