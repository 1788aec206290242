/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_LIST_DEFINE_H
#define CUMSUM_TOOLS_LIST_DEFINE_H

/* Definitions of a list, "ways = ...", and their use, "$ways" or "${ways}". */

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

typedef struct list_definition {
    char *name;
    char *text; /* without any $ */
} list_definition;

typedef struct list_definitions {
    list_definition *rows;
    size_t count;
} list_definitions;

/* Is the line "NAME = TEXT"? A name is lower-case letters, digits and '_'. */
bool list_is_definition(const char *line);

/* Keeps what such a line says. TOOL_MALFORMED for a name that is defined already. */
tool_status list_define(list_definitions *definitions, const char *line, tool_error *error);

/* *out receives text without its spaces and with every $name replaced, to be freed. TOOL_MALFORMED
 * for a name that is not defined, or where the text would pass LIST_MAX_TEXT. */
tool_status list_substitute(const list_definitions *definitions, const char *text, char **out,
                            tool_error *error);

/* Bytes that one line may become. */
#define LIST_MAX_TEXT ((size_t)1 << 20)

void list_definitions_free(list_definitions *definitions);

#endif
