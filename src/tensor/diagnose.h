/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_DIAGNOSE_H
#define CUMSUM_TENSOR_DIAGNOSE_H

/* What a check found, and how it becomes a cumsum_diagnostic. */

#include <cumsum/cumsum.h>

#define CUMSUM_INPUT_NAME  "InputTensor"
#define CUMSUM_OUTPUT_NAME "OutputTensor"

/* One broken rule. The message reads "<tensor>.<field>[<dimension>] is <value>, but it <rule>.", or
 * "... but <rule>." where the rule is a clause with a subject of its own. */
typedef struct cumsum_broken_rule {
    cumsum_status status;
    const char *tensor; /* NULL: none */
    const char *field;  /* NULL: none */
    int32_t dimension;  /* -1: none */
    uint64_t value;
    const char *value_name; /* the value in words, "NULL" say; NULL: the number says it */
    uint64_t limit;
    bool show_limit;  /* the rule compares with something that the reader has to look up */
    const char *rule; /* "must ...", of the place; or a clause of its own */
    bool rule_is_clause;
} cumsum_broken_rule;

/* Fills in diagnostic (which may be NULL) and returns its status. */
cumsum_status cumsum_diagnose(cumsum_diagnostic *diagnostic, const cumsum_broken_rule *broken);

/* For an argument of a call that is a null pointer or out of range: no tensor is meant. */
cumsum_status cumsum_diagnose_argument(cumsum_diagnostic *diagnostic, const char *argument,
                                       uint64_t value, const char *value_name, const char *rule);

#endif
