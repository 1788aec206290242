/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MINIMIZE_SOURCE_H
#define CUMSUM_TOOLS_MINIMIZE_SOURCE_H

/* Where the case that is to be minimized comes from. */

#include "model.h"
#include "shrink.h"

/* The case of the suite with this name, its values made. shrink_case_free gives it back. */
tool_status minimize_named(const char *name, shrink_case *out, tool_error *error);

/*
 * What a dispatch of a checked model computes, on the present contents of its input. Between the
 * elements are the bytes that cases of the suite have there.
 * TOOL_MALFORMED where it is no case of the suite's kind: an offset beyond 4 GiB.
 */
tool_status minimize_dispatch(const model *m, const model_command *command, shrink_case *out,
                              tool_error *error);

#endif
