/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_HEADER_H
#define CUMSUM_TOOLS_SWEEP_HEADER_H

/* The first line of a sweep's results, which identifies the sweep. */

#include "json_tree.h"
#include "sweep.h"
#include "sweep_state.h"

/* The cases of a shard. The digest is that of all shards: it stays the same in another order, and
 * changes with any name. */
typedef struct sweep_selection {
    name_set names;
    uint64_t digest;
} sweep_selection;

/* Its member "machines" says where, when and how this shard was started. device: all zero for the
 * CPU. */
json_object *sweep_header(const sweep_settings *settings, const backend_settings *backend,
                          const backend_device *device, const sweep_shard *shard,
                          const sweep_selection *selection);

/* The time in UTC, ISO 8601. */
#define SWEEP_TIME_ROOM 40
const char *sweep_time(char text[SWEEP_TIME_ROOM]);

#endif
