/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_MINIMIZE_H
#define CUMSUM_TOOLS_MINIMIZE_H

/* cumsum minimize: from a failing case to a simple one that fails alike. */

#include "backend.h"
#include "case_name.h"
#include "judged_output.h"
#include "report.h"

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

#endif
