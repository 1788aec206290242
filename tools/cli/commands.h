/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMMANDS_H
#define CUMSUM_TOOLS_COMMANDS_H

/* The commands of the tool. Each has shown its errors when it returns. */

#include "case_file.h"
#include "error.h"
#include "options.h"

tool_status command_run(const tool_options *options);
tool_status command_verify(const tool_options *options);
tool_status command_judge(const tool_options *options);
tool_status command_validate(const tool_options *options);
tool_status command_info(const tool_options *options);
tool_status command_generate(const tool_options *options);
tool_status command_sweep(const tool_options *options);
tool_status command_merge(const tool_options *options);
tool_status command_compare(const tool_options *options);
tool_status command_serve(const tool_options *options);
tool_status command_fingerprint(const tool_options *options);
tool_status command_minimize(const tool_options *options);

/* Shows an error of the command line on stderr, and returns TOOL_MALFORMED. */
tool_status command_usage_error(const tool_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Checks that options for devices are given only with a backend that has devices. Returns TOOL_OK,
 * or shows a usage error and returns its status. */
tool_status command_device_options(const tool_options *options);

/* The case files of run, verify and judge: those of the command line, or with --input one that is
 * made from one array or two. */

/* Checks the options that say what they are, and those for devices, with the same result. */
tool_status command_check_case_files(const tool_options *options);

/* What a command does with a case file. */
typedef tool_status case_file_function(void *state, case_file *file, tool_error *error);

/* Reads one case file after the other and calls `work`, until *stop is true; stop may be NULL.
 * Reports errors. */
void command_each_case_file(const tool_options *options, report *r, case_file_function *work,
                            void *state, const bool *stop);

#endif
