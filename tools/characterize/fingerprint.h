/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_FINGERPRINT_H
#define CUMSUM_TOOLS_FINGERPRINT_H

/* Everything that is found out about the sums of a line_runner: the order of its additions, their
 * arithmetic, and an answer to each question about the bits and about special numbers. */

#include "questions.h"
#include "saved_order.h"

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
