/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_CASE_H
#define CUMSUM_TOOLS_SWEEP_CASE_H

/* One case of a sweep: made, executed and compared with what the reference computes. */

#include "case_build.h"
#include "comparison_text.h"
#include "executor.h"
#include "failure_profile.h"
#include "sweep_state.h"

typedef struct sweep_result {
    sweep_state state;     /* what happened: never known, unexpected or waived */
    char reason[400];      /* why it is not a pass, "" where the comparison says it; or a remark */
    comparison comparison; /* of a pass and a fail */
    uint64_t stray;        /* bytes that are no element's and were changed */
    char *detail;          /* of a fail: lines of explanation, to be freed; or NULL */
    uint64_t microseconds; /* of the execution */
    failure_profile *profile; /* of elements that differ, from sweep_run_case; or NULL */
} sweep_result;

/* Runs the case of this name, which must be one. */
void sweep_run_case(const executor *e, const char *name, sweep_result *out);

/* Frees what a result has. */
void sweep_result_end(sweep_result *result);

/* Runs a case that is there: `values` are its input's elements in row-major order, NULL where its
 * name has them. c->output receives what is computed. */
void sweep_check_case(const executor *e, suite_case *c, const unsigned char *values,
                      sweep_result *out);

/* The result as a line of the log: without `microseconds`, the same on every run. */
json_object *sweep_record(const char *name, const sweep_result *result);

/* "state", and as far as there are any "reason", the differences and "strayBytes". output: the
 * valid tensor that was compared. */
void sweep_result_fields(json_object *record, const cumsum_buffer_tensor_desc *output,
                         const sweep_result *result);

#endif
