/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_BUILD_H
#define CUMSUM_TOOLS_CASE_BUILD_H

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

/* A case in memory, from its name: what to execute, on what, and what must come out. */

/* Must stay where it is: the descriptor points into it. */
typedef struct suite_case {
    case_spec spec;
    case_descriptor descriptor;
    uint64_t input_size; /* bytes of the whole buffer: the tensor starts spec.input.offset behind */
    uint64_t output_size; /* in place: the same buffer */
    unsigned char *input;
    unsigned char *output;   /* as it is before the sum; in place: input itself */
    unsigned char *expected; /* output_size bytes: the output buffer as it must be afterwards, the
                                bytes between elements included */
} suite_case;

/*
 * Builds the case of this name: input data, the output buffer before the sum, and, by the scalar
 * reference, after it. The caller gives it back with case_end.
 * TOOL_MALFORMED for a name that is none; TOOL_ENVIRONMENT where the memory cannot be had, or where
 * this build draws no data.
 */
tool_status case_begin(suite_case *c, const char *name, tool_error *error);

/* The same without `expected`, which is NULL: for whoever has another truth. */
tool_status case_begin_unsummed(suite_case *c, const char *name, tool_error *error);

/* Adds `expected` to such a case, before it is executed. TOOL_ENVIRONMENT where the memory cannot
 * be had; the case is to be ended then, too. */
tool_status case_expect(suite_case *c, tool_error *error);

/*
 * Builds a case with other data than a name has: `values` are the input's elements in row-major
 * order; where some share an address, the last one stays. The spec's distribution and seed may be
 * NULL and 0. TOOL_MALFORMED where DirectML would reject the descriptor.
 */
tool_status case_begin_values(suite_case *c, const case_spec *spec, const unsigned char *values,
                              tool_error *error);

void case_end(suite_case *c);

/* The element of a buffer with all indices 0. */
static inline unsigned char *case_first(unsigned char *buffer, const case_tensor *tensor) {
    return buffer + tensor->offset;
}

#endif
