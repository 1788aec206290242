/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FINGERPRINT_H
#define CUMSUM_TOOLS_FINGERPRINT_H

/* Everything that is found out about the sums of a line_runner: the order of its additions, their
 * arithmetic, and an answer to each question about what the bits depend on. */

#include "known_order.h"
#include "lines.h"

/* The questions: each is a function that runs lines and fills in its answer. */

/* In the order in which they are asked and shown. */
typedef enum question {
    QUESTION_RUNS,        /* do the bits depend on the run? */
    QUESTION_LINE,        /* ... on the line's number? */
    QUESTION_LINES,       /* ... on how many lines there are at once? */
    QUESTION_LENGTH,      /* ... on how many elements follow? */
    QUESTION_LAYOUT,      /* ... on the layout of the tensors? */
    QUESTION_PLACE,       /* does the order go on in long lines? */
    QUESTION_ACCUMULATOR, /* is it wider than the type? asked if no order tells it */
    QUESTION_COUNT
} question;

typedef enum answer_outcome {
    ANSWER_NOT_ASKED,  /* another answer makes the question meaningless */
    ANSWER_SAME,       /* same bits */
    ANSWER_ZEROS,      /* same bits, but for the signs of zeros */
    ANSWER_DIFFERS,    /* other bits */
    ANSWER_GIVEN,      /* an answer in words */
    ANSWER_UNAVAILABLE /* the implementation does not support what is asked */
} answer_outcome;

typedef struct answer {
    answer_outcome outcome;
    char words[160];  /* the answer: "same bits in every layout" */
    char text[400];   /* what was compared, what differs, or why it could not run */
    uint32_t adapted; /* bits of line_runner.adapted */
} answer;

#define QUESTION_SEED 1

typedef struct inquiry {
    const line_runner *runner;
    answer *answers;    /* of all questions */
    uint32_t runs;      /* how often the same lines run */
    uint32_t repeated;  /* how often they ran again so far */
    line_trial lines;   /* many lines of the length that is examined, with their outputs */
    line_trial longs;   /* a few lines, much longer; without outputs if they are not available */
    const char *asked;  /* for the error */
    tool_status status; /* of the run that failed: nothing runs after it */
    tool_error *error;
} inquiry;

/* The trial's answer: the outcome, the words, and the text as of printf. */
void answer_give(answer *a, answer_outcome outcome, const char *words, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* line_questions.c. The bits are compared with those of the same elements elsewhere, so nothing
 * needs to be known of the order in which they are added. */
typedef void ask_question(inquiry *q, answer *a);
ask_question ask_runs, ask_line, ask_lines, ask_length, ask_layout, ask_accumulator;

/* Runs both trials once more, for QUESTION_RUNS. */
void ask_runs_again(inquiry *q);

/* Are the bits those of the elements alone, for lines of the length that is examined? */
bool inquiry_stable(const inquiry *q);

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
    known_order order;
    named_order names[FINGERPRINT_NAMES]; /* all that fit; order.name is the first */
    size_t name_count;
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

/* Was one order found that gives all the bits that were seen? Zeros may differ in their signs. */
bool fingerprint_holds(const fingerprint *f);

/* The steps: orders that are found, and compared with the outputs of test data. */

/* Finds the trees of lines of the block's shape, with as many runs of the block as it takes. The
 * order has no name yet, or that of ORDER_EXACT, if the additions do not round: there are no trees
 * to find. TOOL_NOT_FOUND if no trees of additions of two give the outputs. On TOOL_OK
 * known_order_free frees what was found. */
tool_status order_discover(const line_runner *runner, const line_block *block, known_order *found,
                           tool_error *error);

/* Finds the arithmetic with which the order gives every bit of the trial, and stores it in
 * order->arithmetic. False if there is none: the order is not the one that was computed. *d is then
 * the first output that differs in the most common arithmetic. */
bool order_fit(known_order *order, const line_trial *t, line_difference *d);

/* Compares the outputs that the order knows, of all lines. */
line_difference order_compare(const known_order *order, const line_trial *t);

/* Keeps those of *count names that give all outputs of a trial of long lines, in the arithmetic of
 * `order`; *compared receives how many outputs of each line could be compared. If there are none,
 * names of blocks that are too long for the short lines are looked for. If there are none of these,
 * the list keeps the one that gives the most outputs, and the first one that it does not give is
 * returned. */
line_difference order_keep_names(const known_order *order, const line_trial *t, named_order *names,
                                 size_t *count, uint32_t *compared);

/* Reads from the trial's line of -0 which outputs keep it. Sets any_zero if they are some, but not
 * the first ones. */
void order_fit_zeros(order_arithmetic *how, const line_trial *t);

#endif
