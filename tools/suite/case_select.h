/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_SELECT_H
#define CUMSUM_TOOLS_CASE_SELECT_H

/* Which cases an argument of the command line stands for. */

#include "error.h"
#include "name_set.h"

/*
 * Adds the names that an argument of the command line selects:
 *     the name of a built-in list, or the path of one (it ends in ".list")
 *     a pattern with *, ? or [ : the names of all built-in lists that match it as a whole
 *     a case name, in which braces may stand for several
 * TOOL_MALFORMED for a malformed list, a pattern that matches nothing, or an invalid name;
 * TOOL_ENVIRONMENT for a file that cannot be read.
 */
tool_status case_select(const char *argument, name_set *names, tool_error *error);

#endif
