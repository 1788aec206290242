/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_REWRITE_H
#define CUMSUM_TOOLS_JSON_REWRITE_H

/*
 * The text that json-c gets to read: the tokens of the source without whitespace, comments and
 * commas after the last element, and with every number replaced by its offset in the source.
 */

#include <stddef.h>

/* The rewritten text, terminated, to be freed; NULL when out of memory. The source must consist of
 * good tokens (json_check_names saw to it). */
char *json_rewrite(const char *text, size_t length, size_t *rewritten_length);

/* The offset in the source of the token that holds the byte at offset of the rewritten text; the
 * length of the source where there is none. */
size_t json_rewrite_source(const char *text, size_t length, size_t offset);

#endif
