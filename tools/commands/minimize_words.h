/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MINIMIZE_WORDS_H
#define CUMSUM_TOOLS_MINIMIZE_WORDS_H

#include "case_name.h"
#include "options.h"

/* A case's name without data and seed: its own values take their place. */
void minimize_case_name(char name[CASE_NAME_ROOM], const case_spec *spec);

/* What the files of the case that is left are called, without an ending: "NAME.minimal", for the
 * file "DIR/NAME.json" as for the case NAME. */
void minimize_stem(char stem[CASE_NAME_ROOM], const char *origin);

/* A command line with the options that choose the backend: "cumsum verify --backend d3d12 FILE",
 * for a shell. To be freed. */
char *minimize_command(const tool_options *options, const char *command, const char *file);

#endif
