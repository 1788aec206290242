/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_OUTPUT_TYPES_H
#define CUMSUM_TOOLS_OUTPUT_TYPES_H

/* The types of sums: what libraries give for a type of input, and sums that a type does not hold.
 */

#include <cumsum/cumsum.h>
#include <stdbool.h>

#include "word_table.h"

/* The libraries of --types. */
typedef enum type_rule {
    RULE_NUMPY,
    RULE_ARRAY_API,
    RULE_TORCH,
    RULE_ONNX
} type_rule;

extern const word_row type_rule_words[];

/* The type that a library's sums have along an axis where nobody names one. boolean: the input is
 * NumPy's bool. */
cumsum_data_type type_of_sums(type_rule rule, cumsum_data_type input, bool boolean);

/* The outputs whose sums leave the range of the descriptor's type, which is an integer type; 0 of
 * others. input: the element with all indices 0. */
uint64_t sums_out_of_range(const cumsum_operator_desc *desc, const unsigned char *input);

#endif
