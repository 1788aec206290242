/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SERVE_H
#define CUMSUM_TOOLS_SERVE_H

/* cumsum serve: a backend behind the protocol of docs/exec.md, on standard input and output. */

#include "backend.h"
#include "error.h"

/* Answers until standard input ends. From its first call on, what drivers print on standard output
 * goes to standard error. TOOL_MALFORMED if the other side breaks the protocol; TOOL_SKIPPED if
 * there is no device; TOOL_ENVIRONMENT if it is lost. */
tool_status serve_run(const backend_settings *settings, tool_error *error);

#endif
