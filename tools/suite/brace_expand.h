/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BRACE_EXPAND_H
#define CUMSUM_TOOLS_BRACE_EXPAND_H

/*
 * Braces as a shell expands them: "a{b,c{d,e}}f" stands for abf, acdf and acef, and "{8..10}" for
 * 8, 9 and 10. An alternative may be empty.
 */

#include "error.h"

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

#endif
