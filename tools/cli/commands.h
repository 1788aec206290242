/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_TOOLS_COMMANDS_H
#define CUMSUM_TOOLS_COMMANDS_H

/* The commands of the tool, and what they share. */

#include "case_file.h"
#include "error.h"
#include "options.h"
#include "results.h"

command_work command_run;
command_work command_verify;
command_work command_judge;
command_work command_descriptors;
command_work command_info;
command_work command_generate;
command_work command_sweep;
command_work command_compare;
command_work command_serve;
command_work command_fingerprint;
command_work command_minimize;

/* What these commands ask of the command line, beside what all do. */
command_check command_check_case_files; /* run, verify */
command_check command_check_judge;
command_check command_check_descriptors;
command_check command_check_generate;
command_check command_check_sweep;
command_check command_check_minimize;
command_check command_check_fingerprint;

/* TOOL_MALFORMED if a FILE is of another kind than the command takes: an array, an archive, raw
 * elements. The message says what to do with it. */
tool_status command_check_kinds(const tool_options *options, tool_error *error);

/* TOOL_MALFORMED if options or arguments of the command line do not fit together. */
tool_status command_check_usage(const command_spec *command, const tool_options *options,
                                tool_error *error);

/* Executes a command whose usage was checked, with a report that is opened and ended here. */
tool_status command_execute(const command_spec *command, const tool_options *options);

/* The case files of run, verify and judge: those of the command line, or one that is made from
 * one array or two. */

/* What a command does with a case file. */
typedef tool_status case_file_function(void *state, case_file *file, tool_error *error);

/* Reads one case file after the other, each so many times in turn, and calls `work`, until *stop is
 * true; stop may be NULL. Reports errors. */
void command_each_case_file(const tool_options *options, report *r, size_t times,
                            case_file_function *work, void *state, const bool *stop);

/* Reads a case file, or makes one of the array FILE.npy. */
tool_status command_read_file(const tool_options *options, const char *path, case_file **out,
                              tool_error *error);

/* Files of results. */

/* Reads the results of one sweep as sweep_results_read does. TOOL_MALFORMED if something is
 * missing, unless --allow-incomplete makes that a remark. */
tool_status results_open(const tool_options *options, const char *const *paths, size_t count,
                         size_t *used, sweep_results *results, tool_error *error);

/* Adds the results to the JUnit file and writes the page, if --report asks for them. */
tool_status results_reports(report *r, const tool_options *options, const sweep_results *results,
                            tool_error *error);

#endif
