/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_LIST_H
#define CUMSUM_TOOLS_CASE_LIST_H

/*
 * A list of cases: a text that expands to names (docs/suite.md describes the syntax).
 *
 *     # a comment
 *     include shapes                          the definitions of another built-in list
 *     ways = {increasing,decreasing}.{inclusive,exclusive}
 *     rule integers.wrap                      for readers: the rules that the cases below test
 *     {int32,uint32}.wrap.$ways.1x{1..20}.axis1.in-packed.out-packed.full-range.seed1
 *
 * A line that starts with a space continues the one before it. Spaces in a name are left out. A
 * name is defined before it is used.
 */

#include "error.h"
#include "name_set.h"

/* The name is for messages. */
typedef struct case_list {
    const char *name;
    const char *text;
} case_list;

/*
 * Braces as a shell expands them: "a{b,c{d,e}}f" stands for abf, acdf and acef, and "{8..10}" for
 * 8, 9 and 10. An alternative may be empty.
 */

/* Called for each text in order. Anything but TOOL_OK ends the expansion. */
typedef tool_status (*brace_use)(void *context, const char *text, tool_error *error);

/*
 * Calls `use` for the names of a list, for a name that occurs twice two times. TOOL_MALFORMED for a
 * text that is not the canonical name of a valid case; otherwise returns what `use` returns.
 * Messages start with "NAME:LINE: ".
 */
tool_status list_walk(const case_list *list, brace_use use, void *context, tool_error *error);

/* The lists that are compiled into the program; a list without a name ends them. */
extern const case_list builtin_lists[];

/*
 * Adds the names that an argument of the command line selects:
 *     the name of a built-in list, or the path of one (it ends in ".list")
 *     a pattern with *, ? or [ : the names of all built-in lists that match it as a whole
 *     a case name, in which braces may stand for several
 * TOOL_MALFORMED for a malformed list, a pattern that matches nothing, or an invalid name;
 * TOOL_ENVIRONMENT for a file that cannot be read.
 */
tool_status case_select(const char *argument, name_set *names, tool_error *error);

/* Groups of braces in one text, nested or not. */
#define BRACE_MAX_DEPTH 60

/* Room for an expanded text, the 0 byte included. */
#define BRACE_TEXT_ROOM 512

/*
 * Expands pattern. Returns what `use` returns, or TOOL_MALFORMED, with a message that quotes the
 * place, for an unpaired brace, a range whose end is before its start, more than BRACE_MAX_DEPTH
 * groups, or a text that is too long.
 */
tool_status brace_expand(const char *pattern, brace_use use, void *context, tool_error *error);

#endif
