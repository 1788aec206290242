/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_QUESTIONS_H
#define CUMSUM_TOOLS_QUESTIONS_H

/* The questions of a fingerprint: each is a function that runs lines and fills in its answer. */

#include "lines.h"

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

/* Runs the lines. False if that is not available, which the answer then says, or has failed. */
bool inquiry_run(inquiry *q, answer *a, line_trial *t);

/* The trial's answer: the outcome, the words, and the text as of printf. */
void answer_give(answer *a, answer_outcome outcome, const char *words, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* line_questions.c. The bits are compared with those of the same elements elsewhere, so nothing
 * needs to be known of the order in which they are added. */
typedef void ask_question(inquiry *q, answer *a);
ask_question ask_runs, ask_line, ask_lines, ask_length, ask_short, ask_layout, ask_direction;
ask_question ask_sum;
ask_question ask_prefix, ask_neighbours; /* with lines of NaN */

/* Runs both trials once more, for QUESTION_RUNS. */
void ask_runs_again(inquiry *q);

/* Are the bits those of the elements alone, for lines of the length that is examined? */
bool inquiry_stable(const inquiry *q);

/* number_questions.c. Short lines of special numbers. */
ask_question ask_accumulator, ask_rounding, ask_subnormals, ask_zeros, ask_nan, ask_infinity;
ask_question ask_overflow, ask_integers;

#endif
