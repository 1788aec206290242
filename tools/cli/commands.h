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
tool_status command_probe(const tool_options *options);
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

size_t command_case_file_count(const tool_options *options);

/* The file that results and errors of a case file say. */
const char *command_case_file_path(const tool_options *options, size_t index);

/* Reads a case file, for case_file_free. */
tool_status command_read_case_file(const tool_options *options, size_t index, case_file **out,
                                   tool_error *error);

#endif
