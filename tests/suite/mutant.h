/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MUTANT_H
#define CUMSUM_TESTS_MUTANT_H

/*
 * Wrong implementations of the operator, each with one plausible bug. An implementation gathers a
 * line, sums it (by the reference, on a packed line) and scatters the result; a mutant does one of
 * these steps wrong.
 */

#include "case_build.h"
#include "layout.h"

/* What an implementation makes of the descriptor. Offsets outside the buffers read 0 and write
 * nothing. */
typedef struct mutant_view {
    case_spec spec; /* its own copy: axis, direction and exclusivity may be mistaken */
    layout input;
    layout output;
    uint64_t input_offset; /* bytes from the start of the buffer */
    uint64_t output_offset;
} mutant_view;

/* A line in traversal order. */
typedef struct mutant_line {
    const case_spec *spec; /* of the view */
    cumsum_numerics numerics;
    uint64_t number; /* lines in row-major order */
    uint64_t lines;
    uint64_t n;
    uint64_t *x; /* [n] bits */
    uint64_t *y; /* [n] */
} mutant_line;

typedef struct mutant {
    const char *name;
    const char *bug;                 /* in a few words */
    void (*look)(mutant_view *view); /* changes what is done to the tensors, or NULL */
    void (*sum)(mutant_line *line);  /* in place of mutant_sum, or NULL */
    void (*litter)(const mutant_view *view, unsigned char *output, uint64_t size); /* or NULL */
} mutant;

/* Each ends with a row without a name. */
extern const mutant mutants_addresses[];
extern const mutant mutants_lines[];
extern const mutant mutants_floats[];
extern const mutant mutants_integers[];
extern const mutant mutants_blocks[];

/* Computes a case, of which the spec, the descriptor and the sizes are filled in, on whole buffers.
 * In place they are one. */
void mutant_run(const mutant *m, const suite_case *c, const unsigned char *input,
                unsigned char *output);

/* The right sums of a line, as its numerics and spec say. */
void mutant_sum(mutant_line *line);

/* The same where the order is blocked, by the code that the mutants of that order change. */
void mutant_sum_blocked(mutant_line *line);

/* A FLOAT32 or FLOAT16 element as a number, and back: to nearest even, IEEE. */
double mutant_value(const mutant_line *line, uint64_t bits);
uint64_t mutant_bits(const mutant_line *line, double value);

bool mutant_is_float(const mutant_line *line);
bool mutant_is_half(const mutant_line *line);

#endif
