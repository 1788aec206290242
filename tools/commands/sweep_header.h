/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_HEADER_H
#define CUMSUM_TOOLS_SWEEP_HEADER_H

/* The first and the last line of a sweep's results. */

#include <json-c/json.h>

#include "executor.h"
#include "sweep_shard.h"
#include "sweep_state.h"
#include "sweep_times.h"

/* The device, as far as there is one. */
typedef struct sweep_device {
    char name[256]; /* the adapter and its driver; "" for the CPU */
    char adapter[160];
    char driver[160];
} sweep_device;

/* Of an open executor. */
sweep_device sweep_device_of(const executor *e);

/* What the sweep is, and in its member "run" where, when and how it was started: the one member
 * that may be another where a sweep is resumed. selected: how many cases the shard has. */
json_object *sweep_header(const tool_options *options, const sweep_device *device,
                          const sweep_shard *shard, uint64_t selected);

/* All cases of the shard are done: what they came to, and where the time of this run went. */
json_object *sweep_footer(const sweep_tally *tally, const sweep_times *times);

#endif
