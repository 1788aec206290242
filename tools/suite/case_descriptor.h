/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_DESCRIPTOR_H
#define CUMSUM_TOOLS_CASE_DESCRIPTOR_H

#include "case_name.h"

/* A case as the library takes it. Must stay where it is, and its case_spec too: they point to one
 * another. */
typedef struct case_descriptor {
    cumsum_buffer_tensor_desc input_buffer;
    cumsum_buffer_tensor_desc output_buffer;
    cumsum_tensor_desc input_tensor;
    cumsum_tensor_desc output_tensor;
    cumsum_operator_desc desc;
} case_descriptor;

/* Fills in the descriptor and validates it. diagnostic says why where the answer is not CUMSUM_OK.
 */
cumsum_status case_describe(const case_spec *c, case_descriptor *out,
                            cumsum_diagnostic *diagnostic);

#endif
