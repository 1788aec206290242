/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_BUILD_H
#define CUMSUM_TOOLS_JSON_BUILD_H

/*
 * The tree of a text. json-c holds it, but does not read it: where its parser finds no memory it
 * leaves out a member or a part of a string and says nothing.
 */

#include "json_document.h"

/* What a number becomes. */
typedef enum json_numbers {
    JSON_NUMBERS_AS_PLACES, /* its offset in the text */
    JSON_NUMBERS_AS_VALUES  /* an integer of 64 bits where it is one, else a double that prints as
                               the text has it */
} json_numbers;

/* Makes document->root. The text must consist of good tokens that close what they open
 * (json_check_names saw to it). TOOL_MALFORMED where their order is wrong, TOOL_ENVIRONMENT where
 * memory is out. */
tool_status json_build(json_document *document, json_numbers numbers, tool_error *error);

#endif
