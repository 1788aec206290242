/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_RESULT_H
#define CUMSUM_TOOLS_JUDGE_RESULT_H

#include <cumsum/oracle.h>

#include "model.h"
#include "options.h"
#include "order_expect.h"
#include "recorded.h"
#include "report.h"

/* A report that also adds up the outputs of each verdict. */
typedef struct judge_report {
    const tool_options *options;
    report report;
    uint64_t counts[CUMSUM_VERDICT_COUNT];
    held_order held; /* --order FILE */
} judge_report;

/* Judges a recorded output against the present contents of the input, and reports it. */
tool_status judge_report_dispatch(judge_report *to, const model *m, const model_command *command,
                                  const recorded_output *recorded, tool_error *error);

void judge_report_skip(judge_report *to, const model *m, const model_command *command,
                       const char *reason);

/* The line with the outputs of each verdict over all files. */
void judge_report_counts(const judge_report *to);

#endif
