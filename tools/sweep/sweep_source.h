/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_SOURCE_H
#define CUMSUM_TOOLS_SWEEP_SOURCE_H

/* Cases that have data of their own, and where they come from: a case of the suite, a dispatch of a
 * case file, or an array, of which case_file_of_arrays makes a case file. */

#include "backend.h"
#include "case_file.h"
#include "shrink.h"

/* The case of the suite with this name, its values made. shrink_case_free gives it back. */
tool_status source_named(const char *name, shrink_case *out, tool_error *error);

/* Receives a dispatch as a case, which it frees, and its name. */
typedef tool_status source_taker(void *state, const char *name, shrink_case *taken,
                                 tool_error *error);

/*
 * Calls `take` with what each dispatch of a case file computes, on the contents that its input has
 * then: the CPU executes the dispatches before it. The numerics are those of the backend, if it has
 * any, else of the file. Between the elements are the bytes that cases of the suite have there.
 * The name is the path of the file, and of several dispatches "PATH#2". Ends once *stop is true;
 * stop may be NULL. TOOL_MALFORMED where DirectML rejects an operator, but one of a type that it
 * does not have, and for an offset of 4 GiB or more.
 */
tool_status source_dispatches(const case_file *file, const backend_settings *backend,
                              source_taker *take, void *state, const bool *stop, tool_error *error);

/* Is an argument or a name that of a file, not of a case of the suite? */
bool source_is_file(const char *name);

#endif
