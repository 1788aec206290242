/* SPDX-License-Identifier: MIT */
/* Cases of lines: how long they are, how many there are, and where they begin. */
#include "case_group.h"

enum {
    TYPES = 6,
    ORDERS = 3,
    SHORT_LENGTHS = 130,
    EDGES = 10,
    LARGE_EDGES = 2,
    FORMS = 4,
    OFFSETS = 16
};

/* Lengths at which blocks, tiles and caches end. Their neighbours are tried too. Length 0 is not a
 * valid size. */
static const uint32_t edges[EDGES] = {256, 272, 512, 768, 1024, 1040, 2048, 3072, 4096, 8192};
static const uint32_t large_edges[LARGE_EDGES] = {16384, 65536};

#define SHORT_CASES (UINT64_C(1) * SHORT_LENGTHS * TYPES * ORDERS * 4 * FORMS)
#define EDGE_CASES  (UINT64_C(1) * EDGES * 3 * TYPES * ORDERS * 4)
#define LARGE_CASES (UINT64_C(1) * LARGE_EDGES * 3 * TYPES * ORDERS * 4)

static void choose_flags(kernel_case *c, uint64_t *index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(index, TYPES));
    c->numerics.order = (cumsum_order)take_digit(index, ORDERS);
    c->exclusive = take_digit(index, 2);
    c->decreasing = take_digit(index, 2);
}

/* One line; a few; enough for a tile, contiguous or interleaved. */
static void make_short(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_flags(c, &index, random);
    const uint32_t length = 1 + take_digit(&index, SHORT_LENGTHS);
    const uint32_t form = take_digit(&index, FORMS);
    const uint32_t lines = form == 0   ? 1
                           : form == 1 ? random_between(random, 2, 7)
                                       : random_between(random, 8, 35);
    const line_form layout = form == 3 ? FORM_COLUMNS : FORM_ROWS;
    choose_lines(c, lines, length, layout, layout, random);
}

static void make_edge(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_flags(c, &index, random);
    const uint32_t length = edges[take_digit(&index, EDGES)] + take_digit(&index, 3) - 1;
    const bool many = length < 2000 && random_once_in(random, 4);
    const uint32_t lines = many ? random_between(random, 4, 20) : random_between(random, 1, 3);
    choose_lines(c, lines, length, FORM_ROWS, FORM_ROWS, random);
}

static void make_large(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_flags(c, &index, random);
    const uint32_t length =
        large_edges[take_digit(&index, LARGE_EDGES)] + take_digit(&index, 3) - 1;
    choose_lines(c, 1, length, FORM_ROWS, FORM_ROWS, random);
}

static void make_lengths(kernel_case *c, uint64_t index, uint64_t *random) {
    if (index < SHORT_CASES)
        make_short(c, index, random);
    else if (index < SHORT_CASES + EDGE_CASES)
        make_edge(c, index - SHORT_CASES, random);
    else
        make_large(c, index - SHORT_CASES - EDGE_CASES, random);
}

const case_group group_lengths = {"lengths", "lengths 1 to 130, and around the edges of tiles",
                                  SHORT_CASES + EDGE_CASES + LARGE_CASES, make_lengths};

/* 1 to 40, and the numbers around 64, 128 and 256. */
enum {
    LINE_COUNTS = 49
};

static uint32_t line_count(uint32_t digit) {
    static const uint32_t above[9] = {63, 64, 65, 127, 128, 129, 255, 256, 257};
    return digit < 40 ? digit + 1 : above[digit - 40];
}

static void make_lines(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    const line_form input = (line_form)take_digit(&index, FORM_INPUTS);
    const line_form output = (line_form)take_digit(&index, FORM_OUTPUTS);
    const uint32_t lines = line_count(take_digit(&index, LINE_COUNTS));
    const uint32_t length = random_between(random, 1, lines > 40 ? 40 : 100);
    choose_lines(c, lines, length, input, output, random);
}

const case_group group_lines = {"lines", "1 to 40 lines, and around 64, 128, 256; in every form",
                                UINT64_C(1) * TYPES *FORM_INPUTS *FORM_OUTPUTS *LINE_COUNTS,
                                make_lines};

/* Lines that lie end to end and are so short that a kernel may join several: 2 to 16 elements each,
 * 16 to 384 together. */
enum {
    JOINED_LENGTHS = 4,
    JOINED_SIXTEENS = 24
};

static void make_joined(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_flags(c, &index, random);
    const uint32_t length = 2u << take_digit(&index, JOINED_LENGTHS);
    const uint32_t elements = 16 * (1 + take_digit(&index, JOINED_SIXTEENS));
    choose_lines(c, elements / length, length, FORM_ROWS, FORM_ROWS, random);
}

const case_group group_joined = {"joined", "2 to 16 elements, end to end",
                                 UINT64_C(1) * JOINED_LENGTHS *JOINED_SIXTEENS *TYPES *ORDERS * 4,
                                 make_joined};

/* Each offset of each operand, from the guard page before it and from the one behind it. */
static void make_alignments(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    for (int operand = 0; operand < CASE_OPERANDS; operand++) {
        c->operand[operand].alignment = 0;
        c->operand[operand].offset = take_digit(&index, OFFSETS);
        c->operand[operand].at_end = take_digit(&index, 2);
    }
    c->type = choose_type(take_digit(&index, TYPES));
    const bool columns = take_digit(&index, 2);
    const line_form input = random_once_in(random, 8) ? FORM_PADDED_ROWS : FORM_ROWS;
    const uint32_t lines =
        random_once_in(random, 2) ? random_between(random, 1, 3) : random_between(random, 4, 40);
    choose_lines(c, lines, random_between(random, 1, lines > 3 ? 70 : 300),
                 columns ? FORM_COLUMNS : input, columns ? FORM_COLUMNS : FORM_ROWS, random);
}

const case_group group_alignments = {
    "alignments", "offsets 0 to 15 of input and output, at guard pages",
    UINT64_C(1) * OFFSETS * 2 * OFFSETS * 2 * TYPES * 2, make_alignments};
