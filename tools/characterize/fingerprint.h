/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FINGERPRINT_H
#define CUMSUM_TOOLS_FINGERPRINT_H

/* Everything that is found out about the sums of a line_runner: the order of its additions, their
 * arithmetic, and an answer to each question about the bits and about special numbers. */

#include "lines.h"
#include "saved_order.h"

/* In the order in which they are asked and shown. */
typedef enum question {
    QUESTION_RUNS,       /* do the bits depend on the run? */
    QUESTION_LINE,       /* ... on the line's number? */
    QUESTION_LINES,      /* ... on how many lines there are at once? */
    QUESTION_LENGTH,     /* ... on how many elements follow? */
    QUESTION_LAYOUT,     /* ... on the layout of the tensors? */
    QUESTION_DIRECTION,  /* ... on the direction? */
    QUESTION_SUM,        /* do exclusive sums have the bits of inclusive ones? */
    QUESTION_PLACE,      /* does the order go on in long lines? */
    QUESTION_PREFIX,     /* does an output depend on its prefix alone? */
    QUESTION_NEIGHBOURS, /* does a line keep its bits among lines of NaN? */
    QUESTION_SHORT,      /* have very short lines the bits of long ones? some programs crash here */
    QUESTION_ACCUMULATOR, /* is it wider than the type? asked if there is no order, which tells it
                           */
    QUESTION_ROUNDING,
    QUESTION_SUBNORMALS,
    QUESTION_ZEROS,
    QUESTION_NAN,
    QUESTION_INFINITY,
    QUESTION_OVERFLOW,
    QUESTION_INTEGERS,
    QUESTION_COUNT
} question;

typedef enum answer_outcome {
    ANSWER_NOT_ASKED,  /* another answer makes the question meaningless */
    ANSWER_SAME,       /* same bits */
    ANSWER_ZEROS,      /* same bits, but for the signs of zeros */
    ANSWER_DIFFERS,    /* other bits */
    ANSWER_GIVEN,      /* an answer in words */
    ANSWER_WRONG,      /* no correct implementation gives this answer */
    ANSWER_UNAVAILABLE /* the implementation does not support what is asked */
} answer_outcome;

typedef struct answer {
    answer_outcome outcome;
    char words[160];  /* the answer: "same bits in every layout" */
    char text[1100];  /* what was compared, what differs, or why it could not run */
    uint32_t adapted; /* bits of line_runner.adapted */
} answer;

typedef enum fingerprint_state {
    FINGERPRINT_UNKNOWN, /* a run failed before the order was found */
    FINGERPRINT_ORDER,   /* there is an order */
    FINGERPRINT_NONE,    /* no order of additions gives the outputs */
    FINGERPRINT_UNSTABLE /* lines with the same elements have other bits */
} fingerprint_state;

#define FINGERPRINT_NAMES 24

typedef struct fingerprint {
    line_block block;
    uint32_t adapted; /* for the block's lines */
    fingerprint_state state;
    char reason[1100]; /* why there is no order */
    saved_order order;
    named_order names[FINGERPRINT_NAMES]; /* all that fit; order.name is the first */
    size_t name_count;
    uint64_t probes; /* lines that were probed for the trees, in ... */
    uint64_t runs;
    answer answers[QUESTION_COUNT];
} fingerprint;

/* "runs", "line", ... */
const char *question_name(question asked);

/* Takes the fingerprint of lines of the block's shape; the same lines run `runs` times, and a
 * few lines have `longest` elements. TOOL_OK whatever is found; otherwise a run failed, the error
 * names the question, and the answers to those before it are there. fingerprint_free frees what it
 * holds in any case. */
tool_status fingerprint_take(fingerprint *f, const line_runner *runner, const line_block *block,
                             uint32_t runs, uint32_t longest, tool_error *error);
void fingerprint_free(fingerprint *f);

/* Was one order found that gives all the bits that were seen, and is no answer wrong? Zeros may
 * differ in their signs. */
bool fingerprint_holds(const fingerprint *f);

#endif
