/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BRACES_H
#define CUMSUM_TOOLS_BRACES_H

/*
 * Braces as a shell expands them: "a{b,c{d,e}}f" stands for abf, acdf and acef, and "{8..10}" for
 * 8, 9 and 10. An alternative may be empty. "$name" and "${name}" stand for the text of a name,
 * whose braces and names are expanded, too.
 */

#include <json-c/json.h>
#include <stddef.h>

#include "error.h"

/* Called for each text in order. Anything but TOOL_OK ends the expansion. */
typedef tool_status (*brace_use)(void *context, const char *text, tool_error *error);

/* Groups of braces and names in one text, nested or not. */
#define BRACE_MAX_DEPTH 60

/* Room for an expanded text, the 0 byte included. */
#define BRACE_TEXT_ROOM 512

/*
 * Expands pattern. definitions: the texts of names; NULL: '$' is a letter like others. Returns what
 * `use` returns, or TOOL_MALFORMED, with a message that starts with "column N: ", for an unpaired
 * brace, a range whose end is before its start, a name that is not defined, more than
 * BRACE_MAX_DEPTH groups and names, or a text that is too long.
 */
tool_status brace_expand(const char *pattern, json_object *definitions, brace_use use,
                         void *context, tool_error *error);

/* The length of the name at text: lower-case letters, digits and '_'. */
size_t brace_name_length(const char *text);

#endif
