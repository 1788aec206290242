/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_ORACLE_DATA_H
#define CUMSUM_TESTS_ORACLE_DATA_H

/*
 * For the tests of the oracle: families of data that are hard to add, and a short way to have one
 * line judged.
 */

#include "check.h"
#include "splitmix64.h"

#include <cumsum/oracle.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

typedef enum data_family {
    DATA_UNIFORM,      /* [0, 1) */
    DATA_SIGNED,       /* (-1, 1) */
    DATA_INTEGERS,     /* -100..100 */
    DATA_MASK,         /* 0 and 1 */
    DATA_ANY_EXPONENT, /* every finite bit pattern is equally likely */
    DATA_CANCELLING,   /* large pairs that cancel, and small terms between them */
    DATA_TIES,         /* sums that end halfway between two numbers */
    DATA_NEAR_OVERFLOW,
    DATA_SUBNORMAL, /* around the smallest normal */
    DATA_FAMILIES
} data_family;

/* A finite binary32 of the family. `index` is the place in the line. */
static inline float family_value(data_family family, uint64_t index, uint64_t *state) {
    uint64_t r = random_next(state);
    float unit = (float)(r >> 40) * 0x1p-24f;
    float sign = r & 1 ? -1.0f : 1.0f;
    uint32_t bits = (uint32_t)(r >> 8);
    switch (family) {
    case DATA_SIGNED:
        return sign * unit;
    case DATA_INTEGERS:
        return (float)((int)((r >> 8) % 201) - 100);
    case DATA_MASK:
        return (float)(r & 1);
    case DATA_ANY_EXPONENT:
        return float_of((bits & 0x7F800000u) == 0x7F800000u ? bits ^ 0x40000000u : bits);
    case DATA_CANCELLING:
        return index % 3 == 2 ? unit * 0x1p-20f : (index % 3 ? -1.0f : 1.0f) * (1 + (float)(r % 5));
    case DATA_TIES:
        return index % 4 ? sign * (float)(1 + (r >> 8) % 3) * 0x1p-24f : 1.0f;
    case DATA_NEAR_OVERFLOW:
        return sign * (1 + unit) * 0x1p126f;
    case DATA_SUBNORMAL:
        return float_of((bits & 0x80FFFFFFu));
    default:
        return unit;
    }
}

/* A finite binary16 of the family. */
static inline uint16_t family_half(data_family family, uint64_t index, uint64_t *state) {
    uint64_t r = random_next(state);
    switch (family) {
    case DATA_ANY_EXPONENT: {
        uint16_t bits = (uint16_t)(r >> 8);
        return (bits & 0x7C00u) == 0x7C00u ? bits ^ 0x4000u : bits;
    }
    case DATA_TIES:
        return cumsum_half_from_float(index % 4 ? (float)(1 + r % 3) : 2048.0f,
                                      CUMSUM_HALF_STORE_IEEE);
    case DATA_NEAR_OVERFLOW:
        return (uint16_t)((r & 0x8000u) | 0x7800u | (r >> 20 & 0x3FFu));
    case DATA_SUBNORMAL:
        return (uint16_t)(r >> 8 & 0x87FFu);
    default:
        return cumsum_half_from_float(family_value(family, index, state), CUMSUM_HALF_STORE_IEEE);
    }
}

static inline double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t bits_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A finite binary64 of the family. */
static inline double family_double(data_family family, uint64_t index, uint64_t *state) {
    uint64_t r = random_next(state);
    double unit = (double)(r >> 11) * 0x1p-53;
    double sign = r & 1 ? -1.0 : 1.0;
    switch (family) {
    case DATA_SIGNED:
        return sign * unit;
    case DATA_INTEGERS:
        return (double)((int)((r >> 8) % 201) - 100);
    case DATA_MASK:
        return (double)(r & 1);
    case DATA_ANY_EXPONENT:
        return isfinite(double_of(r)) ? double_of(r) : double_of(r ^ UINT64_C(1) << 62);
    case DATA_CANCELLING:
        return index % 3 == 2 ? unit * 0x1p-49 : (index % 3 ? -1.0 : 1.0) * (1 + (double)(r % 5));
    case DATA_TIES:
        return index % 4 ? sign * (double)(1 + (r >> 8) % 3) * 0x1p-53 : 1.0;
    case DATA_NEAR_OVERFLOW:
        return sign * (1 + unit) * 0x1p1022;
    case DATA_SUBNORMAL:
        return double_of(r & UINT64_C(0x801FFFFFFFFFFFFF));
    default:
        return unit;
    }
}

