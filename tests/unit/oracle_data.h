/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_ORACLE_DATA_H
#define CUMSUM_TESTS_ORACLE_DATA_H

/*
 * For the tests of the oracle: families of data that are hard to add, and a short way to have one
 * line judged.
 */

#include "check.h"
#include "real_arithmetic.h"
#include "scan_case.h"

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

/* The floating-point types, by number modulo 4. */
static inline cumsum_data_type float_type(unsigned number) {
    static const cumsum_data_type types[4] = {CUMSUM_DATA_TYPE_FLOAT64, CUMSUM_DATA_TYPE_FLOAT32,
                                              CUMSUM_DATA_TYPE_FLOAT16, CUMSUM_DATA_TYPE_BFLOAT16};
    return types[number % 4];
}

/* The bits of a finite element of the family. `index` is the place in the line. */
static inline uint64_t family_bits(cumsum_data_type type, data_family family, uint64_t index,
                                   uint64_t *state) {
    const real_format *f = real_format_of(type);
    const uint64_t r = random_next(state), one = UINT64_C(1) << (f->precision - 1);
    const uint64_t sign = UINT64_C(1) << (8 * cumsum_data_type_size(type) - 1);
    const uint64_t infinity = sign - one, any = r >> 1 & (sign | (sign - 1));
    const int bits = f->precision == 53 ? 53 : 24;
    const double place = ldexp(1, -bits), unit = (double)(r >> (64 - bits)) * place;
    const double u = ldexp(1, -f->precision);
    double value = unit;
    switch (family) {
    case DATA_ANY_EXPONENT:
        return (any & infinity) == infinity ? any ^ (infinity & ~(infinity >> 1)) : any;
    case DATA_NEAR_OVERFLOW:
        return (any & (sign | (one - 1))) |
               (infinity - (type == CUMSUM_DATA_TYPE_FLOAT16 ? 1 : 2) * one);
    case DATA_SUBNORMAL:
        return any & (sign | (2 * one - 1));
    case DATA_SIGNED:
        value = r & 1 ? -unit : unit;
        break;
    case DATA_INTEGERS:
        value = (double)((int)((r >> 8) % 201) - 100);
        break;
    case DATA_MASK:
        value = (double)(r & 1);
        break;
    case DATA_CANCELLING:
        value = index % 3 == 2 ? unit * 16 * place : (index % 3 ? -1 : 1) * (1 + (double)(r % 5));
        break;
    case DATA_TIES:
        value = index % 4 ? (r & 1 ? -u : u) * (double)(1 + (r >> 8) % 3) : 1;
        break;
    default:
        break;
    }
    return real_bits(f, real_round(f, value, REAL_NEAREST));
}

/* The same of binary32. */
static inline float family_value(data_family family, uint64_t index, uint64_t *state) {
    return float_of((uint32_t)family_bits(CUMSUM_DATA_TYPE_FLOAT32, family, index, state));
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

/* The same of values of a floating-point type. */
static inline void pack_values(const real_format *f, const double *values, uint32_t n,
                               void *packed) {
    const uint32_t size = cumsum_data_type_size(f->type);
    for (uint32_t k = 0; k < n; k++) {
        const uint64_t bits = real_bits(f, values[k]);
        pack_elements(f->type, &bits, 1, (unsigned char *)packed + (size_t)k * size);
    }
}

/* Strides of a packed layout of the dimensions in some order, with gaps. */
static inline void random_strides(uint64_t *state, uint32_t rank, const uint32_t *sizes,
                                  uint32_t *strides) {
    bool placed[8] = {false};
    uint32_t stride = random_between(state, 1, 2);
    for (uint32_t i = 0; i < rank; i++) {
        uint32_t d = random_below(state, rank);
        while (placed[d])
            d = (d + 1) % rank;
        placed[d] = true;
        strides[d] = stride;
        stride *= sizes[d] + random_once_in(state, 3);
    }
}

/* Judges a described tensor. If that is refused, the judgement has no outputs. */
static inline cumsum_judgement judge_scan(const scan_case *c, const void *input, const void *actual,
                                          const cumsum_judge_options *options, uint8_t *verdicts) {
    cumsum_judgement judgement;
    memset(&judgement, 0xFF, sizeof judgement);
    if (cumsum_judge(&c->desc, input, c->buffer[0].total_tensor_size_in_bytes, actual,
                     c->buffer[1].total_tensor_size_in_bytes, options, verdicts, &judgement,
                     NULL) != CUMSUM_OK)
        judgement.outputs = 0;
    return judgement;
}

/* The same of a packed line of n elements. */
static inline cumsum_judgement judge_1d(cumsum_data_type type, uint32_t n, const void *input,
                                        const void *actual, bool exclusive,
                                        const cumsum_judge_options *options, uint8_t *verdicts) {
    scan_case c;
    scan_case_init_line(&c, type, n);
    c.desc.has_exclusive_sum = exclusive;
    return judge_scan(&c, input, actual, options, verdicts);
}

#endif
