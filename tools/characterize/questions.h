/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_QUESTIONS_H
#define CUMSUM_TOOLS_QUESTIONS_H

/* The questions of a fingerprint: each is a function that runs lines and fills in its answer. */

#include "fingerprint.h"
#include "lines.h"

#define QUESTION_SEED 1

typedef struct inquiry {
    const line_runner *runner;
    fingerprint *f;
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
