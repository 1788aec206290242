/* SPDX-License-Identifier: MIT */
/* Cases with whole tiles and their tails in both directions, and with enough work for threads. */
#include "case_group.h"

#include <stddef.h>

enum {
    TYPES = 6,
    REPEATS = 4,
    THREAD_COUNTS = 4,
    WORKS = 7
};

/* Two dimensions of 100 to 400, or three or four with as many elements. */
static void choose_mixed(kernel_case *c, uint64_t *random) {
    c->rank = random_between(random, 3, 4);
    c->axis = random_below(random, c->rank);
    for (uint32_t d = 0; d < c->rank; d++)
        c->sizes[d] = c->rank == 3 ? random_between(random, 20, 50) : random_between(random, 9, 19);
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        uint32_t order[CUMSUM_MAX_DIMENSIONS];
        shuffle(order, c->rank, random);
        pack_with_gaps(c, &c->operand[operand], order, random_once_in(random, 2) ? 9 : 0, random);
    }
}

static void make_access_patterns(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    const line_form input = (line_form)take_digit(&index, FORM_INPUTS);
    const line_form output = (line_form)take_digit(&index, FORM_OUTPUTS);
    if (take_digit(&index, REPEATS) == 0)
        choose_mixed(c, random);
    else
        choose_lines(c, random_between(random, 60, 400), random_between(random, 60, 400), input,
                     output, random);
    c->in_place = input == output && random_once_in(random, 4);
}

const case_group group_access_patterns = {
    "access-patterns",
    "hundreds of lines and elements, each operand contiguous, interleaved or strided",
    UINT64_C(1) * TYPES *FORM_INPUTS *FORM_OUTPUTS *REPEATS, make_access_patterns};

/* From few long lines to many short ones. */
static void choose_work(kernel_case *c, uint32_t work, uint64_t *random) {
    static const uint32_t lines[WORKS] = {1, 2, 3, 7, 130, 2000, 40};
    static const uint32_t lengths[WORKS] = {150000, 50000, 40000, 20000, 900, 60, 2500};
    const line_form output = (line_form)random_below(random, FORM_OUTPUTS);
    const line_form input =
        random_once_in(random, 2) ? output : (line_form)random_below(random, FORM_INPUTS);
    choose_lines(c, lines[work] + random_below(random, 1 + lines[work] / 4),
                 lengths[work] + random_below(random, lengths[work] / 4), input, output, random);
    c->in_place = input == output && random_once_in(random, 3);
}

static void make_threads(kernel_case *c, uint64_t index, uint64_t *random) {
    static const unsigned counts[THREAD_COUNTS] = {1, 2, 3, 8};
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    c->threads = counts[take_digit(&index, THREAD_COUNTS)];
    choose_work(c, take_digit(&index, WORKS), random);
    c->mode = random_once_in(random, 4) ? random_below(random, 16) : 0;
    c->workers_mode = random_once_in(random, 4) ? random_below(random, 16) : 0;
    if (case_elements(c) > 60000 && random_once_in(random, 2) &&
        c->numerics.order == CUMSUM_ORDER_EXACT)
        c->numerics.order = CUMSUM_ORDER_BLOCKED;
}

const case_group group_threads = {"threads", "pools of 1, 2, 3 and 8 threads give the bits of none",
                                  (uint64_t)TYPES *THREAD_COUNTS *WORKS, make_threads};

const case_group *const case_groups[] = {
    &group_numerics,   &group_modes,           &group_exactness,
    &group_lengths,    &group_lines,           &group_joined,
    &group_alignments, &group_permutations,    &group_crossed,
    &group_layouts,    &group_short,           &group_colliding,
    &group_in_place,   &group_access_patterns, &group_segments,
    &group_threads,    &group_long_columns,    NULL};
