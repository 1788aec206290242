/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMMANDS_H
#define CUMSUM_TOOLS_COMMANDS_H

/* The commands of the tool. Each returns its exit status. */

#include "error.h"
#include "options.h"

int command_run(const tool_options *options);
int command_run_array(const tool_options *options); /* run --input */
int command_verify(const tool_options *options);
int command_judge(const tool_options *options);
int command_validate(const tool_options *options);
int command_info(const tool_options *options);
int command_bench(const tool_options *options);
int command_generate(const tool_options *options);
int command_sweep(const tool_options *options);
int command_merge(const tool_options *options);
int command_sweep_worker(const tool_options *options); /* what sweep runs cases in */
int command_probe(const tool_options *options);
int command_fingerprint(const tool_options *options);
int command_minimize(const tool_options *options);

/* Says on stderr what is wrong with the command line, and returns TOOL_MALFORMED. */
int command_usage_error(const tool_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Options that only a device can follow need a backend with devices. TOOL_OK, or a usage error. */
int command_device_options(const tool_options *options);

#endif
