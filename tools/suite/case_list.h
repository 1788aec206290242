/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_CASE_LIST_H
#define CUMSUM_TOOLS_CASE_LIST_H

/*
 * A list of cases: a text that expands to names (docs/suite.md describes the syntax).
 *
 *     # a comment
 *     include shapes                          the definitions of another built-in list
 *     ways = {increasing,decreasing}.{inclusive,exclusive}
 *     rule integers.wrap                      the rules that the cases below it test
 *     {int32,uint32}.wrap.$ways.1x{1..20}.axis1.in-packed.out-packed.full-range.seed1
 *
 * A line that starts with a space continues the one before it. Spaces in a name are left out.
 */

#include <stdint.h>

#include "error.h"

/* The name is for messages. */
typedef struct case_list {
    const char *name;
    const char *text;
} case_list;

/* A name that a list expands to. */
typedef struct listed_name {
    const char *name;
    const char *rules; /* "" or the identifiers of the rule line above it, with spaces between */
    uint64_t line;     /* of the list */
} listed_name;

/* Names that a list, or the braces of an argument, may stand for: a product of too many braces is a
 * mistake. */
#define CASE_MOST_NAMES UINT64_C(1000000)

/* Called for each name, for a name that occurs twice two times. */
typedef tool_status (*list_use)(void *context, const listed_name *listed, tool_error *error);

/*
 * Calls `use` for the names of a list. TOOL_MALFORMED for a text that is not the canonical name of
 * a valid case; otherwise returns what `use` returns. Messages start with "NAME:LINE: ".
 */
tool_status list_walk(const case_list *list, list_use use, void *context, tool_error *error);

/* The lists that are compiled into the program; a list without a name ends them. */
extern const case_list builtin_lists[];

/* NULL if there is none of this name. */
const case_list *list_find(const char *name);

#endif
