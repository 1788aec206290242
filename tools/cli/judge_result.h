/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_RESULT_H
#define CUMSUM_TOOLS_JUDGE_RESULT_H

/* The results of cumsum judge: one verdict for each dispatch, and the counts over all files. */

#include <cumsum/oracle.h>

#include "case_file.h"
#include "options.h"
#include "order_expect.h"
#include "recorded.h"
#include "repeats.h"
#include "report.h"
#include "text.h"

/* A report that also counts the outputs by verdict. */
typedef struct judge_report {
    const tool_options *options;
    report report;
    uint64_t counts[CUMSUM_VERDICT_COUNT];
    struct pthreadpool *pool; /* whose threads share the lines; NULL: one thread */
    held_order held;          /* --require-order FILE */
    unsigned explained;       /* words of the oracle */
    uint32_t adapted;         /* of the dispatch that is reported: bits of backend_adaptation */
    text_buffer page;         /* the records of --html; its stream is NULL without */
} judge_report;

/* Judges a recorded output against the present contents of the input, and reports the verdict. The
 * dispatch is skipped if no verdict is possible or the order of --require-order does not apply. */
tool_status judge_report_dispatch(judge_report *to, const case_file *file,
                                  const case_file_command *command, const recorded_output *recorded,
                                  tool_error *error);

/* Judges and reports the different outputs of a dispatch whose bits depend on the run: a failure.
 * promised: the implementation says that this cannot be. */
tool_status judge_report_unstable(judge_report *to, const case_file *file,
                                  const case_file_command *command, const repeats *outputs,
                                  bool promised, tool_error *error);

/* Reports a dispatch as skipped. */
void judge_report_skip(judge_report *to, const case_file *file, const case_file_command *command,
                       const char *reason);

/* Shows the counts of outputs by verdict, over all files. */
void judge_report_counts(const judge_report *to);

/* Writes the page of --html, whose records `page` has. */
void judge_report_page(judge_report *to, const char *path);

#endif