/* A finite bfloat16 of the family. */
static inline uint16_t family_bfloat16(data_family family, uint64_t index, uint64_t *state) {
    uint64_t r = random_next(state);
    switch (family) {
    case DATA_ANY_EXPONENT: {
        uint16_t bits = (uint16_t)(r >> 8);
        return (bits & 0x7F80u) == 0x7F80u ? bits ^ 0x4000u : bits;
    }
    case DATA_TIES:
        return index % 4 ? (uint16_t)(bits_of((float)(1 + r % 3) * 0x1p-8f) >> 16) : 0x3F80u;
    case DATA_NEAR_OVERFLOW:
        return (uint16_t)((r & 0x8000u) | 0x7E80u | (r >> 20 & 0x7Fu));
    case DATA_SUBNORMAL:
        return (uint16_t)(r >> 8 & 0x80FFu);
    default:
        return (uint16_t)(bits_of(family_value(family, index, state)) >> 16);
    }
}

/* The bits of a finite element of the family. */
static inline uint64_t family_bits(cumsum_data_type type, data_family family, uint64_t index,
                                   uint64_t *state) {
    switch (type) {
    case CUMSUM_DATA_TYPE_FLOAT16:
        return family_half(family, index, state);
    case CUMSUM_DATA_TYPE_BFLOAT16:
        return family_bfloat16(family, index, state);
    case CUMSUM_DATA_TYPE_FLOAT32:
        return bits_of(family_value(family, index, state));
    default:
        return bits_of_double(family_double(family, index, state));
    }
}

/* Puts elements, given by their bits, side by side. */
static inline void pack_elements(cumsum_data_type type, const uint64_t *bits, uint32_t n,
                                 void *packed) {
    const uint32_t size = cumsum_data_type_size(type);
    for (uint32_t k = 0; k < n; k++) {
        const uint8_t bits8 = (uint8_t)bits[k];
        const uint16_t bits16 = (uint16_t)bits[k];
        const uint32_t bits32 = (uint32_t)bits[k];
        const void *element = size == 1   ? (const void *)&bits8
                              : size == 2 ? (const void *)&bits16
                              : size == 4 ? (const void *)&bits32
                                          : (const void *)&bits[k];
        memcpy((unsigned char *)packed + (size_t)k * size, element, size);
    }
}

/* A scan along the last dimension. It points into itself, and to the caller's sizes and strides. */
typedef struct scan_desc {
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    cumsum_operator_desc operation;
} scan_desc;

/* Strides that are NULL are packed. */
static inline const cumsum_operator_desc *describe_scan(scan_desc *d, cumsum_data_type type,
                                                        uint32_t rank, const uint32_t *sizes,
                                                        const uint32_t *input_strides,
                                                        const uint32_t *output_strides) {
    for (int i = 0; i < 2; i++) {
        const uint32_t *strides = i ? output_strides : input_strides;
        d->buffers[i] = (cumsum_buffer_tensor_desc){
            .data_type = type, .dimension_count = rank, .sizes = sizes, .strides = strides};
        cumsum_tensor_size(type, rank, sizes, strides, &d->buffers[i].total_tensor_size_in_bytes);
        d->tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &d->buffers[i]};
    }
    d->operation = (cumsum_operator_desc){
        .input_tensor = &d->tensors[0], .output_tensor = &d->tensors[1], .axis = rank - 1};
    return &d->operation;
}

/* Judges a described tensor. If that is refused, the judgement has no outputs. */
static inline cumsum_judgement judge_scan(const scan_desc *d, const void *input, const void *actual,
                                          const cumsum_judge_options *options, uint8_t *verdicts) {
    cumsum_judgement judgement;
    memset(&judgement, 0xFF, sizeof judgement);
    if (cumsum_judge(&d->operation, input, d->buffers[0].total_tensor_size_in_bytes, actual,
                     d->buffers[1].total_tensor_size_in_bytes, options, verdicts, &judgement,
                     NULL) != CUMSUM_OK)
        judgement.outputs = 0;
    return judgement;
}

/* The same of a packed line of n elements. */
static inline cumsum_judgement judge_1d(cumsum_data_type type, uint32_t n, const void *input,
                                        const void *actual, bool exclusive,
                                        const cumsum_judge_options *options, uint8_t *verdicts) {
    scan_desc d;
    describe_scan(&d, type, 1, &n, NULL, NULL);
    d.operation.has_exclusive_sum = exclusive;
    return judge_scan(&d, input, actual, options, verdicts);
}

#endif
