/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SHOW_JUDGEMENT_H
#define CUMSUM_TOOLS_SHOW_JUDGEMENT_H

/* Judgements in words and as JSON. */

#include <cumsum/oracle.h>
#include <json-c/json.h>
#include <stdio.h>

#include "hypotheses.h"
#include "recorded.h"

/* "conformant, correctly-rounded, h=0.50, order sequential": a verdict always comes with the class.
 * with_orders: named orders were tried. e: of a wrong output, or NULL. output: the tensor that was
 * judged. */
void show_judgement_words(FILE *out, const layout *output, const cumsum_judgement *j,
                          bool with_orders, const explanation *e);

/* "PASS: " or "FAIL: ", and the words of a judgement whose named orders were tried. The caller
 * frees it. */
char *judgement_sentence(const layout *output, const cumsum_judgement *j, const explanation *e);

/* Explains those of its terms that occur in `words` and are not yet in *explained, which begins
 * with 0: on one line, or if verbose in full. */
void show_judgement_legend(FILE *out, const char *indent, const char *words, bool verbose,
                           unsigned *explained);

/* "outputs: 21 conformant, 3 FAIL" */
void show_judgement_counts(FILE *out, const uint64_t counts[CUMSUM_VERDICT_COUNT]);

/* The first and the worst finding, with the accepted interval, and the lines around them. */
void show_judgement_findings(FILE *out, const recorded_output *recorded, const unsigned char *input,
                             uint64_t input_in_bytes, const cumsum_judgement *j);

/* Adds verdict, class, h, orders, counts, first and worst; if there are any, also the nearest order
 * and the explanation. */
void fields_judgement(json_object *object, const layout *output, const cumsum_judgement *j,
                      const explanation *e);
void fields_verdict_counts(json_object *object, const uint64_t counts[CUMSUM_VERDICT_COUNT]);

#endif
