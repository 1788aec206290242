/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_HYPOTHESES_H
#define CUMSUM_TOOLS_HYPOTHESES_H

/* What a wrong output is instead of the sums: the inclusive ones, those along another axis, ...
 * docs/oracle.md, "What a FAIL says", has the list. */

#include <cumsum/oracle.h>
#include <json-c/json.h>
#include <stdio.h>

/* An output with at least one that fails. */
typedef struct wrong_output {
    const cumsum_operator_desc *desc; /* the output tensor has the layout of `actual` */
    const unsigned char *input;       /* the element with all indices 0, as the operator read it */
    uint64_t input_in_bytes;          /* readable from there on */
    const unsigned char *actual;
    uint64_t actual_in_bytes;
    const unsigned char *before; /* the output before the operator ran, laid out as `actual`; NULL
                                    if it is not known */
    const cumsum_judge_options *options; /* those that the output failed with */
    const cumsum_judgement *judgement;   /* what cumsum_judge said */
} wrong_output;

typedef struct explanation {
    const char *name;   /* "inclusive"; NULL if nothing explains the outputs that fail */
    char text[160];     /* "the inclusive sums" */
    uint64_t explained; /* outputs that fail, and that the hypothesis explains */
    uint64_t failing;   /* of those that were looked at */
    uint64_t looked_at; /* fewer than the outputs if the tensor is large */
    uint64_t outputs;
} explanation;

/* Tries the hypotheses in turn, unless a named order has explained the output already. The one that
 * explains most of the failing outputs is the answer, the simplest of equals, if it explains at
 * least nine of ten. */
explanation explain_wrong_output(const wrong_output *wrong);

/* ": they are the inclusive sums". Nothing without a hypothesis. */
void show_explanation(FILE *out, const explanation *e);

/* "explanation": {"hypothesis", "text", "explained", "failing", "lookedAt"}. Nothing without a
 * hypothesis. */
void fields_explanation(json_object *object, const explanation *e);

#endif
