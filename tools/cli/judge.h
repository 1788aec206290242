/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JUDGE_H
#define CUMSUM_TOOLS_JUDGE_H

/* The parts of cumsum judge: the verdict on each dispatch, and the case file of --output. */

#include "case_file.h"
#include "options.h"
#include "recorded.h"
#include "report.h"
#include "text.h"

/* The state of the command over all its case files. */
typedef struct judge_report {
    const tool_options *options;
    report *report;
    uint64_t counts[CUMSUM_VERDICT_COUNT]; /* outputs of all dispatches */
    struct pthreadpool *pool;              /* whose threads share the lines; NULL: one thread */
    uint32_t explained;                    /* words of the oracle */
    text_buffer page;                      /* the records of --report; its stream is NULL without */

    /* The dispatch that is judged. */
    const case_file *file;
    const case_file_command *command;
    json_object *unmet; /* a text for each requirement that its verdict does not meet */
} judge_report;

/* Judges an output against the present contents of the input, and reports the verdict. */
tool_status judge_report_output(judge_report *to, recorded_output *recorded, tool_error *error);

/* How the oracle judges. */
cumsum_judge_options judge_oracle_options(const judge_report *to);

/* The profile of --rules; NULL if there is none. */
const char *judge_profile(const judge_report *to);

/* --sum. Judges an array of sums over axes. */
tool_status judge_sums(judge_report *to, tool_error *error);

/* Begins a record's line with the verdict, and its details with the class, and adds the members of
 * the judgement. Returns the stream of the details, to which the caller writes what was judged, and
 * the line's end. */
FILE *judge_put_verdict(judge_report *to, report_record *record, const judged_output *o);

/* Counts the verdicts on an output, ends its record, and reports it. */
void judge_report_verdict(judge_report *to, report_record *record, const judged_output *o);

/* Reports the dispatch as skipped. */
void judge_report_skip(judge_report *to, const char *reason);

/* Shows the counts of outputs by verdict, over all files. */
void judge_report_counts(const judge_report *to);

/* --output FILE: checks the name of the file. */
tool_status save_case_check(const tool_options *options, tool_error *error);

/* Writes the input and the output of a judged dispatch of arrays, with the oracle's words.
 * TOOL_MALFORMED for a type that case files do not have, TOOL_ENVIRONMENT if a file cannot be
 * written. */
tool_status save_case(const tool_options *options, const case_file_command *command,
                      const recorded_output *recorded, tool_error *error);

#endif
