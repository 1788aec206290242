/* SPDX-License-Identifier: MIT */
#include "diagnose.h"

#include <inttypes.h>
#include <stdio.h>

/* "OutputTensor.Strides[2]", as much of it as there is. Every name is a short constant, so nothing
 * is ever cut off. */
static void write_place(const cumsum_finding *finding, char *text, size_t size) {
    const char *tensor = finding->tensor ? finding->tensor : "";
    const char *field = finding->field ? finding->field : "";
    const char *dot = tensor[0] && field[0] ? "." : "";
    if (finding->dimension >= 0)
        snprintf(text, size, "%s%s%s[%" PRId32 "]", tensor, dot, field, finding->dimension);
    else
        snprintf(text, size, "%s%s%s", tensor, dot, field);
}

static void write_value(const cumsum_finding *finding, char *text, size_t size) {
    if (finding->value_name)
        snprintf(text, size, "%s", finding->value_name);
    else
        snprintf(text, size, "%" PRIu64, finding->value);
}

static void write_message(cumsum_diagnostic *diagnostic, const cumsum_finding *finding) {
    char place[64];
    char value[32];
    char limit[48] = "";
    write_place(finding, place, sizeof place);
    write_value(finding, value, sizeof value);
    if (finding->show_limit)
        snprintf(limit, sizeof limit, ", here %" PRIu64, finding->limit);
    snprintf(diagnostic->message, sizeof diagnostic->message, "%s is %s, but it %s%s.", place,
             value, finding->rule, limit);
}

cumsum_status cumsum_diagnose(cumsum_diagnostic *diagnostic, const cumsum_finding *finding) {
    if (diagnostic) {
        diagnostic->status = finding->status;
        diagnostic->tensor = finding->tensor ? finding->tensor : "";
        diagnostic->field = finding->field ? finding->field : "";
        diagnostic->dimension = finding->dimension;
        diagnostic->value = finding->value;
        diagnostic->limit = finding->limit;
        diagnostic->rule = finding->rule;
        write_message(diagnostic, finding);
    }
    return finding->status;
}

cumsum_status cumsum_diagnose_argument(cumsum_diagnostic *diagnostic, const char *argument,
                                       uint64_t value, const char *value_name, const char *rule) {
    return cumsum_diagnose(diagnostic, &(cumsum_finding){.status = CUMSUM_INVALID_ARGUMENT,
                                                         .field = argument,
                                                         .dimension = -1,
                                                         .value = value,
                                                         .value_name = value_name,
                                                         .rule = rule});
}
