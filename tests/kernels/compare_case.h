/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_COMPARE_CASE_H
#define CUMSUM_TESTS_COMPARE_CASE_H

/*
 * What a case must leave in memory, how what a candidate left differs from it, and both in words.
 *
 * Of the expected output only the additions are the reference kernel's: of packed lines, in
 * ascending order, inclusive. Layout, direction and exclusivity are done here, by gathering and
 * scattering element for element, so that the planner is not compared with itself.
 */

#include "case_memory.h"

/* Fills memory->expected for a case that memory is prepared for. False, with a diagnostic, if the
 * reference refuses. */
bool expected_output_compute(case_memory *memory, const kernel_case *c, cumsum_diagnostic *why);

typedef enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_ELEMENT, /* an output element has other bits; two NaNs are the same */
    DIFFERENCE_GAP,     /* a byte was written that is in no element of the output */
    DIFFERENCE_INPUT,   /* the input was written */
    DIFFERENCE_MODE,    /* the caller's floating-point mode was left changed */
    DIFFERENCE_FAULT,   /* a guard page was touched */
    DIFFERENCE_REFUSED  /* the library refused a valid case */
} difference_kind;

typedef struct difference {
    difference_kind kind;
    uint64_t line;     /* ELEMENT: its line, in row-major order */
    uint64_t position; /* ELEMENT: its place in the line, in traversal order */
    uint64_t count;    /* ELEMENT: how many of them differ */
    uint64_t expected; /* ELEMENT: bits; MODE: control words */
    uint64_t actual;
    int64_t byte;      /* GAP, INPUT, FAULT: the byte, counted from the tensor's first */
    int operand;       /* FAULT: the operand whose tensor is nearest */
    char message[320]; /* REFUSED */
} difference;

/* Compares the windows of both operands with what they must hold: an ELEMENT, GAP or INPUT, or
 * NONE. NaN in the output gets the bits of the expected NaN. */
void difference_find(difference *d, case_memory *memory, const kernel_case *c);

/* The case on one line: types, sizes, strides, numerics, memory. */
void describe_case(const kernel_case *c, char *text, size_t bytes);

/* The difference on several lines. */
void describe_difference(const kernel_case *c, const difference *d, char *text, size_t bytes);

#endif
