/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_CASE_GROUP_H
#define CUMSUM_TESTS_CASE_GROUP_H

/* Cases, grouped by what they are to find, and the choices that they are made of. A case is made
 * from its group, a seed and its number alone. */

#include "kernel_case.h"

typedef struct case_group {
    const char *name;
    const char *what;
    uint64_t count;
    void (*make)(kernel_case *c, uint64_t index, uint64_t *random);
} case_group;

extern const case_group group_numerics;
extern const case_group group_modes;
extern const case_group group_exactness;
extern const case_group group_lengths;
extern const case_group group_lines;
extern const case_group group_joined;
extern const case_group group_alignments;
extern const case_group group_permutations;
extern const case_group group_crossed;
extern const case_group group_layouts;
extern const case_group group_short;
extern const case_group group_colliding;
extern const case_group group_in_place;
extern const case_group group_access_patterns;
extern const case_group group_threads;
extern const case_group group_segments;
extern const case_group group_long_columns;

/* All groups; NULL at the end. */
extern const case_group *const case_groups[];

/* Takes the lowest digit, 0 to choices - 1, off the number of a case. */
static inline uint32_t take_digit(uint64_t *index, uint32_t choices) {
    const uint32_t digit = (uint32_t)(*index % choices);
    *index /= choices;
    return digit;
}

/* The six types of the operator, 0 to 5. */
cumsum_data_type choose_type(uint32_t digit);

/* Makes everything random that is not about layout: type, numerics, direction, data, places. The
 * exact order is rarer than the others, because it takes longer. */
void choose_all(kernel_case *c, uint64_t *random);

/* Chooses distances from guard pages, total sizes above the extent, and alignments. */
void choose_places(kernel_case *c, uint64_t *random);

/* How a tensor of lines lies in memory. */
typedef enum line_form {
    FORM_ROWS,           /* each line contiguous, line after line */
    FORM_COLUMNS,        /* lines interleaved */
    FORM_PADDED_ROWS,    /* gaps between lines */
    FORM_PADDED_COLUMNS, /* interleaved, with gaps behind each row */
    FORM_SCATTERED,      /* gaps everywhere */
    FORM_OUTPUTS,
    FORM_REPEATED_LINE = FORM_OUTPUTS, /* inputs only: all lines are the same memory */
    FORM_REPEATED_ELEMENT,             /* each line is one element again and again */
    FORM_SINGLE_ELEMENT,               /* both */
    FORM_INPUTS
} line_form;

/* Chooses a tensor of two dimensions, one of which is the axis. */
void choose_lines(kernel_case *c, uint32_t lines, uint32_t length, line_form input,
                  line_form output, uint64_t *random);

/* Sometimes adds dimensions of size 1, with strides that would lead out of all memory. */
void add_unit_dimensions(kernel_case *c, uint64_t *random);

/* Fills `order` with 0 to count - 1 in a random order. */
void shuffle(uint32_t *order, uint32_t count, uint64_t *random);

/* Packs in the order of `order`, with gaps of up to `gap` elements after some dimensions. */
void pack_with_gaps(const kernel_case *c, case_operand *operand, const uint32_t *order,
                    uint32_t gap, uint64_t *random);

#endif
