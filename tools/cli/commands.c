/* SPDX-License-Identifier: MIT */
/* What commands share: usage errors, checks of options, and the case files of run, verify and
 * judge: those of the command line, or one that is made from one array or two. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "case_file.h"
#include "file.h"
#include "pieces.h"
#include "report.h"
#include "segments.h"

/* minimize has a --timeout of its own; a sweep ends the process of a case. */
static tool_status check_timeout(const tool_options *options, tool_error *error) {
    const bool applies = options->backend.backend != BACKEND_CPU ||
                         options->command == COMMAND_MINIMIZE || options->command == COMMAND_SWEEP;
    if (options->backend.timeout && !applies)
        return tool_fail(error, TOOL_MALFORMED,
                         "option --timeout needs --backend d3d12, directml or cuda%s",
                         options->command == COMMAND_DESCRIPTORS ? "" : ", or --exec");
    return TOOL_OK;
}

static bool is_standard(const char *path) {
    return path && !strcmp(path, "-");
}

static tool_status check_files(const tool_options *options, tool_error *error) {
    const char *option = options->has_axis     ? "axis"
                         : options->raw.type   ? "raw"
                         : options->decreasing ? "reverse"
                         : options->exclusive  ? "exclusive"
                         : options->output     ? "output"
                                               : NULL;
    if (!options->file_count)
        return tool_fail(error, TOOL_MALFORMED, "no FILE is given: a case file, or arrays");
    if (option)
        return tool_fail(error, TOOL_MALFORMED, "option --%s needs arrays, such as X.npy", option);
    return TOOL_OK;
}

/* run takes an array, the others also the sums. */
static tool_status check_array_count(const tool_options *options, const char *command,
                                     tool_error *error) {
    const size_t wanted = options->command == COMMAND_RUN ? 1 : 2;
    if (options->file_count > wanted)
        return tool_fail(error, TOOL_MALFORMED, "%s takes %s, but '%.400s' is one more", command,
                         wanted == 1 ? "one array" : "two arrays", options->files[wanted]);
    if (options->file_count < wanted)
        return tool_fail(error, TOOL_MALFORMED,
                         "the sums of '%.300s' are missing: cumsum %s %.300s Y.npy", options->input,
                         command, options->input);
    return TOOL_OK;
}

static tool_status check_arrays(const tool_options *options, tool_error *error) {
    const bool from = is_standard(options->input), other = is_standard(options->recorded);
    const bool to = is_standard(options->output) && options->command == COMMAND_RUN;
    const tool_status count = check_array_count(options, options->report.command, error);
    if (count != TOOL_OK)
        return count;
    if (options->actuals.count)
        return tool_fail(error, TOOL_MALFORMED, "option --actual needs a case file");
    if ((from && other) || ((from || other) && !options->raw.rank))
        return tool_fail(error, TOOL_MALFORMED,
                         from && other ? "standard input cannot be both arrays"
                                       : "standard input needs --raw TYPE:SIZES");
    if (to && options->report.json)
        return tool_fail(error, TOOL_MALFORMED,
                         "--output - cannot be combined with --json: both write standard output");
    return TOOL_OK;
}

tool_status command_check_case_files(const tool_options *options, tool_error *error) {
    const tool_status usage = segments_check(options, error);
    if (usage != TOOL_OK)
        return usage;
    return options->input ? check_arrays(options, error) : check_files(options, error);
}

tool_status command_check_usage(const command_spec *command, const tool_options *options,
                                tool_error *error) {
    if (options->file_count < command->least)
        return tool_fail(error, TOOL_MALFORMED, "%s", command->missing);
    if (options->file_count > command->most) {
        return tool_fail(error, TOOL_MALFORMED, "unexpected argument '%.400s'",
                         options->files[command->most]);
    }
    tool_status usage = command_check_kinds(options, error);
    if (usage == TOOL_OK && command->check)
        usage = command->check(options, error);
    return usage == TOOL_OK ? check_timeout(options, error) : usage;
}

tool_status command_execute(const command_spec *command, const tool_options *options) {
    report r;
    tool_error error;
    report_open(&r, &options->report);
    const tool_status status = command->execute(options, &r, &error);
    if (status == TOOL_SKIPPED)
        report_message("%s", error.message);
    else if (status != TOOL_OK)
        report_error(&r, status, NULL, error.message);
    return command->end(&r);
}

/* The file that results and errors of a case file say. */
static const char *case_file_path(const tool_options *options, size_t index) {
    return !options->input     ? options->files[index]
           : options->recorded ? options->recorded
                               : options->input;
}

static tool_status read_arrays(const tool_options *options, case_file **out, tool_error *error) {
    const char *output = options->recorded;
    char name[300];
    case_file_arrays arrays = {.path = case_file_path(options, 0),
                               .input_path = output ? options->input : NULL,
                               .name = name,
                               .axis = options->axis,
                               .decreasing = options->decreasing,
                               .exclusive = options->exclusive,
                               .recorded = options->command == COMMAND_JUDGE && !options->output};
    *out = NULL;
    tool_status status = read_array(options, options->input, &arrays.input, error);
    if (status == TOOL_OK && !options->sum)
        status = check_axis_given(options, options->input,
                                  npy_axes(arrays.input.rank, arrays.input.complex_parts), error);
    if (status == TOOL_OK && output)
        status = read_array(options, output, &arrays.expected, error);
    const cumsum_data_type narrow = arrays.input.type;
    const bool boolean = arrays.input.boolean;
    if (status == TOOL_OK && output)
        status = npy_widen(&arrays.input, arrays.expected.type, options->input, error);
    const char *type =
        arrays.input.type == narrow ? NULL : cumsum_data_type_name(arrays.input.type);
    snprintf(name, sizeof name, output ? "sums of %s%s%s" : "sums", options->input,
             type ? " in " : "", type ? type : "");
    if (status == TOOL_OK)
        status = case_file_of_arrays(&arrays, out, error);
    if (status == TOOL_OK) {
        (*out)->narrow = narrow;
        (*out)->boolean = boolean;
    }
    case_file_arrays_free(&arrays);
    return status;
}

tool_status command_read_file(const tool_options *options, const char *path, case_file **out,
                              tool_error *error) {
    tool_options one = *options;
    if (!npy_is_path(path))
        return case_file_read(path, out, error);
    one.input = path;
    return read_arrays(&one, out, error);
}

/* Reads a case file and calls `work`. */
static tool_status take_case_file(const tool_options *options, size_t index,
                                  case_file_function *work, void *state, tool_error *error) {
    case_file *file;
    tool_status status = options->input ? read_arrays(options, &file, error)
                                        : case_file_read(options->files[index], &file, error);
    if (status != TOOL_OK)
        return status;
    status = work(state, file, error);
    if (status == TOOL_OK)
        status = file_check_maps(error);
    case_file_free(file);
    return status;
}

void command_each_case_file(const tool_options *options, report *r, size_t times,
                            case_file_function *work, void *state, const bool *stop) {
    const size_t count = options->input ? 1 : options->file_count;
    for (size_t i = 0; i < count && !(stop && *stop); i++) {
        tool_status status = TOOL_OK;
        tool_error error;
        for (size_t k = 0; k < times && status == TOOL_OK; k++)
            status = take_case_file(options, i, work, state, &error);
        if (status != TOOL_OK)
            report_error(r, status, case_file_path(options, i), error.message);
    }
    progress_clear();
}
