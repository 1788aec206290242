/* SPDX-License-Identifier: MIT */
/*
 * Conversion from DirectML's structures. Compiled as C11 and as C++17, against this folder's
 * declarations, and against Microsoft's DirectML.h if it is installed (CUMSUM_REAL_DIRECTML).
 */
#if defined(CUMSUM_REAL_DIRECTML)
#include <wsl/winadapter.h>

#include <directx/DirectML.h>
#else
#include "directml_declarations.h"
#endif

#include <cumsum/directml.h>

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static const UINT sizes[4] = {1, 1, 3, 4};
static const UINT strides[4] = {12, 12, 4, 1};

typedef struct dml_case {
    struct DML_BUFFER_TENSOR_DESC buffers[2];
    struct DML_TENSOR_DESC tensors[2];
    struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC summation;
    struct DML_OPERATOR_DESC op;
} dml_case;

/* A valid descriptor whose values all differ as far as the rules allow, so that a mix-up shows. */
static void init_case(dml_case *c) {
    memset(c, 0, sizeof *c);
    for (int side = 0; side < 2; side++) {
        c->buffers[side].DataType = DML_TENSOR_DATA_TYPE_INT64;
        c->buffers[side].DimensionCount = 4;
        c->buffers[side].Sizes = sizes;
        c->buffers[side].TotalTensorSizeInBytes = side ? 104 : 96;
        c->buffers[side].GuaranteedBaseOffsetAlignment = side ? 0 : 32;
        c->tensors[side].Type = DML_TENSOR_TYPE_BUFFER;
        c->tensors[side].Desc = &c->buffers[side];
    }
    c->buffers[0].Flags = DML_TENSOR_FLAG_OWNED_BY_DML;
    c->buffers[1].Strides = strides;
    c->summation.InputTensor = &c->tensors[0];
    c->summation.OutputTensor = &c->tensors[1];
    c->summation.Axis = 2;
    c->summation.AxisDirection = DML_AXIS_DIRECTION_DECREASING;
    c->summation.HasExclusiveSum = 1;
    c->op.Type = DML_OPERATOR_CUMULATIVE_SUMMATION;
    c->op.Desc = &c->summation;
}

static void check_buffer(const cumsum_tensor_desc *tensor, cumsum_tensor_flags flags,
                         const UINT *expected_strides, uint64_t total, uint32_t alignment) {
    const cumsum_buffer_tensor_desc *buffer = (const cumsum_buffer_tensor_desc *)tensor->desc;
    EXPECT(tensor->type == CUMSUM_TENSOR_TYPE_BUFFER);
    EXPECT(buffer->data_type == CUMSUM_DATA_TYPE_INT64);
    EXPECT(buffer->flags == flags);
    EXPECT(buffer->dimension_count == 4);
    EXPECT(buffer->sizes == sizes);
    EXPECT(buffer->strides == expected_strides);
    EXPECT(buffer->total_tensor_size_in_bytes == total);
    EXPECT(buffer->guaranteed_base_offset_alignment == alignment);
}

static void check_fields(void) {
    dml_case c;
    cumsum_directml_desc d;
    init_case(&c);
    memset(&d, 0xFF, sizeof d);
    EXPECT(cumsum_from_directml(&c.op, &d, NULL) == CUMSUM_OK);
    check_buffer(d.op.input_tensor, CUMSUM_TENSOR_FLAG_OWNED_BY_DML, NULL, 96, 32);
    check_buffer(d.op.output_tensor, CUMSUM_TENSOR_FLAG_NONE, strides, 104, 0);
    EXPECT(d.op.axis == 2);
    EXPECT(d.op.axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING);
    EXPECT(d.op.has_exclusive_sum == 1);
    EXPECT(cumsum_validate(&d.op, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) == CUMSUM_OK);
}

/* Invalid descriptors are converted too; validation rejects them afterwards. */
static void check_invalid_descriptors(void) {
    dml_case c;
    cumsum_directml_desc d;
    cumsum_diagnostic why;
    init_case(&c);
    c.summation.InputTensor = NULL;
    EXPECT(cumsum_from_directml(&c.op, &d, NULL) == CUMSUM_OK);
    EXPECT(cumsum_validate(&d.op, CUMSUM_FEATURE_LEVEL_DEFAULT, &why) == CUMSUM_INVALID_DESCRIPTOR);
    EXPECT(strcmp(why.tensor, "InputTensor") == 0);
    init_case(&c);
    c.tensors[1].Type = DML_TENSOR_TYPE_INVALID;
    EXPECT(cumsum_from_directml(&c.op, &d, NULL) == CUMSUM_OK);
    EXPECT(cumsum_validate(&d.op, CUMSUM_FEATURE_LEVEL_DEFAULT, &why) == CUMSUM_INVALID_DESCRIPTOR);
    EXPECT(strcmp(why.field, "Type") == 0);
    init_case(&c);
    c.tensors[1].Desc = NULL;
    EXPECT(cumsum_from_directml(&c.op, &d, NULL) == CUMSUM_OK);
    EXPECT(cumsum_validate(&d.op, CUMSUM_FEATURE_LEVEL_DEFAULT, &why) == CUMSUM_INVALID_DESCRIPTOR);
    EXPECT(strcmp(why.field, "Desc") == 0);
}

static void check_errors(void) {
    dml_case c;
    cumsum_directml_desc d;
    cumsum_diagnostic why;
    init_case(&c);
    EXPECT(cumsum_from_directml(NULL, &d, &why) == CUMSUM_INVALID_ARGUMENT);
    EXPECT(why.status == CUMSUM_INVALID_ARGUMENT && strcmp(why.field, "desc") == 0);
    EXPECT(cumsum_from_directml(&c.op, NULL, &why) == CUMSUM_INVALID_ARGUMENT);
    EXPECT(strcmp(why.field, "converted") == 0 && strstr(why.message, "NULL") != NULL);
    c.op.Desc = NULL;
    EXPECT(cumsum_from_directml(&c.op, &d, &why) == CUMSUM_INVALID_DESCRIPTOR);
    EXPECT(strcmp(why.field, "Desc") == 0);
    c.op.Type = DML_OPERATOR_CUMULATIVE_PRODUCT;
    c.op.Desc = &c.summation;
    EXPECT(cumsum_from_directml(&c.op, &d, &why) == CUMSUM_INVALID_DESCRIPTOR);
    EXPECT(strcmp(why.field, "Type") == 0 && why.value == 145 && why.limit == 105);
    EXPECT(cumsum_from_directml(&c.op, &d, NULL) == CUMSUM_INVALID_DESCRIPTOR);
}

int main(void) {
    check_fields();
    check_invalid_descriptors();
    check_errors();
    puts(failures ? "FAILED" : "all conversions are right");
    return failures != 0;
}
