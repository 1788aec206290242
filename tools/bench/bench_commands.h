/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_BENCH_COMMANDS_H
#define CUMSUM_TOOLS_BENCH_COMMANDS_H

#include "options.h"

/* The things that `cumsum bench` measures. Both return the exit status. */

/* How fast the oracle is. */
int bench_judge(const tool_options *options);

/* How fast the library is, on the entries that fit the pattern (NULL: all of them). */
int bench_speed(const tool_options *options, const char *pattern);

/* How fast a backend's device is, on the same entries. */
int bench_device(const tool_options *options, const char *pattern);

#endif
