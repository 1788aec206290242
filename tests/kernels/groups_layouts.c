/* SPDX-License-Identifier: MIT */
/* Cases of layouts: dimensions in every order, with gaps and repetitions, and outputs whose
 * elements share addresses. */
#include "case_group.h"

#include <string.h>

enum {
    TYPES = 6,
    SIZE_SETS = 3
};

/* The permutation of 0 to rank - 1 with this number. */
static void permutation(uint32_t *order, uint32_t rank, uint32_t number) {
    for (uint32_t i = 0; i < rank; i++) {
        const uint32_t left = rank - i;
        const uint32_t choice = number % left;
        number /= left;
        uint32_t candidate = 0;
        for (uint32_t seen = 0;; candidate++) {
            bool used = false;
            for (uint32_t j = 0; j < i; j++)
                used |= order[j] == candidate;
            if (!used && seen++ == choice)
                break;
        }
        order[i] = candidate;
    }
}

/* rank! ^ 2 * rank, for ranks 1 to 4. */
static const uint32_t factorial[5] = {1, 1, 2, 6, 24};
#define PERMUTATIONS (1 + 2 * 2 * 2 + 6 * 6 * 3 + 24 * 24 * 4)

static void choose_permutations(kernel_case *c, uint32_t number, bool gaps, uint64_t *random) {
    for (c->rank = 1; number >= factorial[c->rank] * factorial[c->rank] * c->rank; c->rank++)
        number -= factorial[c->rank] * factorial[c->rank] * c->rank;
    uint64_t rest = number;
    c->axis = take_digit(&rest, c->rank);
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        uint32_t order[4];
        permutation(order, c->rank, take_digit(&rest, factorial[c->rank]));
        pack_with_gaps(c, &c->operand[operand], order, gaps ? 5 : 0, random);
    }
}

static void make_permutations(kernel_case *c, uint64_t index, uint64_t *random) {
    static const uint32_t sets[SIZE_SETS][4] = {{2, 3, 4, 5}, {17, 3, 2, 9}, {4, 18, 5, 8}};
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    const bool gaps = take_digit(&index, 2);
    memcpy(c->sizes, sets[take_digit(&index, SIZE_SETS)], sizeof sets[0]);
    choose_permutations(c, take_digit(&index, PERMUTATIONS), gaps, random);
    add_unit_dimensions(c, random);
}

const case_group group_permutations = {
    "permutations", "all permutations of up to 4 dimensions for each operand",
    UINT64_C(1) * TYPES * 2 * SIZE_SETS *PERMUTATIONS, make_permutations};

/* The size of a dimension that is contiguous in one operand only. Kernels work in blocks from a
 * size of 8 on: sizes around 8, and sizes with every remainder. */
static uint32_t crossed_size(uint64_t *random) {
    return random_once_in(random, 4) ? random_between(random, 7, 9)
                                     : random_between(random, 8, 100);
}

/* Three or four dimensions. The last one is contiguous in the output, and another one in the input.
 * Neither is the axis. */
static void make_crossed(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    c->rank = random_once_in(random, 3) ? 4 : 3;
    const uint32_t column = random_below(random, c->rank - 1);
    do
        c->axis = random_below(random, c->rank - 1);
    while (c->axis == column);
    for (uint32_t d = 0; d < c->rank; d++)
        c->sizes[d] = random_between(random, 1, 3);
    c->sizes[c->rank - 1] = crossed_size(random);
    c->sizes[column] = crossed_size(random);
    c->sizes[c->axis] = random_between(random, 1, random_once_in(random, 8) ? 40 : 12);
    if (random_once_in(random, 50)) { /* longer than a tile of the blocked order, in one plane */
        for (uint32_t d = 0; d + 1 < c->rank; d++)
            c->sizes[d] = 1;
        c->sizes[column] = random_between(random, 8, 20);
        c->sizes[c->axis] = random_between(random, 1020, 1060);
    }
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        uint32_t order[CUMSUM_MAX_DIMENSIONS];
        const uint32_t last = operand == CASE_INPUT ? column : c->rank - 1;
        do
            shuffle(order, c->rank, random);
        while (order[c->rank - 1] != last);
        pack_with_gaps(c, &c->operand[operand], order, random_once_in(random, 2) ? 3 : 0, random);
        c->operand[operand].strides[last] = 1;
    }
    for (uint32_t d = 0; d < c->rank; d++) /* repeated or overlapping inputs */
        if (d != column && random_once_in(random, 10))
            c->operand[CASE_INPUT].strides[d] = random_below(random, 4);
}

const case_group group_crossed = {
    "crossed", "one dimension contiguous in the input, another in the output, neither the axis",
    UINT64_C(1) * TYPES * 250, make_crossed};

/* Up to `room` elements in 1 to 8 dimensions, one of which is often longer than the others. */
static void choose_sizes(kernel_case *c, uint32_t room, uint64_t *random) {
    c->rank = random_between(random, 1, CUMSUM_MAX_DIMENSIONS);
    c->axis = random_below(random, c->rank);
    const uint32_t longest = random_once_in(random, 2) ? random_below(random, c->rank) : c->axis;
    for (uint32_t i = 0; i < c->rank; i++) { /* the longest chooses first */
        const uint32_t d = longest + i < c->rank ? longest + i : longest + i - c->rank;
        const uint32_t most = i == 0 ? 200 : 6;
        const uint64_t size = UINT64_C(1) + random_below(random, room < most ? room : most);
        c->sizes[d] = (uint32_t)size;
        room = (uint32_t)(room / size);
    }
}

