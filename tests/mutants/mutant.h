/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_MUTANT_H
#define CUMSUM_TESTS_MUTANT_H

/*
 * Wrong implementations of the operator, each with one plausible bug. The checker of the kernels
 * (tests/kernels) and the conformance suite (tests/suite) must find them: a bug stands here once
 * and is planted in both.
 *
 * An implementation gathers a line, scans it and scatters the result, line after line in row-major
 * order. The scan is the library's reference on a packed line. A mutant does one of these steps
 * wrong. Nothing here depends on a checker or on tools/.
 */

#include "textbook_scans.h"

#include <cumsum/cumsum.h>
#include <stddef.h>

/* How one operand lies in its buffer. */
typedef struct mutant_tensor {
    uint64_t strides[CUMSUM_MAX_DIMENSIONS]; /* elements; 0 where the size is 1 */
    uint32_t given[CUMSUM_MAX_DIMENSIONS];   /* what the descriptor says, for sizes of 1 too */
    bool strided;                            /* false: the descriptor has no strides */
    uint64_t offset; /* bytes from the buffer's start to the element with all indices 0 */
} mutant_tensor;

/* What an implementation makes of the descriptor. Every field may be mistaken. */
typedef struct mutant_view {
    cumsum_data_type type;
    uint32_t element_size;
    cumsum_numerics numerics;
    bool decreasing;
    bool exclusive;
    bool in_place;
    uint32_t rank;
    uint32_t axis;
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    mutant_tensor input;
    mutant_tensor output;
} mutant_view;

/* Whole buffers, with what surrounds the tensors. In place they are one. A mutant that leaves them
 * reads 0 and writes nothing. */
typedef struct mutant_buffers {
    const unsigned char *input;
    uint64_t input_size;
    unsigned char *output;
    uint64_t output_size;
} mutant_buffers;

/* A line in traversal order. */
typedef struct mutant_line {
    cumsum_data_type type;
    cumsum_numerics numerics;
    bool decreasing;
    bool exclusive;
    bool in_place;
    bool unwritten;  /* set by a mutant that leaves the line's outputs as they were */
    uint64_t number; /* of the line, in row-major order */
    uint64_t lines;
    uint64_t n;
    uint64_t edge; /* the mutant's */
    uint64_t *x;   /* [n] bits */
    uint64_t *y;   /* [n] */
} mutant_line;

typedef struct mutant {
    const char *name;
    const char *bug;                    /* in a few words */
    void (*misread)(mutant_view *view); /* mistakes the descriptor, or NULL */
    void (*scan)(mutant_line *line);    /* in place of mutant_scan, or NULL */
    void (*spill)(const mutant_view *view, unsigned char *output, uint64_t size); /* or NULL:
                                             writes what is no element, after the last line */
    uint64_t edge;     /* for scans that are wrong at multiples of it */
    bool needs_offset; /* it shows only in tensors that do not start where their buffers do, which
                          the checker of the kernels does not have */
} mutant;

/* All of them, family after family; NULL after the last family. Each family ends with a mutant
 * without a name. */
extern const mutant *const mutant_families[];

extern const mutant mutants_addresses[];
extern const mutant mutants_lines[];
extern const mutant mutants_floats[];
extern const mutant mutants_subtraction[];
extern const mutant mutants_numerics[];
extern const mutant mutants_integers[];
extern const mutant mutants_blocks[];
extern const mutant mutants_binades[];
extern const mutant mutants_segments[];

/* Nothing is wrong with these: the checkers must pass them. The second computes the blocked order
 * with the code that the mutants of that order change. */
extern const mutant mutant_right;
extern const mutant mutant_right_blocked;

/* A valid descriptor, as an implementation without mistakes sees it. Offsets are 0. */
mutant_view mutant_view_of(const cumsum_operator_desc *desc, cumsum_numerics numerics,
                           bool in_place);

void mutant_run(const mutant *m, mutant_view view, const mutant_buffers *buffers);

/* Bytes from the start of a buffer to the element with these indices. */
uint64_t mutant_place(const mutant_view *view, const mutant_tensor *tensor, const uint32_t *index);

/* The next indices in row-major order; false after the last. The dimension `except` stays where it
 * is; CUMSUM_MAX_DIMENSIONS: none does. */
bool mutant_next(const mutant_view *view, uint32_t *index, uint32_t except);

/* The right outputs of a line, as its numerics and flags say. */
void mutant_scan(mutant_line *line);

/* The same, but inclusive whatever the line's flag says. */
void mutant_scan_inclusive(mutant_line *line);

/* Takes another scan for floating-point lines in this order whose additions are plain binary32. The
 * outputs of other lines are right. */
void mutant_scan_as(mutant_line *line, cumsum_order order, textbook_scan *scan);

/* A FLOAT32 or FLOAT16 element as a number, and back: to nearest even, IEEE. */
double mutant_value(const mutant_line *line, uint64_t bits);
uint64_t mutant_bits(const mutant_line *line, double value);

/* A sum of binary32 as the default store has it. */
uint64_t mutant_stored(const mutant_line *line, float sum);

bool mutant_is_float(const mutant_line *line);
bool mutant_is_half(const mutant_line *line);

#endif
