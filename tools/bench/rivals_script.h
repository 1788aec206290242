/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_RIVALS_SCRIPT_H
#define CUMSUM_TOOLS_RIVALS_SCRIPT_H

/* The process that runs rivals.py. */

#include "rivals.h"

/* Finds the script (beside the installed program, or in the source tree) and starts it with $PYTHON
 * or python3. TOOL_ENVIRONMENT where one of them is missing. */
tool_status rivals_start(rivals *r, const char *names, tool_error *error);

/* Closes what the process reads, and waits for its end. */
void rivals_stop(rivals *r);

#endif
