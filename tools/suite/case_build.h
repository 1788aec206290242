/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_BUILD_H
#define CUMSUM_TOOLS_CASE_BUILD_H

/* Builds a case of the suite: descriptor, data, guard bands, and the expected output. */

#include "case_name.h"

/* A case in memory: an operator, its buffers, and the expected output. It must stay at its address,
 * since the descriptor points into it. */
typedef struct suite_case {
    case_spec spec;
    case_operator descriptor;
    uint64_t input_size;  /* bytes of the whole buffer; the tensor starts at spec.input.offset */
    uint64_t output_size; /* in place: the same buffer */
    unsigned char *input;
    unsigned char *output;   /* before the sum; in place: input itself */
    unsigned char *expected; /* output_size bytes: the output buffer after the sum, with the bytes
                                between its elements */
    const unsigned char *values; /* of case_init_values, as long as the caller has them; NULL: the
                                    name tells them */
    bool unsummed;               /* a type that the reference does not sum: `expected` is the
                                    output before the sum */
} suite_case;

/*
 * Builds the case of a name: the input, the output buffer before the sum, and after it, by the
 * scalar reference. case_free frees it. TOOL_MALFORMED for an invalid name; TOOL_ENVIRONMENT where
 * memory is out, or this build cannot draw data.
 */
tool_status case_init(suite_case *c, const char *name, tool_error *error);

/* The same without `expected`, which is NULL. */
tool_status case_init_unsummed(suite_case *c, const char *name, tool_error *error);

/* Adds `expected` to such a case, which must not have been executed in place. TOOL_ENVIRONMENT
 * where memory is out; case_free must be called then, too. */
tool_status case_expect(suite_case *c, tool_error *error);

/*
 * Builds a case with given data: `values` are the input's elements in row-major order, of which the
 * last one at an address counts. The spec's distribution and seed may be NULL and 0. TOOL_MALFORMED
 * where DirectML would reject the descriptor, but for its type.
 */
tool_status case_init_values(suite_case *c, const case_spec *spec, const unsigned char *values,
                             tool_error *error);

void case_free(suite_case *c);

/* The input data of a case, element by element, from its distribution and seed (case_data.c). */

/* The first `count` elements of a distribution that depends on random bits alone, to be freed. */
unsigned char *data_elements(const case_spec *c, uint64_t count);

/* Random bits repeat after this number of elements: a prime, so that an offset that is wrong by a
 * power of two finds another element. */
#define DATA_PERIOD UINT64_C(1048573)

/* Writes every element of the case's input. `first` is the element with all indices 0. Of several
 * elements at one address the last in row-major order stays. TOOL_ENVIRONMENT without memory.
 * draw_missing() must be NULL. */
tool_status case_fill(const case_spec *c, unsigned char *first, tool_error *error);

/* The bits between the elements: of an input a quiet NaN, or 0x5A in every byte; of an output
 * -1234, or 0xC3 in every byte. */
uint64_t case_input_gap(cumsum_data_type type);
uint64_t case_output_gap(cumsum_data_type type);

/* Writes `bits` to each of count elements. */
void case_fill_gap(cumsum_data_type type, uint64_t bits, unsigned char *bytes, uint64_t count);

#endif
