/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_CASE_H
#define CUMSUM_TOOLS_SWEEP_CASE_H

/* One case of a sweep: made, executed, and compared with the reference. */

#include "case_build.h"
#include "compare.h"
#include "executor.h"
#include "sweep.h"
#include "sweep_state.h"

typedef struct sweep_result {
    sweep_state state;     /* never known or worse */
    char reason[400];      /* why it did not pass, "" if the comparison says it; or a remark */
    comparison comparison; /* of a pass and a fail */
    uint64_t stray;        /* changed bytes outside of the elements */
    uint32_t adapted;      /* bits of backend_adaptation */
    bool conformant;       /* other bits, which the oracle passes, and no stray bytes */
    bool no_memory;        /* the reason of not-supported */
    bool unreached;        /* a crash, but this program's failure: the case did not run */
    bool given;            /* its data are those of a file: its name does not tell it */
    char *detail;          /* of a failure: lines of explanation; or NULL */
    json_object *findings; /* of differences: more members of the record; or NULL */
    json_object *record;   /* the line of the results; NULL: not made yet */
    uint64_t execution;    /* nanoseconds on the backend, with copies to and from it */
} sweep_result;

/* Frees what the result holds; its state stays. */
void sweep_result_free(sweep_result *result);

/* The data of a case that is given; NULL of a case of the suite. */
const shrink_case *sweep_given_data(const sweep_settings *settings, const char *name);

/* The bytes of the buffers of a case: what memory_check is asked for, all together. */
uint64_t sweep_case_bytes(const char *name, const sweep_settings *settings);

/* How many executors a case has, e[0], e[1], ... below: with --runs all jobs run the same one. */
uint32_t sweep_executors(const sweep_settings *settings);

/* The bytes of its output buffers that --runs takes, beside those of the case. */
uint64_t sweep_repeat_bytes(uint64_t output, const sweep_settings *settings);

/* Runs a case that is made already as often as the settings say, and examines its outputs. */
void sweep_repeat_case(const executor *e, suite_case *c, const sweep_settings *settings,
                       sweep_result *out);

/* Makes, runs and examines the case of a valid name, and makes its record, unless it was not
 * reached. The caller ends the result. */
void sweep_run_case(const executor *e, const char *name, const sweep_settings *settings,
                    sweep_result *out);

/* Runs a case that is made already, and compares its output, which is left in c->output. */
void sweep_check_case(const executor *e, suite_case *c, sweep_result *out);

/* The steps of the above. */

/* Executes a case: its output is in c->output, and out has the state and its reason. */
sweep_state sweep_execute(const executor *e, const suite_case *c, sweep_result *out);

/* Compares c->output with what is expected. */
void sweep_compare(const executor *e, suite_case *c, sweep_result *out);

/* Asks the oracle about other bits than the expected ones: they may be suspect, and those that
 * `accept` takes pass. Adds nothing else. */
void sweep_judge(const executor *e, const suite_case *c, accept_choice accept, sweep_result *out);

/* The same, and adds the lines, the oracle's verdict and a profile to a failure. given: the data
 * are those of a file, and a pass is judged, too. */
void sweep_examine(const executor *e, const suite_case *c, accept_choice accept, bool given,
                   sweep_result *out);

/* Sets the state that an execution's status stands for, and the reason. */
void sweep_note_status(sweep_result *out, cumsum_status status, const cumsum_diagnostic *why);

/* Sets the state by the judgement. alone: there are no expected bits, so that conformant ones pass
 * in any case. */
void sweep_take_judgement(const cumsum_judgement *j, accept_choice accept, bool alone,
                          sweep_result *result);

/* Adds the verdict to result->findings, and to a pass as its reason. what: the words for the sums,
 * where the name of the case does not tell them, and then the notes are added, too; or NULL. */
void sweep_add_verdict(const judged_output *o, const char *what, sweep_result *result);

/* Sums over axes, of --sum, in the place of scans. */

/* TOOL_MALFORMED if a case has no such axes. */
tool_status sweep_sum_check(const case_spec *spec, const char *over, tool_error *error);

/* The name that all cases have whose sums are the same: without direction, order and layout. */
void sweep_sum_name(char name[CASE_NAME_ROOM], case_spec spec, const char *over);

/* Has the process make the sums of a case's input, and judges them. */
void sweep_sum_case(const executor *e, const suite_case *c, const sweep_settings *settings,
                    sweep_result *out);

/* Memory for the case is short: it is not supported. */
void sweep_lack_memory(sweep_result *out, const char *reason);

/* Adds "state", and if there are any, "reason", the differences and "strayBytes". output: the
 * tensor that was compared, which is valid. */
void sweep_result_fields(json_object *record, const cumsum_buffer_tensor_desc *output,
                         const sweep_result *result);

#endif
