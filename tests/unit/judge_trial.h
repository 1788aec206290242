/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_JUDGE_TRIAL_H
#define CUMSUM_TESTS_JUDGE_TRIAL_H

/*
 * Tensors for comparing two ways to judge: input, outputs, layout and options, all drawn from a
 * seed. Most outputs are those of an order of additions; some are put at the ends of what a rule
 * accepts, one step beyond them, or at the places where a loop over blocks begins or ends.
 */

#include "binary_format.h"
#include "rule.h"

#include <cumsum/oracle.h>

#include <stddef.h>

/* The outputs that are compared in every run of the tests. */
#define JUDGE_TRIAL_OUTPUTS 6000000

/* What a trial is about. */
typedef enum judge_theme {
    THEME_NEAR_TIES, /* correctly rounded sums nearly halfway between two outputs; one is wrong */
    THEME_SPARSE,    /* most terms are zeros, so that prefixes are short */
    THEME_LIMITS,    /* errors at the limits of the classes, and at the largest one before */
    THEME_FAILS,     /* most outputs are wrong */
    THEME_ZEROS,     /* sums that are zero, some of them -0 */
    THEME_ANYTHING
} judge_theme;

typedef struct judge_trial {
    cumsum_data_type type;
    const binary_format *format; /* NULL: integers */
    uint32_t element_size;
    bool exclusive;
    bool decreasing;
    judge_theme theme;
    bool sequential; /* a long line, whose sums are sequential */
    bool deep;       /* lines of large terms that cancel and of others far below */
    bool many;       /* short lines, enough to be judged side by side; */
    bool alike;      /* all of them have the same terms */
    uint32_t lines;
    uint32_t n;  /* elements of a line */
    uint64_t *x; /* the bits of the elements, line after line in traversal order */
    uint64_t *y; /* the bits of the outputs */
    cumsum_judge_options options;
    /* The tensors in memory. Nothing may be read outside of the elements. */
    uint32_t axis;
    uint32_t sizes[2];
    uint32_t input_strides[2];
    uint32_t output_strides[2];
    unsigned char *memory[2]; /* of input and output */
    unsigned char *first[2];  /* the elements with all indices 0 */
    uint64_t bytes[2];
} judge_trial;

/* What a judgement says. */
typedef struct judge_answer {
    cumsum_status status;
    cumsum_judgement judgement;
    uint8_t *verdicts;
} judge_answer;

typedef cumsum_status judge_function(const cumsum_operator_desc *desc, const void *input,
                                     uint64_t input_in_bytes, const void *actual,
                                     uint64_t actual_in_bytes, const cumsum_judge_options *options,
                                     uint8_t *verdicts, cumsum_judgement *judgement,
                                     cumsum_diagnostic *diagnostic);

/* Ends the program if there is no memory. The caller ends the trial. */
judge_trial judge_trial_begin(uint64_t seed);
void judge_trial_end(judge_trial *t);

/* The caller frees the verdicts. */
judge_answer judge_trial_judge(const judge_trial *t, judge_function *judge);

/* The first thing in which two answers differ; NULL if nothing does. */
const char *judge_trial_difference(const judge_trial *t, const judge_answer *a,
                                   const judge_answer *b);

/* One line, for a message. */
void judge_trial_show(const judge_trial *t, uint64_t seed);

/* Memory that is there, or the program ends. */
void *judge_trial_memory(size_t bytes);

/* In judge_trial_data.c: a number in a format, the elements of a line, and the sums of its
 * prefixes. */
uint64_t judge_trial_bits(const binary_format *f, double value);
void judge_trial_fill(const judge_trial *t, uint64_t *x, uint64_t *state);
void judge_trial_exact(const judge_trial *t, const uint64_t *x, uint64_t *y);
void judge_trial_sum(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state);

/* In judge_trial_outputs.c: replaces outputs of a line. `h` is the largest error of the lines
 * before (docs/oracle.md). */
void judge_trial_tamper(const judge_trial *t, const uint64_t *x, uint64_t *y, double h,
                        uint64_t *state);

/* The largest error of a line, nearly; 0 for integers. */
double judge_trial_error(const judge_trial *t, const uint64_t *x, const uint64_t *y);

#endif
