/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_JSON_LOCATE_H
#define CUMSUM_TOOLS_JSON_LOCATE_H

#include "json_value.h"

/* Where in the text a value starts: found by walking the text, since only errors ask. */
size_t json_locate(const json_value *value);

#endif
