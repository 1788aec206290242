/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MINIMIZE_H
#define CUMSUM_TOOLS_MINIMIZE_H

/* cumsum minimize: from a failing case to a simple one that fails alike. */

#include "backend.h"
#include "case_file.h"
#include "case_name.h"
#include "judged_output.h"
#include "report.h"
#include "shrink.h"

typedef struct minimize_settings {
    const char *origin;    /* the name of a case or a case file */
    const char *folder;    /* the folder for the smallest case; NULL: the current one */
    uint32_t milliseconds; /* the limit of the search; 0: the default */
    accept_choice accept;  /* what is no failure */
} minimize_settings;

/* Searches for the smallest case that fails alike, writes it, and reports it as a failure. */
void minimize_run(const minimize_settings *settings, const backend_settings *backend, report *r);

/* The name of a case without distribution and seed, which its own values replace. */
void minimize_case_name(char name[CASE_NAME_ROOM], const case_spec *spec);

/* What the files of the case that is left are called, without an ending: "NAME.minimal", for the
 * file "DIR/NAME.json" as for the case NAME. */
void minimize_stem(char stem[CASE_NAME_ROOM], const char *origin);

/* Where the case that is to be minimized comes from. */

/* The case of the suite with this name, its values made. shrink_case_free gives it back. */
tool_status minimize_named(const char *name, shrink_case *out, tool_error *error);

/*
 * What a dispatch of a checked case file computes, on the present contents of its input. Between
 * the elements are the bytes that cases of the suite have there. TOOL_MALFORMED if it is no case of
 * the suite's kind: an offset beyond 4 GiB.
 */
tool_status minimize_dispatch(const case_file *m, const case_file_command *command,
                              shrink_case *out, tool_error *error);

#endif
