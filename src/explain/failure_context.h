/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_EXPLAIN_FAILURE_CONTEXT_H
#define CUMSUM_EXPLAIN_FAILURE_CONTEXT_H

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

#include "compiler.h"
#include "element.h"
#include "judged.h"

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
    const cumsum_judged *judged;
    cumsum_judge_options options; /* of the judgement */
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
    bool suspect;                          /* no output fails, and `fails` has the suspect ones */
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
    unsigned char *made_x; /* room for twice the elements, of 8 bytes each; once if `suspect` */
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
    cumsum_explanation best;
} failure_context;

/* Takes the window of an output that does not pass, and judges it. False if there is none to
 * explain, or no memory. The caller calls cumsum_failure_close in any case. */
bool cumsum_failure_open(failure_context *c, const cumsum_judged *judged);
void cumsum_failure_close(failure_context *c);

/* Asks the oracle for c->verdicts on lines of `length` elements in traversal order. False if it has
 * none to give. _as: elements of another type, or with other options. */
bool cumsum_failure_judge(failure_context *c, const unsigned char *x, const unsigned char *y,
                          uint64_t lines, uint64_t length, bool exclusive);
bool cumsum_failure_judge_as(failure_context *c, cumsum_data_type type, const unsigned char *x,
                             const unsigned char *y, const cumsum_judge_options *options);

/* Judges other elements, or other outputs, in the lines of the window; and tensors of the window's
 * sizes. Marks what the oracle accepts. */
bool cumsum_failure_mark_lines(failure_context *c, const unsigned char *x, const unsigned char *y,
                               bool exclusive);
bool cumsum_failure_mark_rows(failure_context *c, const unsigned char *rows_x,
                              const unsigned char *rows_y, uint32_t axis);

/* Does the oracle accept this of c->verdicts, as MARK_YES or MARK_NO? */
static inline uint8_t mark_of(uint8_t verdict) {
    return verdict < CUMSUM_VERDICT_MAY_OVERFLOW ? MARK_YES : MARK_NO;
}

/* Marks output i of the window by element j of the last judgement, which leaves that error. */
void cumsum_failure_take_mark(failure_context *c, uint64_t i, uint64_t j);

/* Elements of the lines of the window, or of what a hypothesis makes of them. */
static inline uint64_t element_at(const failure_context *c, const unsigned char *elements,
                                  uint64_t i) {
    return element_load(elements + i * c->element_size, c->type);
}

static inline void set_element(const failure_context *c, unsigned char *elements, uint64_t i,
                               uint64_t bits) {
    element_store(elements + i * c->element_size, c->type, bits);
}

/* The difference of two elements; of integers modulo 2^N, with its sign. */
static inline double element_difference(const failure_context *c, uint64_t a, uint64_t b) {
    const uint32_t up = 64 - 8 * c->element_size;
    if (element_is_float(c->type))
        return element_value(c->type, a) - element_value(c->type, b);
    return ldexp((double)(int64_t)((a - b) << up), -(int)up);
}

/* Half a unit in the last place of an element; 0 of integers. */
static inline double rounding_at(const failure_context *c, const unsigned char *elements,
                                 uint64_t i) {
    return element_is_float(c->type)
               ? ldexp(fabs(element_value(c->type, element_at(c, elements, i))),
                       -1 - (int)element_fraction_bits(c->type))
               : 0;
}

/* What an output is above its exact sum. */
static inline double error_of(const failure_context *c, uint64_t i) {
    return element_difference(c, element_at(c, c->y, i), element_at(c, c->sums, i));
}

/* The coordinates of [line][position] in the tensor. */
void cumsum_failure_place(const failure_context *c, char text[LAYOUT_TEXT], uint64_t i);

/* Counts the marks, and keeps the hypothesis if it is better than the best so far: certain, by
 * c->bits, or else explaining more. The format gives its text. */
void cumsum_failure_propose(failure_context *c, const char *name, const char *format, ...)
    CUMSUM_PRINTF(3, 4);

/* Hypotheses about the errors of lines (error_steps.c): of outputs that fail, and of suspect ones,
 * whose error jumps, and stays or comes back. */
void cumsum_try_error_steps(failure_context *c);
void cumsum_try_error_jumps(failure_context *c);

/* All hypotheses about outputs that fail (hypotheses.c). */
void cumsum_try_hypotheses(failure_context *c);

#endif
