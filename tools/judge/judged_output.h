/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGED_OUTPUT_H
#define CUMSUM_TOOLS_JUDGED_OUTPUT_H

/*
 * An output, what it was computed from, and what is known of it: the oracle's judgement, what a
 * wrong output is instead, and what is worth a look in one that passes. The library makes the words
 * and the members (cumsum/explain.h).
 */

#include <cumsum/explain.h>
#include <cumsum/segments.h>
#include <stdio.h>

#include "json_tree.h"
#include "layout.h"
#include "report.h"
#include "word_table.h"

/* What passes beside the expected bits (--accept). Each takes what the one before takes. */
typedef enum accept_choice {
    ACCEPT_BITS,       /* nothing */
    ACCEPT_CONFORMANT, /* other bits of which the oracle does not say FAIL or SUSPECT */
    ACCEPT_SUSPECT,    /* suspect ones as well */
    ACCEPT_DECIDED     /* judge: only what passes, without outputs that may overflow */
} accept_choice;

extern const word_row accept_words[];       /* the choices of commands that expect bits */
extern const word_row judge_accept_words[]; /* the choices of judge, which expects none */

/* " --accept conformant", and "" for the default of most commands, which is "bits". */
const char *accept_option(accept_choice accept);

typedef struct judged_output {
    const cumsum_operator_desc *desc; /* the output tensor has the layout of `output`; NULL: these
                                         are sums over axes, which have no lines */
    const unsigned char *input;       /* the element with all indices 0, as the operator read it */
    uint64_t input_in_bytes;          /* readable from there on */
    const unsigned char *output;
    uint64_t output_in_bytes;
    const unsigned char *before; /* the output before the operator ran, laid out as `output`; NULL
                                    if it is not known */
    cumsum_judge_options options;
    const char *profile;           /* the text of the only arithmetic that counts, or NULL */
    cumsum_profile profile_values; /* what it says of this type */

    layout tensor; /* of the output */
    cumsum_judgement judgement;
    const cumsum_sums_desc *sums; /* of sums over axes, which have no desc */
    uint64_t closer;              /* of these */
    cumsum_explanation instead;   /* what the output is, and what is worth a look in it */
    bool measure;                 /* judged_output_explain measures the errors */
    bool range;                   /* and counts the sums that their type does not hold */
    const uint64_t (*places)[CUMSUM_MAX_DIMENSIONS]; /* of `first`, `worst` and the doubt of an
                                                        array that is larger than a tensor, or has
                                                        segments, else NULL */
    const cumsum_segments *segments;                 /* NULL: lines are whole */
    cumsum_pieces_judgement pieces;                  /* of segments: what `places` points to */
    cumsum_segment gravest;                          /* the one that the first finding is in */
} judged_output;

/* Makes options.profile of the text, for the type of the tensor. Statuses as of
 * cumsum_profile_read. */
cumsum_status judged_output_read_profile(judged_output *o, cumsum_diagnostic *diagnostic);

/* Asks the oracle. Sets tensor and judgement. */
cumsum_status judged_output_ask(judged_output *o, cumsum_diagnostic *diagnostic);

/* Sets `instead` of an output that has been judged. */
void judged_output_explain(judged_output *o);

/* Writes some cumsum_text_parts of the judgement. Returns whether there is anything in them. */
bool show_judgement(FILE *out, const judged_output *o, uint32_t parts);

/* "PASS: ", "FAIL: " or "SUSPECT: ", and the words of a judgement. The caller frees it. */
char *judgement_sentence(const judged_output *o);

/* Explains those of its terms that occur in `words` and are not yet in *explained, which begins
 * with 0: on one line, or if verbose in full. */
void show_judgement_legend(FILE *out, const char *indent, const char *words, bool verbose,
                           uint32_t *explained);

/* The members of a judgement, as cumsum_judgement_json has them. */
json_object *judgement_object(const judged_output *o);

/* RESULT_PASS, RESULT_FAIL, or RESULT_SUSPECT if nothing but doubt is wrong. */
result_status judgement_status(const cumsum_judgement *j);

/* The same of other bits than the expected ones, which pass only if `accept` takes them. */
result_status judgement_status_of_other_bits(const cumsum_judgement *j, accept_choice accept);

#endif
