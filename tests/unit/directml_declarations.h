/* SPDX-License-Identifier: MIT */
/*
 * Declarations of the names of Microsoft's DirectML.h that cumsum/directml.h uses, written from the
 * public documentation. Tests use them on machines without that header, and in C.
 */
#ifndef DIRECTML_H
#define DIRECTML_H

#include <stdint.h>

#define DML_TARGET_VERSION 0x6400

typedef uint32_t UINT;
typedef uint64_t UINT64;
typedef int32_t BOOL;

typedef enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_FLOAT32 = 1,
    DML_TENSOR_DATA_TYPE_INT64 = 11
} DML_TENSOR_DATA_TYPE;

typedef enum DML_TENSOR_TYPE {
    DML_TENSOR_TYPE_INVALID,
    DML_TENSOR_TYPE_BUFFER
} DML_TENSOR_TYPE;

typedef enum DML_TENSOR_FLAGS {
    DML_TENSOR_FLAG_NONE = 0,
    DML_TENSOR_FLAG_OWNED_BY_DML = 1
} DML_TENSOR_FLAGS;

typedef enum DML_AXIS_DIRECTION {
    DML_AXIS_DIRECTION_INCREASING = 0,
    DML_AXIS_DIRECTION_DECREASING = 1
} DML_AXIS_DIRECTION;

typedef enum DML_OPERATOR_TYPE {
    DML_OPERATOR_CUMULATIVE_SUMMATION = 105,
    DML_OPERATOR_CUMULATIVE_PRODUCT = 145
} DML_OPERATOR_TYPE;

typedef struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType;
    DML_TENSOR_FLAGS Flags;
    UINT DimensionCount;
    const UINT *Sizes;
    const UINT *Strides;
    UINT64 TotalTensorSizeInBytes;
    UINT GuaranteedBaseOffsetAlignment;
} DML_BUFFER_TENSOR_DESC;

typedef struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type;
    const void *Desc;
} DML_TENSOR_DESC;

typedef struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    UINT Axis;
    DML_AXIS_DIRECTION AxisDirection;
    BOOL HasExclusiveSum;
} DML_CUMULATIVE_SUMMATION_OPERATOR_DESC;

typedef struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type;
    const void *Desc;
} DML_OPERATOR_DESC;

#endif
