/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_CASE_H
#define CUMSUM_TOOLS_SWEEP_CASE_H

#include "case_build.h"
#include "compare.h"
#include "executor.h"
#include "sweep.h"
#include "sweep_state.h"

/* One case of a sweep: made, executed and compared with what the reference computes. */

typedef struct sweep_result {
    sweep_state state;     /* what happened: never known, unexpected or waived */
    char reason[400];      /* why it is not a pass, "" where the comparison says it; or a remark */
    comparison comparison; /* of a pass and a fail */
    uint64_t stray;        /* bytes that are no element's and were changed */
    bool no_memory;        /* that is why it is not supported */
    char *detail;          /* of a fail: lines of explanation; or NULL */
    json_object *findings; /* of other bits: more members of the record; or NULL */
    sweep_times times;
} sweep_result;

/* Frees what the result holds. */
void sweep_result_end(sweep_result *result);

/* Runs the case of this name, which must be one, and says all there is to say of it. */
void sweep_run_case(const executor *e, const char *name, accept_choice accept, sweep_result *out);

/* Runs a case that is there, and compares it: `values` are its input's elements in row-major order,
 * NULL where its name has them. c->output receives what is computed. */
void sweep_check_case(const executor *e, suite_case *c, const unsigned char *values,
                      sweep_result *out);

/* The result as a line of the log: without "microseconds", the same on every run. */
json_object *sweep_record(const char *name, const sweep_result *result);

/* "state", and as far as there are any "reason", the differences and "strayBytes". output: the
 * valid tensor that was compared. */
void sweep_result_fields(json_object *record, const cumsum_buffer_tensor_desc *output,
                         const sweep_result *result);

/* A case that is done, wherever it was executed. */

typedef struct sweep_done {
    sweep_state outcome; /* what happened */
    json_object *record; /* the line of the results */
    char *detail;        /* of a failure: lines of explanation; or NULL */
    sweep_times times;
} sweep_done;

/* Takes over what the result holds. */
sweep_done sweep_done_of(const char *name, sweep_result *result);

/* A case of which nothing is known but what became of it. */
sweep_done sweep_done_without(const char *name, sweep_state outcome, const char *reason);

void sweep_done_free(sweep_done *done);

/* As a line between processes: the record with `detail` and `times` in it. */
void sweep_done_send(FILE *to, const sweep_done *done);

/* From such a line; false where it is none. */
bool sweep_done_receive(const char *line, sweep_done *done);

#endif
