/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FAILURE_CONTEXT_H
#define CUMSUM_TOOLS_FAILURE_CONTEXT_H

/*
 * What the hypotheses look at: the elements of a window of the tensors, and what the oracle says of
 * the outputs. A hypothesis marks the outputs that it accepts, and proposes itself.
 *
 * The window is the tensor, or a box of a large one that holds its first failure. Its lines start
 * where the tensor's do, so that its outputs are the sums of its inputs. Of a line that is too long
 * for a window the first element is replaced by the output there, which passes, so that it is the
 * carry-in of the outputs after it.
 */

#include <math.h>
#include <stdbool.h>

#include "judged_output.h"

/*
 * A name needs evidence beyond the oracle's bound, which long sums make wide. It is counted in
 * bits: of 2^bits outputs that are wrong by chance one would fit as well, or of as many names one.
 * Below 0 bits a name says nothing.
 */
#define BITS_CERTAIN   10.0
#define BITS_POSSIBLE  0.0
#define BITS_OF_CHOICE 4.0                /* there are some 16 hypotheses */
#define LITERAL        ((double)INFINITY) /* the outputs are, bit for bit, what the name says */

/* What a hypothesis says of an output. */
enum {
    MARK_NO,
    MARK_YES,
    MARK_OPEN /* nothing: it does not say what is there */
};

typedef struct failure_context {
    const judged_output *judged;
    cumsum_data_type type;
    uint32_t element_size;
    bool decreasing;
    bool exclusive;
    uint32_t axis;
    layout window;                         /* packed; of the output, but for a large tensor */
    uint32_t start[CUMSUM_MAX_DIMENSIONS]; /* of the window in the tensor */
    bool whole;                            /* the window is the tensor */
    bool whole_lines;                      /* no line is cut off */
    bool carried;                          /* the window begins inside a line */
    bool doubtful;                         /* no output fails, and `fails` has the doubtful ones */
    uint64_t lines;                        /* window.count = lines * length */
    uint64_t length;                       /* of a line */
    uint32_t *indices;     /* [line][position in traversal order]: row-major index in the window */
    unsigned char *rows_x; /* input and output in row-major order */
    unsigned char *rows_y;
    unsigned char *x; /* input and output, [line][position in traversal order] */
    unsigned char *y;
    uint8_t *fails;        /* [line][position]: does the output fail? */
    uint8_t *marks;        /* [line][position]: MARK_* of the hypothesis that is tried */
    double *left;          /* [line][position]: the error that the hypothesis leaves */
    unsigned char *sums;   /* [line][position]: the exact sums, rounded */
    unsigned char *made_x; /* room for twice the elements, of 8 bytes each; once if `doubtful` */
    unsigned char *made_y;
    unsigned char *made_sums; /* of the last judgement; so is what follows */
    uint8_t *verdicts;
    const unsigned char *asked;
    double h;
    double bits; /* evidence for the hypothesis that is tried */
    double grid; /* elements are multiples of twice this */
    uint64_t failing;
    bool explained_all; /* nothing better can come */
    bool unwritten;     /* all that fails is one value, or as it was: steps would say less */
    bool wraps;         /* all that fails is right modulo a smaller 2^k: a carry says less */
    explanation best;
} failure_context;

/* Takes the window of an output that does not pass, and judges it. False if there is none to
 * explain, or no memory. The caller calls failure_context_free in any case. */
bool failure_context_init(failure_context *c, const judged_output *judged);
void failure_context_free(failure_context *c);

/* Asks the oracle for c->verdicts on lines of `length` elements in traversal order. False if it has
 * none to give. _as: elements of another type, or with other options. */
bool judge_lines(failure_context *c, const unsigned char *x, const unsigned char *y, uint64_t lines,
                 uint64_t length, bool exclusive);
bool judge_lines_as(failure_context *c, cumsum_data_type type, const unsigned char *x,
                    const unsigned char *y, const cumsum_judge_options *options);

/* Judges other elements, or other outputs, in the lines of the window; and tensors of the window's
 * sizes. Marks what the oracle accepts. */
bool mark_lines(failure_context *c, const unsigned char *x, const unsigned char *y, bool exclusive);
bool mark_rows(failure_context *c, const unsigned char *rows_x, const unsigned char *rows_y,
               uint32_t axis, bool decreasing, bool exclusive);

/* Does the oracle accept this of c->verdicts, as MARK_YES or MARK_NO? */
uint8_t mark_of(uint8_t verdict);

/* Marks output i of the window by element j of the last judgement, which leaves that error. */
void take_mark(failure_context *c, uint64_t i, uint64_t j);

/* Elements of the lines of the window, or of what a hypothesis makes of them. */
uint64_t element_at(const failure_context *c, const unsigned char *elements, uint64_t i);
void set_element(const failure_context *c, unsigned char *elements, uint64_t i, uint64_t bits);

/* The difference of two elements; of integers modulo 2^N, with its sign. */
double element_difference(const failure_context *c, uint64_t a, uint64_t b);

/* Half a unit in the last place of an element; 0 of integers. */
double rounding_at(const failure_context *c, const unsigned char *elements, uint64_t i);

/* How much an error tells: where all elements are multiples of a number, of 1 for integers, every
 * error is one, and no error is known better than by its rounding. */
double error_grain(const failure_context *c, uint64_t i);

/* The coordinates of [line][position] in the tensor. */
void place_text(const failure_context *c, char text[LAYOUT_TEXT], uint64_t i);

/* Counts the marks, and keeps the hypothesis if it is better than the best so far: certain, by
 * c->bits, or else explaining more. The format gives its text. */
void propose(failure_context *c, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Hypotheses about the errors of lines (error_steps.c): of outputs that fail, and of doubtful ones,
 * whose error jumps, and stays or comes back. */
void try_error_steps(failure_context *c);
void try_error_jumps(failure_context *c);

#endif
