/* SPDX-License-Identifier: MIT */
/* Cases of numerics: every option with every pattern, every mode of the caller, and data whose sums
 * are exact up to a point. */
#include "case_group.h"

enum {
    TYPES = 6,
    ORDERS = 3,
    STORES = 3,
    MODES = 16,
    SHAPES = 3
};

/* One line, contiguous lines, or interleaved lines; short, so that many cases can run. */
static void choose_shape(kernel_case *c, uint32_t shape, uint64_t *random) {
    const uint32_t length = random_between(random, 1, random_once_in(random, 4) ? 1100 : 100);
    const uint32_t room = 2000 / length + 1;
    const uint32_t lines = shape == 0 ? 1 : random_between(random, 1, room < 40 ? room : 40);
    const line_form form = shape == 2 ? FORM_COLUMNS : FORM_ROWS;
    choose_lines(c, lines, length, form, form, random);
}

/* Options that a type or an order does not have are set too: kernels must ignore them. */
static void make_numerics(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = choose_type(take_digit(&index, TYPES));
    c->numerics.order = (cumsum_order)take_digit(&index, ORDERS);
    c->exclusive = take_digit(&index, 2);
    c->decreasing = take_digit(&index, 2);
    c->numerics.half_accumulator = (cumsum_half_accumulator)take_digit(&index, 2);
    c->numerics.half_store = (cumsum_half_store)take_digit(&index, STORES);
    c->numerics.denormals = (cumsum_denormals)take_digit(&index, 2);
    c->pattern = (data_pattern)take_digit(&index, PATTERN_COUNT);
    choose_shape(c, take_digit(&index, SHAPES), random);
}

const case_group group_numerics = {
    "numerics", "every option with every pattern of data",
    TYPES *ORDERS * 2 * 2 * 2 * STORES * 2 * (uint64_t)PATTERN_COUNT *SHAPES, make_numerics};

/* Data that comes out differently in other rounding directions or with subnormals flushed. */
static const data_pattern sensitive[] = {PATTERN_MODERATE,       PATTERN_WIDE, PATTERN_SUBNORMAL,
                                         PATTERN_NEAR_SUBNORMAL, PATTERN_TIES, PATTERN_OVERFLOW,
                                         PATTERN_GRIDS};

enum {
    SENSITIVE = sizeof sensitive / sizeof sensitive[0]
};

/* A processor with fewer modes takes the number modulo its modes. */
static void make_modes(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->mode = take_digit(&index, MODES);
    c->type = choose_type(take_digit(&index, 2)); /* FLOAT32, FLOAT16 */
    c->numerics.order = (cumsum_order)take_digit(&index, ORDERS);
    c->numerics.denormals = (cumsum_denormals)take_digit(&index, 2);
    c->pattern = sensitive[take_digit(&index, SENSITIVE)];
    choose_shape(c, take_digit(&index, SHAPES), random);
}

const case_group group_modes = {"modes", "floating-point modes that the caller is in",
                                MODES * 2 * ORDERS * 2 * (uint64_t)SENSITIVE *SHAPES, make_modes};

/* Data whose sums are exact, or exact up to some element, or stay in a binade, or need two binary64
 * or more. */
static const data_pattern exact_or_not[] = {
    PATTERN_EXACT_LIMIT,    PATTERN_EXACT_UNTIL, PATTERN_TIES, PATTERN_MASK,  PATTERN_ZEROS,
    PATTERN_SMALL_INTEGERS, PATTERN_BINADE,      PATTERN_NAN,  PATTERN_GRIDS, PATTERN_ALTERNATING};

enum {
    EXACT_OR_NOT = sizeof exact_or_not / sizeof exact_or_not[0],
    EXACT_REPEATS = 250
};

/* Single lines, on which a kernel may add in another order if that gives the same bits; and lines
 * side by side, whose exact sums share what they are added up in. */
static void make_exactness(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->numerics.order = take_digit(&index, 2) ? CUMSUM_ORDER_SEQUENTIAL : CUMSUM_ORDER_EXACT;
    c->type = choose_type(take_digit(&index, 2)); /* FLOAT32, FLOAT16 */
    c->pattern = exact_or_not[take_digit(&index, EXACT_OR_NOT)];
    const uint32_t length = random_between(random, 1, take_digit(&index, 2) ? 2200 : 60);
    if (c->numerics.order == CUMSUM_ORDER_EXACT && random_once_in(random, 3))
        choose_lines(c, random_between(random, 4, 70), length / 8 + 1, FORM_COLUMNS, FORM_COLUMNS,
                     random);
    else
        choose_lines(c, random_once_in(random, 4) ? 3 : 1, length, FORM_ROWS, FORM_ROWS, random);
}

const case_group group_exactness = {
    "exactness", "lines of sums that are exact, or in a binade or two binary64, up to a point",
    UINT64_C(2) * 2 * EXACT_OR_NOT * 2 * EXACT_REPEATS, make_exactness};
