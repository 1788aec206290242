/* SPDX-License-Identifier: MIT */
/* Lines that are long enough for threads to divide them into segments. */
#include "case_group.h"

#include <stddef.h>

enum {
    TYPES = 6,
    THREAD_COUNTS = 4,
    LENGTHS = 6,
    GUESSED = 450000,
    LEVEL = 1 << 20 /* elements: as many tiles as there are elements in a tile */
};

/* Lengths around those from which threads divide a line, around the ends of segments, and around
 * the end of a level of the blocked order. */
static uint32_t choose_length(uint32_t digit, uint64_t *random) {
    static const uint32_t lengths[LENGTHS] = {98304, 114688, 147456, 196608, 262144, LEVEL};
    static const int edges[] = {-1025, -1024, -17, -1, 0, 1, 15, 16, 17, 1023, 1024, 1025};
    const uint32_t count = sizeof edges / sizeof edges[0];
    const bool long_enough = lengths[digit] < LEVEL || random_once_in(random, 2);
    return (uint32_t)((int)lengths[long_enough ? digit : 0] + edges[random_below(random, count)]);
}

static void make_segments(kernel_case *c, uint64_t index, uint64_t *random) {
    static const unsigned counts[THREAD_COUNTS] = {2, 3, 4, 8};
    choose_all(c, random);
    uint32_t length = choose_length(take_digit(&index, LENGTHS), random);
    c->threads = counts[take_digit(&index, THREAD_COUNTS)];
    c->type = choose_type(take_digit(&index, TYPES));
    const bool exact = random_once_in(random, 6) && length < LEVEL / 2;
    c->numerics.order = random_once_in(random, 2) ? CUMSUM_ORDER_SEQUENTIAL : CUMSUM_ORDER_BLOCKED;
    if (exact)
        c->numerics.order = CUMSUM_ORDER_EXACT;
    if (exact)
        length /= 3;
    const uint32_t lines = random_once_in(random, 4) && length < LEVEL / 2 ? c->threads / 2 : 1;
    if (c->numerics.order == CUMSUM_ORDER_SEQUENTIAL && c->type == CUMSUM_DATA_TYPE_FLOAT32)
        length += GUESSED; /* shorter ones are left to one thread */
    const uint32_t forms = length < LEVEL / 2 ? FORM_OUTPUTS : FORM_ROWS + 1; /* for the memory */
    const line_form output = (line_form)random_below(random, forms);
    line_form input =
        random_once_in(random, 2) ? output : (line_form)random_below(random, FORM_INPUTS);
    if (input == FORM_PADDED_COLUMNS && length >= LEVEL / 2) /* up to 20 elements apart */
        input = FORM_SCATTERED;
    choose_lines(c, lines, length, input, output, random);
    c->in_place = input == output && random_once_in(random, 3);
    c->mode = random_once_in(random, 4) ? random_below(random, 16) : 0;
    c->workers_mode = random_once_in(random, 4) ? random_below(random, 16) : 0;
}

/* Interleaved lines that are longer than a level of the blocked order. */
static void make_long_columns(kernel_case *c, uint64_t index, uint64_t *random) {
    choose_all(c, random);
    c->type = take_digit(&index, 2) ? CUMSUM_DATA_TYPE_FLOAT16 : CUMSUM_DATA_TYPE_FLOAT32;
    c->numerics.order = CUMSUM_ORDER_BLOCKED;
    choose_lines(c, random_between(random, 2, 3), LEVEL + random_between(random, 1, 3000),
                 FORM_COLUMNS, FORM_COLUMNS, random);
}

const case_group group_long_columns = {"long-columns", "interleaved lines, longer than 1024 tiles",
                                       2, make_long_columns};

const case_group group_segments = {"segments", "few lines so long that threads divide them",
                                   (uint64_t)TYPES *THREAD_COUNTS *LENGTHS, make_segments};
