/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_DONE_H
#define CUMSUM_TOOLS_SWEEP_DONE_H

/* A case that is done, wherever it was executed. */

#include "sweep_case.h"

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
