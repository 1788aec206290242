/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_FINDINGS_H
#define CUMSUM_TOOLS_SWEEP_FINDINGS_H

/* What can be said of a case that has other bits than it should. */

#include "sweep_case.h"

/*
 * Adds to result->findings what the oracle says of the output, and of a failure what it looks like,
 * and to result->detail the oracle's words. With `accept` conformant a case without stray bytes is
 * a pass where the oracle does not fail it. c: as it was compared.
 */
void sweep_find(suite_case *c, accept_choice accept, sweep_result *result);

#endif
