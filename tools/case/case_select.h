/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_SELECT_H
#define CUMSUM_TOOLS_CASE_SELECT_H

#include "error.h"
#include "name_set.h"

/*
 * Braces as a shell expands them: "a{b,c{d,e}}f" stands for abf, acdf and acef, and "{8..10}" for
 * 8, 9 and 10. An alternative may be empty.
 */

/* Called with each text, in their order. Anything but TOOL_OK ends the expansion. */
typedef tool_status (*brace_use)(void *context, const char *text, tool_error *error);

/* Braces may be nested, or follow one another, so often in one text. */
#define BRACE_MAX_DEPTH 40

/* Room for a text that is expanded to, the 0 byte included. */
#define BRACE_TEXT_ROOM 512

/*
 * Expands pattern. Returns what `use` returns, or TOOL_MALFORMED, with a message that starts with
 * "column N: ", for a brace without its other half, a range that is none, more than BRACE_MAX_DEPTH
 * groups, or a text that is too long.
 */
tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error);

/*
 * Adds the names that an argument of the command line means:
 *     the name of a built-in list, or the path of one (it ends in ".list")
 *     a pattern with *, ? or [ : the names of all built-in lists that match it as a whole
 *     a case name, in which braces may stand for several
 * TOOL_MALFORMED for a list that is malformed, a pattern that nothing matches, or a name that is
 * none; TOOL_ENVIRONMENT for a file that cannot be read.
 */
tool_status case_select(const char *argument, name_set *names, tool_error *error);

#endif
