/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_VALIDATE_H
#define CUMSUM_TENSOR_VALIDATE_H

/*
 * What callers may pass: the rules for descriptors (docs/validation.md) and the ranges of
 * cumsum_numerics. Each check returns CUMSUM_OK, or fills in the diagnostic, which may be NULL, and
 * returns its status. Rules are checked in the order of docs/validation.md, so that the first one
 * that is broken is the one reported.
 *
 * Invariant: nothing is read through a pointer before it was checked.
 */

#include "diagnose.h"

#include <stddef.h>

/* Not a level of DirectML's, and none that a caller can ask for: the rules of the highest one, and
 * the types that cumsum_judge takes. */
#define CUMSUM_LEVEL_JUDGED ((cumsum_feature_level)0x10000)

/* The same for what plans compute: FLOAT64, too. */
#define CUMSUM_LEVEL_COMPUTED ((cumsum_feature_level)0x20000)

/* The rules that concern one tensor. `name` is CUMSUM_INPUT_NAME or CUMSUM_OUTPUT_NAME; `level` is
 * one of the three levels or of the two above, not DEFAULT. On success *buffer is the buffer
 * tensor in it. */
cumsum_status cumsum_validate_tensor(const char *name, const cumsum_tensor_desc *tensor,
                                     cumsum_feature_level level,
                                     const cumsum_buffer_tensor_desc **buffer,
                                     cumsum_diagnostic *diagnostic);

/* The rule for the strides of an output, which has passed cumsum_validate_tensor. */
cumsum_status cumsum_validate_output_strides(const cumsum_buffer_tensor_desc *output,
                                             cumsum_diagnostic *diagnostic);

/* The whole descriptor. On success *input and *output are its two buffer tensors. */
cumsum_status cumsum_validate_operator(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic);

/* The same for a descriptor that cumsum_plan_create takes: at the default level also FLOAT64. */
cumsum_status cumsum_validate_computed(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic);

/* The same for a descriptor that cumsum_judge takes. */
cumsum_status cumsum_validate_judged(const cumsum_operator_desc *desc,
                                     const cumsum_buffer_tensor_desc **input,
                                     const cumsum_buffer_tensor_desc **output,
                                     cumsum_diagnostic *diagnostic);

/* What a caller does with cumsum_numerics. */
typedef enum cumsum_numerics_use {
    CUMSUM_NUMERICS_COMPUTED, /* it computes with them */
    CUMSUM_NUMERICS_JUDGED    /* it judges what was promised with them */
} cumsum_numerics_use;

/* The ranges of the members. CUMSUM_OK or CUMSUM_INVALID_ARGUMENT. */
cumsum_status cumsum_validate_numerics(const cumsum_numerics *numerics, cumsum_numerics_use use,
                                       cumsum_diagnostic *diagnostic);

#endif
