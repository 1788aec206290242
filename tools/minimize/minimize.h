/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MINIMIZE_H
#define CUMSUM_TOOLS_MINIMIZE_H

#include "case_name.h"
#include "model.h"
#include "options.h"
#include "shrink.h"

/* A case's name without data and seed: its own values take their place. */
void minimize_case_name(char name[CASE_NAME_ROOM], const case_spec *spec);

/* What the files of the case that is left are called, without an ending: "NAME.minimal", for the
 * file "DIR/NAME.json" as for the case NAME. */
void minimize_stem(char stem[CASE_NAME_ROOM], const char *origin);

/* A command line with the options that choose the backend: "cumsum verify --backend d3d12 FILE",
 * for a shell. To be freed. */
char *minimize_command(const tool_options *options, const char *command, const char *file);

/* Where the case that is to be minimized comes from. */

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
