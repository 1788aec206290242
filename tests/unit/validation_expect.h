/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_VALIDATION_EXPECT_H
#define CUMSUM_TESTS_VALIDATION_EXPECT_H

/*
 * What a test of validation expects: the verdict, and every field of the diagnostic. A valid
 * descriptor must leave the diagnostic untouched.
 */

#include "scan_case.h"

/* "InputTensor", "OutputTensor". */
extern const char *const validation_tensors[2];

/* 2 x 3 x 4 x 5 of FLOAT32, axis 2: valid at every level. */
void validation_valid_case(scan_case *c);

void expect_valid_at(const scan_case *c, cumsum_feature_level level);
void expect_valid(const scan_case *c);

typedef struct expectation {
    const char *tensor;
    const char *field;
    int32_t dimension;
    uint64_t value;
    uint64_t limit;
    const char *words; /* a substring of the message */
} expectation;

void expect_invalid_at(const scan_case *c, cumsum_feature_level level, expectation e);
void expect_invalid(const scan_case *c, expectation e);

/* Sets the strides and the total size of one operand, also where no total size would be valid. */
void validation_set_strides(scan_case *c, int operand, const uint32_t *strides, uint64_t total);

#endif
