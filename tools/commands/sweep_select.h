/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_SELECT_H
#define CUMSUM_TOOLS_SWEEP_SELECT_H

#include "name_set.h"
#include "report.h"
#include "sweep_shard.h"

/* Adds the cases that the command line names and that are the shard's. What is wrong with an
 * argument goes to the report. */
void sweep_select(const sweep_shard *shard, report *r, name_set *names);

#endif
