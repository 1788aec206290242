/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_SWEEP_SHOW_H
#define CUMSUM_TOOLS_SWEEP_SHOW_H

/* A sweep as text. */

#include "sweep_done.h"

/* A line, and below it what explains a failure. Cases that are as they should be are shown only
 * with -v, those that are known or waived not with -q. */
void sweep_show_case(const tool_options *options, const char *name, sweep_state state,
                     const sweep_done *done);

/* How many cases there are of each state, where there are other ones than pass, fail and
 * not-supported, or flakes. */
void sweep_show_states(const sweep_tally *tally);

/* Where the time went. */
void sweep_show_times(const sweep_times *times);

#endif
