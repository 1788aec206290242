/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TESTS_JUDGE_TRIAL_H
#define CUMSUM_TESTS_JUDGE_TRIAL_H

/*
 * Tensors for comparing two ways to judge: input, outputs, layout and options, all drawn from a
 * seed. Most outputs are those of an order of additions; some are put at the ends of what a rule
 * accepts, one step beyond them, or at the places where vectors and tiles begin or end.
 */

#include "binary_format.h"
#include "rule.h"
#include "scan_case.h"

#include <cumsum/oracle.h>

#include <stddef.h>

/* What a trial is about: most of its data and its wrong outputs. */
typedef enum judge_theme {
    THEME_NEAR_TIES, /* correctly rounded sums nearly halfway between two outputs; one is wrong */
    THEME_SPARSE,    /* most terms are zeros, so that prefixes are short */
    THEME_LIMITS,    /* errors at the limits of the classes, and at the largest one before */
    THEME_FAILS,     /* most outputs are wrong */
    THEME_ZEROS,     /* sums that are zero, some of them -0 */
    THEME_DOUBT,     /* errors that grow or jump, of sums that are easy to add */
    THEME_BESIDE,    /* FLOAT32 and FLOAT16: lines beside each other, which vectors judge together,
                        a few of which are near one of the limits */
    THEME_LARGE,     /* FLOAT16: sums of which binary64 does not hold the smallest numbers */
    THEME_ANYTHING
} judge_theme;

/* Of the limits of THEME_BESIDE: another number than the nearest one. */
#define BESIDE_NEAR_TIES 7

typedef struct judge_trial {
    cumsum_data_type type;
    const binary_format *format; /* NULL: integers */
    uint32_t element_size;
    judge_theme theme;
    bool exclusive;
    bool decreasing;
    bool sequential; /* the sums are */
    bool alike;      /* all lines have the same terms */
    bool bounds;     /* wrong outputs are near the bound of verdict 1 */
    uint32_t limit;  /* THEME_BESIDE: which limit all wrong outputs are near to */
    uint32_t axis;   /* 1 or 2 */
    uint32_t rows;   /* lines that differ in the other one of these dimensions */
    uint32_t lines;
    uint32_t n;  /* elements of a line */
    uint64_t *x; /* the bits of the elements, line after line in traversal order */
    uint64_t *y; /* the bits of the outputs */
    cumsum_judge_options options;
    bool by_profile;
    cumsum_profile profile;
    /* The tensors in memory, input and output. Nothing may be read outside of the elements. */
    uint32_t sizes[3];
    uint32_t strides[2][3];
    unsigned char *memory[2];
    unsigned char *first[2]; /* the elements with all indices 0 */
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

/* Where element k of a line is, in traversal order, with lines of `n` elements. */
size_t judge_trial_offset(const judge_trial *t, const uint32_t *strides, uint32_t n, uint32_t line,
                          uint32_t k);

/* The descriptor of the trial with other sizes, packed, or as `strides` has it. */
void judge_trial_describe(const judge_trial *t, const uint32_t sizes[3],
                          const uint32_t strides[2][3], scan_case *c);

/* The caller frees the verdicts. */
judge_answer judge_trial_judge(const judge_trial *t, judge_function *judge);

/* NULL if two answers say the same; else what each says, until the next call. h and what follows
 * from it may differ by a relative 2^-20. */
const char *judge_trial_difference(const judge_trial *t, uint64_t seed, const judge_answer *a,
                                   const judge_answer *b);

/* Memory that is there, or the program ends. */
void *judge_trial_memory(size_t bytes);

/* Are the sums of a trial exact ones, each rounded once? */
static inline bool judge_trial_is_rounded(const judge_trial *t) {
    return t->theme == THEME_NEAR_TIES || t->theme == THEME_LARGE ||
           (t->theme == THEME_BESIDE && t->limit % 8 == BESIDE_NEAR_TIES);
}

/* In judge_trial_data.c: the elements of a line, and the sums of its prefixes in an order and an
 * arithmetic that are drawn. */
void judge_trial_fill(const judge_trial *t, uint64_t *x, uint64_t *state);
/* Changes a few terms a little, so that other sums are rounded. */
void judge_trial_alter(const judge_trial *t, uint64_t *x, uint64_t *state);
void judge_trial_sum(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state);

/* In judge_trial_outputs.c: replaces outputs of a line. */
void judge_trial_tamper(const judge_trial *t, const uint64_t *x, uint64_t *y, uint64_t *state);

#endif
