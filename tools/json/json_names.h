/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_NAMES_H
#define CUMSUM_TOOLS_JSON_NAMES_H

#include "json_document.h"

/* Checks what json-c does not: that every token is good, that no object has two members of one name
 * (json-c and RapidJSON each keep one of them silently, but not the same), that nothing follows the
 * value, that brackets pair, and that they are not nested deeper than JSON_MAX_DEPTH. */
tool_status json_check_names(const json_document *document, tool_error *error);

#endif
