/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BASELINE_H
#define CUMSUM_TOOLS_BASELINE_H

/* The known failures of a device: a text file with "STATE NAME" a line, fail, crash or timeout. */

#include "error.h"
#include "state_map.h"

/* Adds what the file has. TOOL_MALFORMED for a line that is none, a name that no case has, or one
 * that stands there twice. The caller frees the map in any case. */
tool_status baseline_read(const char *path, state_map *out, tool_error *error);

/* Writes the failures of a map, whatever else it has, sorted by name. */
tool_status baseline_write(const char *path, const state_map *map, tool_error *error);

#endif
