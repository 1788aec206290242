/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_DIRECTML_H
#define CUMSUM_DIRECTML_H

/*
 * Converts DirectML's own structures to those of cumsum.h. Include Microsoft's DirectML.h first.
 * Everything here is inline, and may be called from any thread; nothing is allocated.
 *
 *     cumsum_directml_desc converted;
 *     cumsum_status status = cumsum_from_directml(&dml_desc, &converted, &diagnostic);
 *     if (status == CUMSUM_OK)
 *         status = cumsum_plan_create(&converted.op, NULL, &plan, &diagnostic);
 *
 * Microsoft's header is C++ only. A C program can declare structures with the same names and
 * members instead, and define DIRECTML_H and DML_TARGET_VERSION.
 */

#if !defined(DIRECTML_H)
#error "include DirectML.h before cumsum/directml.h"
#elif DML_TARGET_VERSION < 0x2100
#error "cumulative summation needs a DML_TARGET_VERSION of 0x2100 or more"
#endif

#include <cumsum/cumsum.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A converted descriptor: op, and the structures that op points to. It points into itself, so it
 * must not be copied or moved while op is in use. The arrays of sizes and strides are not copied:
 * they have to live as long as op is used. */
typedef struct cumsum_directml_desc {
    cumsum_operator_desc op;
    cumsum_tensor_desc tensors[2];
    cumsum_buffer_tensor_desc buffers[2];
} cumsum_directml_desc;

/* Internal. */
static inline void cumsum_directml_buffer(const struct DML_BUFFER_TENSOR_DESC *from,
                                          cumsum_buffer_tensor_desc *to) {
    to->data_type = (cumsum_data_type)from->DataType;
    to->flags = (cumsum_tensor_flags)from->Flags;
    to->dimension_count = from->DimensionCount;
    to->sizes = from->Sizes;
    to->strides = from->Strides;
    to->total_tensor_size_in_bytes = from->TotalTensorSizeInBytes;
    to->guaranteed_base_offset_alignment = from->GuaranteedBaseOffsetAlignment;
}

/* Internal. NULL stays NULL, and only the type of a tensor of another type is read: validation
 * reports what is wrong with either. */
static inline const cumsum_tensor_desc *cumsum_directml_tensor(const struct DML_TENSOR_DESC *from,
                                                               cumsum_tensor_desc *to,
                                                               cumsum_buffer_tensor_desc *buffer) {
    if (!from)
        return NULL;
    to->type = (cumsum_tensor_type)from->Type;
    to->desc = NULL;
    if (to->type == CUMSUM_TENSOR_TYPE_BUFFER && from->Desc) {
        cumsum_directml_buffer((const struct DML_BUFFER_TENSOR_DESC *)from->Desc, buffer);
        to->desc = buffer;
    }
    return to;
}

/* Internal. */
static inline cumsum_status cumsum_directml_fail(cumsum_diagnostic *diagnostic,
                                                 cumsum_status status, const char *field,
                                                 uint64_t value, uint64_t limit, const char *rule) {
    if (!diagnostic)
        return status;
    diagnostic->status = status;
    diagnostic->tensor = "";
    diagnostic->field = field;
    diagnostic->dimension = -1;
    diagnostic->value = value;
    diagnostic->limit = limit;
    diagnostic->rule = rule;
    snprintf(diagnostic->message, sizeof diagnostic->message, "%s", rule);
    return status;
}

/*
 * Converts a DML_OPERATOR_DESC, field by field. Does not validate: that is what cumsum_validate and
 * cumsum_plan_create do with the result.
 *
 * desc         its Type has to be DML_OPERATOR_CUMULATIVE_SUMMATION. Read during the call only,
 *              except for the arrays of sizes and strides
 * converted    the caller's; its member op is the result
 * Returns CUMSUM_OK; CUMSUM_INVALID_ARGUMENT for a null desc or converted;
 * CUMSUM_INVALID_DESCRIPTOR for another Type, or for a null Desc.
 */
static inline cumsum_status cumsum_from_directml(const struct DML_OPERATOR_DESC *desc,
                                                 cumsum_directml_desc *converted,
                                                 cumsum_diagnostic *diagnostic) {
    if (!desc || !converted)
        return cumsum_directml_fail(diagnostic, CUMSUM_INVALID_ARGUMENT,
                                    desc ? "converted" : "desc", 0, 0,
                                    "The descriptor and the place for the converted one must be "
                                    "given, but one of them is NULL.");
    if (desc->Type != DML_OPERATOR_CUMULATIVE_SUMMATION)
        return cumsum_directml_fail(
            diagnostic, CUMSUM_INVALID_DESCRIPTOR, "Type", (uint64_t)desc->Type,
            (uint64_t)DML_OPERATOR_CUMULATIVE_SUMMATION,
            "The operator's Type must be DML_OPERATOR_CUMULATIVE_SUMMATION, but it is another.");
    if (!desc->Desc)
        return cumsum_directml_fail(diagnostic, CUMSUM_INVALID_DESCRIPTOR, "Desc", 0, 0,
                                    "The operator's Desc must point to a "
                                    "DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, but it is NULL.");
    const struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC *summation =
        (const struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC *)desc->Desc;
    converted->op.input_tensor = cumsum_directml_tensor(
        summation->InputTensor, &converted->tensors[0], &converted->buffers[0]);
    converted->op.output_tensor = cumsum_directml_tensor(
        summation->OutputTensor, &converted->tensors[1], &converted->buffers[1]);
    converted->op.axis = summation->Axis;
    converted->op.axis_direction = (cumsum_axis_direction)summation->AxisDirection;
    converted->op.has_exclusive_sum = summation->HasExclusiveSum;
    return CUMSUM_OK;
}

#ifdef __cplusplus
}
#endif

#endif
