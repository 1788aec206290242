/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_PAGE_RECORDS_H
#define CUMSUM_TOOLS_PAGE_RECORDS_H

/* The pages of sweeps: their records, and what the reporter of web/report needs beside them. */

#include "results_compare.h"

/*
 * Writes the page of a sweep. Its records are the results (docs/command-line.md) without passes
 * that have nothing to say, and:
 *
 *     {"event":"names"}     the names of all cases, sorted: for each one how many
 *                           letters at its beginning and at its end are those of the one before,
 *                           and the letters between
 *     {"event":"rules"}     "rules", some identifiers, and "cases", the places in these names of
 *                           the cases that a built-in list has below just these rules
 *
 * Equal results give equal bytes. TOOL_ENVIRONMENT if the file cannot be written.
 */
tool_status page_of_sweep(const sweep_results *r, const char *path, tool_error *error);

/* Writes the page of two sweeps, whose records are those of results_compare_print. */
tool_status page_of_comparison(const results_comparison *comparison, const char *path,
                               tool_error *error);

#endif
