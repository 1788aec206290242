/* SPDX-License-Identifier: MIT */
/* Bugs of blocks over two dimensions, one of which is contiguous in the input and the other in the
 * output: squares that are not transposed, and ends of blocks. The outputs are right at first, and
 * then some of them are replaced by others. */
#include "mutant.h"

#include <string.h>

enum {
    SQUARE = 8,
    ROWS = 4
};

/* Of 3 dimensions or more, one is contiguous in each tensor, and neither is the axis. */
typedef struct crossing {
    uint32_t column; /* contiguous in the input */
    uint32_t row;    /* contiguous in the output */
} crossing;

static uint32_t contiguous(const mutant_view *v, const mutant_tensor *tensor) {
    uint32_t d = 0;
    while (d < v->rank && (tensor->strides[d] != 1 || v->sizes[d] < SQUARE || d == v->axis))
        d++;
    return d;
}

static bool find_crossing(const mutant_view *v, crossing *c) {
    c->column = contiguous(v, &v->input);
    c->row = contiguous(v, &v->output);
    return c->column < v->rank && c->row < v->rank && c->column != c->row;
}

/* Where the output at `index` is taken from: changes `index`. */
typedef void misplacement(const mutant_view *v, const crossing *c, uint32_t *index);

static void misplace(const mutant_view *v, unsigned char *output, misplacement *from) {
    uint32_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    crossing c;
    if (!find_crossing(v, &c))
        return;
    do {
        uint32_t source[CUMSUM_MAX_DIMENSIONS];
        memcpy(source, index, sizeof source);
        from(v, &c, source);
        memmove(output + mutant_place(v, &v->output, index),
                output + mutant_place(v, &v->output, source), v->element_size);
    } while (mutant_next(v, index, CUMSUM_MAX_DIMENSIONS));
}

/* One triangle of the first square is that of the other side. */
static void mirrored(const mutant_view *v, const crossing *c, uint32_t *index) {
    const uint32_t row = index[c->row], column = index[c->column];
    (void)v;
    if (row < SQUARE && column < SQUARE) {
        index[c->row] = row < column ? row : column;
        index[c->column] = row < column ? column : row;
    }
}

static void square_mirrored(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    misplace(v, output, mirrored);
}

static void before_the_rest(uint32_t size, uint32_t *index) {
    const uint32_t whole = size / SQUARE * SQUARE;
    *index = *index >= whole ? whole - 1 : *index;
}

static void row_rest(const mutant_view *v, const crossing *c, uint32_t *index) {
    before_the_rest(v->sizes[c->row], &index[c->row]);
}

static void row_rest_repeated(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    misplace(v, output, row_rest);
}

static void column_rest(const mutant_view *v, const crossing *c, uint32_t *index) {
    before_the_rest(v->sizes[c->column], &index[c->column]);
}

static void column_rest_repeated(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    misplace(v, output, column_rest);
}

/* The last element of both dimensions only: the corner that no whole square reaches. */
static void corner(const mutant_view *v, const crossing *c, uint32_t *index) {
    const bool last =
        index[c->row] + 1 == v->sizes[c->row] && index[c->column] + 1 == v->sizes[c->column];
    if (last && v->sizes[c->row] % SQUARE && v->sizes[c->column] % SQUARE)
        index[c->row]--;
}

static void corner_repeated(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    misplace(v, output, corner);
}

/* Rows behind the first four are those of the buffer as it was. */
static void rows_of_before(const mutant_view *v, const crossing *c, uint32_t *index) {
    (void)c;
    if (index[v->axis] / ROWS == 1)
        index[v->axis] -= ROWS;
}

static void rows_repeated(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    misplace(v, output, rows_of_before);
}

/* Behind 64 columns the first ones follow again. */
static void columns_of_before(const mutant_view *v, const crossing *c, uint32_t *index) {
    (void)v;
    index[c->column] %= SQUARE * SQUARE;
}

static void columns_wrapped(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    misplace(v, output, columns_of_before);
}

const mutant mutants_crossed[] = {
    {"square-mirrored", "a square is not transposed above its diagonal", .spill = square_mirrored,
     .scope = MUTANT_KERNELS_ONLY},
    {"row-rest-repeated", "lines behind the last whole square are the one before",
     .spill = row_rest_repeated, .scope = MUTANT_KERNELS_ONLY},
    {"column-rest-repeated", "groups behind the last whole square are the one before",
     .spill = column_rest_repeated, .scope = MUTANT_KERNELS_ONLY},
    {"corner-repeated", "the last line of the last group is the line before",
     .spill = corner_repeated, .scope = MUTANT_KERNELS_ONLY},
    {"rows-repeated", "the rows behind the first four are these again", .spill = rows_repeated,
     .scope = MUTANT_KERNELS_ONLY},
    {"columns-wrapped", "behind 64 groups the first ones follow again", .spill = columns_wrapped,
     .scope = MUTANT_KERNELS_ONLY},
    {.name = NULL}};
