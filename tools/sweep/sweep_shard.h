/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_SHARD_H
#define CUMSUM_TOOLS_SWEEP_SHARD_H

/*
 * A part of a sweep. A case belongs to the shard that its name alone decides, so that leaving one
 * out moves no other.
 */

#include "error.h"
#include "name_set.h"

typedef struct sweep_shard {
    uint32_t index; /* from 0 on */
    uint32_t count; /* 1: all of it */
} sweep_shard;

/*
 * The shard of `option`, "I/N" with I from 1 to N. Where that is NULL, the one that a scheduler's
 * environment names, whichever is there first:
 *     GTEST_SHARD_INDEX, GTEST_TOTAL_SHARDS     Google Test's protocol
 *     TEST_SHARD_INDEX, TEST_TOTAL_SHARDS       Bazel; the file TEST_SHARD_STATUS_FILE is made
 *     SLURM_ARRAY_TASK_ID, ..._COUNT, ..._MIN   a Slurm job array, ..._STEP apart
 *     JOB_COMPLETION_INDEX, JOB_COMPLETIONS     a Kubernetes indexed Job, whose manifest sets the
 *                                               second to its completions
 * Where there is none, everything. TOOL_MALFORMED for values that are no shard; TOOL_ENVIRONMENT
 * where the status file cannot be made.
 */
tool_status sweep_shard_of(const char *option, sweep_shard *out, tool_error *error);

/* Does the case belong to the shard? */
bool sweep_shard_has(const sweep_shard *shard, const char *name);

#endif
