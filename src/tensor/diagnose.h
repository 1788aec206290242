/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TENSOR_DIAGNOSE_H
#define CUMSUM_TENSOR_DIAGNOSE_H

/*
 * How a check reports what it found. Every check in src/ describes a broken rule by a
 * cumsum_broken_rule, so that all diagnostics have the same fields and the same form of message.
 */

#include <cumsum/cumsum.h>

#define CUMSUM_INPUT_NAME  "InputTensor"
#define CUMSUM_OUTPUT_NAME "OutputTensor"

/*
 * A broken rule. The strings are constants: a diagnostic keeps pointers to them. The message reads
 *
 *     <tensor>.<field>[<dimension>] is <value>, but it <rule>, here <limit>.
 *
 * or "... but <rule>." if the rule is a clause with a subject of its own.
 */
typedef struct cumsum_broken_rule {
    cumsum_status status;
    const char *tensor; /* NULL: none */
    const char *field;  /* NULL: none */
    int32_t dimension;  /* -1: none */
    uint64_t value;
    const char *value_name; /* a word for the value, such as "NULL"; NULL: show the number */
    uint64_t limit;
    bool show_limit;     /* the rule's text does not contain the limit, so that it is shown */
    const char *rule;    /* "must ...", or a clause of its own */
    bool rule_is_clause; /* "the processor has no AVX2", say */
} cumsum_broken_rule;

/* Fills in the diagnostic, which may be NULL, and returns the status of the rule. */
cumsum_status cumsum_diagnose(cumsum_diagnostic *diagnostic, const cumsum_broken_rule *broken);

/* The same for an argument of a call that is a null pointer or out of range, which concerns no
 * tensor. Returns CUMSUM_INVALID_ARGUMENT. */
cumsum_status cumsum_diagnose_argument(cumsum_diagnostic *diagnostic, const char *argument,
                                       uint64_t value, const char *value_name, const char *rule);

/* The same for a number of an argument, or with NULL for a number that is an argument. Shows the
 * limit. Returns CUMSUM_INVALID_ARGUMENT. */
cumsum_status cumsum_diagnose_number(cumsum_diagnostic *diagnostic, const char *argument,
                                     const char *field, uint64_t value, uint64_t limit,
                                     const char *rule);

/* The same for memory that a tensor is bound to. Shows the limit. Returns CUMSUM_INVALID_BINDING.
 */
cumsum_status cumsum_diagnose_binding(cumsum_diagnostic *diagnostic, const char *tensor,
                                      const char *field, uint64_t value, uint64_t limit,
                                      const char *rule);

/* The same for an argument that is in range but cannot be computed here. The reason is a clause.
 * Returns CUMSUM_UNSUPPORTED. */
cumsum_status cumsum_diagnose_unsupported(cumsum_diagnostic *diagnostic, const char *argument,
                                          uint64_t value, const char *value_name,
                                          const char *reason);

#endif
