/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGED_OUTPUT_H
#define CUMSUM_TOOLS_JUDGED_OUTPUT_H

/*
 * An output, what it was computed from, and what is known of it: the oracle's judgement, what a
 * wrong output is instead, and what is worth a look in one that passes. Everything that is shown or
 * written of a judgement is made from this record.
 */

#include <cumsum/oracle.h>
#include <json-c/json.h>
#include <stdio.h>

#include "layout.h"
#include "report.h"
#include "word_table.h"

/* What passes beside the expected bits (--accept). Each takes what the one before takes. */
typedef enum accept_choice {
    ACCEPT_BITS,       /* nothing */
    ACCEPT_CONFORMANT, /* other bits of which the oracle does not say FAIL or DOUBTFUL */
    ACCEPT_DOUBTFUL    /* doubtful ones as well */
} accept_choice;

extern const word_row accept_words[];

/* " --accept conformant", and "" for the default of most commands, which is "bits". */
const char *accept_option(accept_choice accept);

/* What a wrong output is instead of the sums: the inclusive ones, those along another axis, ...
 * docs/oracle.md, "What a FAIL says", has the list. */
typedef struct explanation {
    const char *name;   /* "inclusive"; NULL if nothing explains the outputs that fail */
    char text[400];     /* "the inclusive sums" */
    bool certain;       /* else they could be, but chance might do it too */
    uint64_t explained; /* outputs that fail, and that the hypothesis explains */
    uint64_t failing;   /* of those that were looked at */
    uint64_t looked_at; /* fewer than the outputs if the tensor is large */
    uint64_t outputs;
} explanation;

/* What is worth a look in an output that passes, or is doubtful. Notes are no verdicts, and change
 * no exit status. docs/oracle.md says what each one means. */
typedef enum note_kind {
    NOTE_WEAK_PASS,     /* the worst output is off by an eighth of its terms' magnitudes, or more */
    NOTE_MOVED_AT_ZERO, /* it differs from the one before, and the term between them is 0 */
    NOTE_NOT_MONOTONIC, /* it goes back, and all of its terms have one sign */
    NOTE_NARROW_PASS,   /* it passes as a sum of a 16-bit accumulator alone */
    NOTE_STEP,          /* unlike nearly all, it is not the one before plus its newest term; also of
                           doubtful outputs */
    NOTE_KINDS
} note_kind;

typedef struct output_note {
    uint64_t count;                        /* of outputs; of a weak pass 1 */
    uint32_t first[CUMSUM_MAX_DIMENSIONS]; /* the first of them in row-major order; of a narrow pass
                                              the place of the doubt */
} output_note;

typedef struct output_notes {
    output_note of[NOTE_KINDS];
    double off;     /* of a weak pass: the error as a share of the sum of magnitudes */
    uint64_t terms; /* of that output */
} output_notes;

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
    explanation instead; /* of a wrong output */
    output_notes notes;  /* of one that passes, or is doubtful */
    const uint64_t (
        *places)[CUMSUM_MAX_DIMENSIONS]; /* of `first`, `worst` and the doubt of an array
                                            that is larger than a tensor, else NULL */
} judged_output;

/* Makes options.profile of the text, for the type of the tensor. Statuses as of
 * cumsum_profile_read. */
cumsum_status judged_output_read_profile(judged_output *o, cumsum_diagnostic *diagnostic);

/* Asks the oracle. Sets tensor and judgement. */
cumsum_status judged_output_ask(judged_output *o, cumsum_diagnostic *diagnostic);

/* Sets `instead` of an output that has been judged: tries the hypotheses in turn, unless a named
 * order has explained the output already. The one that explains most of the failing outputs is the
 * answer, the simplest of equals, if it explains at least nine of ten. */
void judged_output_explain(judged_output *o);

/* Sets the notes of an output that has been judged; there are none of integers, of outputs that
 * fail, or where elements may share an address. */
void judged_output_note(judged_output *o);

/* "conformant, correctly-rounded, h=0.50, order sequential": a verdict always comes with the class.
 * with_orders: named orders were tried. */
void show_judgement(FILE *out, const judged_output *o, bool with_orders);

/* "PASS: ", "FAIL: " or "DOUBTFUL: ", and the words of a judgement whose named orders were tried.
 * The caller frees it. */
char *judgement_sentence(const judged_output *o);

/* Explains those of its terms that occur in `words` and are not yet in *explained, which begins
 * with 0: on one line, or if verbose in full. */
void show_judgement_legend(FILE *out, const char *indent, const char *words, bool verbose,
                           unsigned *explained);

/* "outputs: 21 conformant, 3 FAIL" */
void show_verdict_counts(FILE *out, const uint64_t counts[CUMSUM_VERDICT_COUNT]);

/* The first and the worst finding, with the accepted interval, and the lines around them. */
void show_findings(FILE *out, const judged_output *o);

/* A line for each note. */
void show_notes(FILE *out, const judged_output *o);

/* Verdict, class, h, orders, counts, first and worst; if there are any, also the nearest order and
 * the explanation. */
json_object *judgement_object(const judged_output *o);
void fields_verdict_counts(json_object *object, const uint64_t counts[CUMSUM_VERDICT_COUNT]);

/* Adds "notes" if there are any. */
void fields_notes(json_object *object, const judged_output *o);

/* Are outputs doubtful, and does none fail? They may be accepted. */
bool judgement_is_doubtful(const cumsum_judgement *j);

/* RESULT_PASS, RESULT_FAIL, or RESULT_DOUBTFUL if nothing but doubt is wrong. */
result_status judgement_status(const cumsum_judgement *j);

/* The same of other bits than the expected ones, which pass only if `accept` takes them. */
result_status judgement_status_of_other_bits(const cumsum_judgement *j, accept_choice accept);

/* What the judgement would have found, in a line; nothing if that is not known. */
void show_power(FILE *out, const cumsum_power *p);

/* The name of the order of a match: a constant, or `text`. */
const char *order_match_text(const cumsum_order_match *match, char text[CUMSUM_ORDER_TEXT]);

#endif
