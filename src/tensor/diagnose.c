/* SPDX-License-Identifier: MIT */
/*
 * Turns a broken rule into a cumsum_diagnostic and its one-sentence message. A diagnostic is filled
 * in completely or, if the caller gave none, not at all; no memory is allocated.
 */
#include "diagnose.h"

#include <inttypes.h>
#include <stdio.h>

/* "OutputTensor.Strides[2]", without the parts that the rule does not have. Every name is a short
 * constant, so nothing is ever cut off. */
static void write_place(const cumsum_broken_rule *broken, char *text, size_t size) {
    const char *tensor = broken->tensor ? broken->tensor : "";
    const char *field = broken->field ? broken->field : "";
    const char *dot = tensor[0] && field[0] ? "." : "";
    if (broken->dimension >= 0)
        snprintf(text, size, "%s%s%s[%" PRId32 "]", tensor, dot, field, broken->dimension);
    else
        snprintf(text, size, "%s%s%s", tensor, dot, field);
}

static void write_value(const cumsum_broken_rule *broken, char *text, size_t size) {
    if (broken->value_name)
        snprintf(text, size, "%s", broken->value_name);
    else
        snprintf(text, size, "%" PRIu64, broken->value);
}

static void write_message(cumsum_diagnostic *diagnostic, const cumsum_broken_rule *broken) {
    char place[64];
    char value[32];
    char limit[48] = "";
    write_place(broken, place, sizeof place);
    write_value(broken, value, sizeof value);
    if (broken->show_limit)
        snprintf(limit, sizeof limit, ", here %" PRIu64, broken->limit);
    snprintf(diagnostic->message, sizeof diagnostic->message, "%s is %s, but %s%s%s.", place, value,
             broken->rule_is_clause ? "" : "it ", broken->rule, limit);
}

cumsum_status cumsum_diagnose(cumsum_diagnostic *diagnostic, const cumsum_broken_rule *broken) {
    if (diagnostic) {
        diagnostic->status = broken->status;
        diagnostic->tensor = broken->tensor ? broken->tensor : "";
        diagnostic->field = broken->field ? broken->field : "";
        diagnostic->dimension = broken->dimension;
        diagnostic->value = broken->value;
        diagnostic->limit = broken->limit;
        diagnostic->rule = broken->rule;
        write_message(diagnostic, broken);
    }
    return broken->status;
}

cumsum_status cumsum_diagnose_argument(cumsum_diagnostic *diagnostic, const char *argument,
                                       uint64_t value, const char *value_name, const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_INVALID_ARGUMENT,
                                                             .field = argument,
                                                             .dimension = -1,
                                                             .value = value,
                                                             .value_name = value_name,
                                                             .rule = rule});
}

static cumsum_status diagnose_limit(cumsum_diagnostic *diagnostic, cumsum_status status,
                                    const char *tensor, const char *field, uint64_t value,
                                    uint64_t limit, const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = status,
                                                             .tensor = tensor,
                                                             .field = field,
                                                             .dimension = -1,
                                                             .value = value,
                                                             .limit = limit,
                                                             .show_limit = true,
                                                             .rule = rule});
}

cumsum_status cumsum_diagnose_number(cumsum_diagnostic *diagnostic, const char *argument,
                                     const char *field, uint64_t value, uint64_t limit,
                                     const char *rule) {
    return diagnose_limit(diagnostic, CUMSUM_INVALID_ARGUMENT, argument, field, value, limit, rule);
}

cumsum_status cumsum_diagnose_binding(cumsum_diagnostic *diagnostic, const char *tensor,
                                      const char *field, uint64_t value, uint64_t limit,
                                      const char *rule) {
    return diagnose_limit(diagnostic, CUMSUM_INVALID_BINDING, tensor, field, value, limit, rule);
}

cumsum_status cumsum_diagnose_unsupported(cumsum_diagnostic *diagnostic, const char *argument,
                                          uint64_t value, const char *value_name,
                                          const char *reason) {
    return cumsum_diagnose(diagnostic, &(cumsum_broken_rule){.status = CUMSUM_UNSUPPORTED,
                                                             .field = argument,
                                                             .dimension = -1,
                                                             .value = value,
                                                             .value_name = value_name,
                                                             .rule = reason,
                                                             .rule_is_clause = true});
}
