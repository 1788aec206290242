/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_VALIDATE_H
#define CUMSUM_TENSOR_VALIDATE_H

/* The rules of docs/validation.md. Each check returns CUMSUM_OK, or fills in diagnostic. */

#include "diagnose.h"

#include <stddef.h>

/* Everything that can be said of one tensor alone. name is CUMSUM_INPUT_NAME or CUMSUM_OUTPUT_NAME;
 * the level is a known one. On success *buffer is the buffer tensor in it. */
cumsum_status cumsum_validate_tensor(const char *name, const cumsum_tensor_desc *tensor,
                                     cumsum_feature_level level,
                                     const cumsum_buffer_tensor_desc **buffer,
                                     cumsum_diagnostic *diagnostic);

/* The strides of an output that passed cumsum_validate_tensor. */
cumsum_status cumsum_validate_output_strides(const cumsum_buffer_tensor_desc *output,
                                             cumsum_diagnostic *diagnostic);

/* The whole descriptor. On success *input and *output are its two buffer tensors. */
cumsum_status cumsum_validate_operator(const cumsum_operator_desc *desc, cumsum_feature_level level,
                                       const cumsum_buffer_tensor_desc **input,
                                       const cumsum_buffer_tensor_desc **output,
                                       cumsum_diagnostic *diagnostic);

#endif
