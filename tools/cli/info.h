/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_INFO_H
#define CUMSUM_TOOLS_INFO_H

/* The backends and the devices behind them, for cumsum info. */

#include <json-c/json.h>

#include "options.h"

/* "backends   cpu       yes" and so on, each with its reason or the device that it would take. */
void info_show_backends(const tool_options *options);
json_object *info_backends_array(const tool_options *options);

/* Every adapter of Direct3D 12 and what it can do; nothing where there is none. */
void info_show_adapters(void);
json_object *info_adapters_array(void);

#endif
