/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_ERROR_STEPS_H
#define CUMSUM_TOOLS_ERROR_STEPS_H

/*
 * Hypotheses about the errors of a line, output minus exact sum. Neighbouring outputs share nearly
 * all of their additions, so their errors are nearly equal; where the error takes a step, something
 * happened, and the size of the step tells what: a term is missing, or counts twice, the sum starts
 * anew, or goes on from another value.
 */

#include "failure_context.h"

void try_error_steps(failure_context *c);

/* Of doubtful outputs: the error of a line jumps, and stays or comes back. */
void try_error_jumps(failure_context *c);

#endif