/* Gives some dimensions of the input a stride of 0, or one so small that its elements overlap. */
static void overlap_input(kernel_case *c, uint64_t *random) {
    for (uint32_t d = 0; d < c->rank; d++)
        if (random_once_in(random, 3))
            c->operand[CASE_INPUT].strides[d] = 0;
        else if (random_once_in(random, 6))
            c->operand[CASE_INPUT].strides[d] = random_between(random, 1, 4);
}

static void make_layouts(kernel_case *c, uint64_t index, uint64_t *random) {
    (void)index;
    choose_all(c, random);
    choose_sizes(c, random_once_in(random, 10) ? 6000 : 1200, random);
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        uint32_t order[CUMSUM_MAX_DIMENSIONS];
        shuffle(order, c->rank, random);
        pack_with_gaps(c, &c->operand[operand], order, random_once_in(random, 2) ? 4 : 0, random);
    }
    if (random_once_in(random, 3))
        overlap_input(c, random);
    if (random_once_in(random, 10))
        for (int operand = 0; operand < CASE_OPERANDS; operand++) {
            c->operand[operand].no_strides = true;
            case_pack(c, &c->operand[operand], NULL);
        }
    c->in_place = random_once_in(random, 6);
    add_unit_dimensions(c, random);
}

const case_group group_layouts = {
    "layouts", "random ones of 1 to 8 dimensions: permuted, padded, repeated, in place", 60000,
    make_layouts};

/* Short lines in many small dimensions: several times what is staged at once (staging.h). */
static void make_short(kernel_case *c, uint64_t index, uint64_t *random) {
    (void)index;
    choose_all(c, random);
    c->rank = random_between(random, 2, CUMSUM_MAX_DIMENSIONS);
    c->axis = random_below(random, c->rank);
    c->sizes[c->axis] = random_between(random, 1, random_once_in(random, 4) ? 260 : 12);
    const uint32_t longest = random_below(random, c->rank);
    uint32_t room = random_between(random, 512, 24000) / c->sizes[c->axis] + 1;
    for (uint32_t i = 0; i < c->rank; i++) { /* the longest chooses last */
        const uint32_t d = (longest + 1 + i) % c->rank;
        if (d == c->axis)
            continue;
        const uint32_t most = d == longest || room < 40 ? room : 40;
        c->sizes[d] = d == longest ? room : random_between(random, 1, most);
        room = room / c->sizes[d] ? room / c->sizes[d] : 1;
    }
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        uint32_t order[CUMSUM_MAX_DIMENSIONS];
        for (uint32_t d = 0; d < c->rank; d++)
            order[d] = d;
        if (random_once_in(random, 2))
            shuffle(order, c->rank, random);
        pack_with_gaps(c, &c->operand[operand], order, random_once_in(random, 2) ? 4 : 0, random);
    }
    if (random_once_in(random, 4))
        overlap_input(c, random);
    c->in_place = random_once_in(random, 4);
}

const case_group group_short = {"short", "short lines in many small dimensions", 600, make_short};

/* Strides that validation accepts although elements share addresses. Draws random strides until it
 * finds such ones. */
static void make_colliding(kernel_case *c, uint64_t index, uint64_t *random) {
    case_descriptor descriptor;
    do {
        choose_all(c, random);
        choose_sizes(c, random_once_in(random, 8) ? 3000 : 300, random);
        uint32_t order[CUMSUM_MAX_DIMENSIONS];
        shuffle(order, c->rank, random);
        pack_with_gaps(c, &c->operand[CASE_INPUT], order, 2, random);
        for (uint32_t d = 0; d < c->rank; d++)
            c->operand[CASE_OUTPUT].strides[d] = random_between(random, 1, 60);
        case_describe(c, &descriptor);
    } while (cumsum_validate(&descriptor.operation, CUMSUM_FEATURE_LEVEL_DEFAULT, NULL) !=
                 CUMSUM_OK ||
             !cumsum_output_may_overlap(&descriptor.operation));
    c->in_place = index & 1;
    c->threads = index % 4 == 0 ? 4 : 0;
}

const case_group group_colliding = {"colliding",
                                    "outputs whose elements share addresses, half of them in place",
                                    8000, make_colliding};

static void make_in_place(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    const line_form form = (line_form)take_digit(&index, FORM_OUTPUTS);
    const uint32_t lines = random_once_in(random, 3) ? 1 : random_between(random, 2, 70);
    const uint32_t length = random_between(random, 1, lines == 1 ? 3000 : 150);
    choose_lines(c, lines, length, form, form, random);
    c->in_place = true;
}

const case_group group_in_place = {"in-place", "lines of every form over themselves",
                                   UINT64_C(1) * TYPES *FORM_OUTPUTS * 300, make_in_place};
