/* SPDX-License-Identifier: MIT */
/*
 * cumsum judge: asks the oracle for a verdict on each recorded output of a case file (NAME.expected
 * or --actual).
 *
 * Invariant: a dispatch is judged against the input that it read. Recorded outputs are therefore
 * written back in the order of the dispatches, and an output in place is judged against a copy.
 */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "commands.h"
#include "executor.h"
#include "memory.h"
#include "page.h"
#include "pieces.h"
#include "report.h"

static bool overwritten_later(const case_file *file, size_t index) {
    for (size_t i = index + 1; i < file->command_count; i++)
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH &&
            outputs_overlap(&file->commands[index], &file->commands[i]))
            return true;
    return false;
}

/* The earlier dispatch whose unknown output this one reads, or NULL. known: for each command, is
 * its output recorded, and not overwritten later? The search goes backwards and stops at a known
 * output of exactly the elements that are read: it hides all earlier contents. */
static const case_file_command *unknown_source(const case_file *file, const bool *known,
                                               size_t index) {
    const case_file_command *commands = file->commands;
    for (size_t i = index; i-- > 0;) {
        if (commands[i].type != CASE_FILE_COMMAND_DISPATCH ||
            !input_overlaps_output(&commands[index], &commands[i]))
            continue;
        if (!known[i])
            return &commands[i];
        if (input_is_output(&commands[index], &commands[i]))
            return NULL;
    }
    return NULL;
}

/* Judges what is recorded, and copies it into the output buffer, where later dispatches read it. */
static tool_status judge_recorded(judge_report *to, const recordings *r, bool *known, size_t index,
                                  tool_error *error) {
    const char *name = to->command->output.resource->name;
    const case_file_command *source = unknown_source(to->file, known, index);
    recorded_output recorded;
    char reason[256];
    bool found;
    tool_status status = recordings_find(r, to->command, &recorded, &found, error);
    if (status != TOOL_OK)
        return status;
    known[index] = found && !overwritten_later(to->file, index);
    if (!found) {
        snprintf(reason, sizeof reason,
                 r->files->count ? "no --actual names '%s'" : "there is no resource '%s.expected'",
                 name);
    } else if (!known[index]) {
        snprintf(reason, sizeof reason,
                 "a later dispatch writes over its output, which is not recorded");
    } else if (source) {
        snprintf(reason, sizeof reason, "its input is an output of '%s' that is not recorded",
                 source->dispatchable->name);
    }
    if (!known[index] || source)
        judge_report_skip(to, reason);
    else
        status = judge_report_output(to, &recorded, error);
    if (known[index] && status == TOOL_OK && binding_bytes(&to->command->output)) {
        const layout output = layout_of(to->command->dispatchable->op.desc.output_tensor->desc);
        layout_copy(&recorded.judged.tensor, recorded.judged.output, &output,
                    binding_bytes(&to->command->output));
    }
    return status;
}

static tool_status judge_dispatches(judge_report *to, const case_file *file, tool_error *error) {
    bool *known = tool_calloc(file->command_count, sizeof *known);
    recordings r;
    tool_status status = recordings_read(&r, &to->options->actuals, file, error);
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++) {
        if (file->commands[i].type != CASE_FILE_COMMAND_DISPATCH)
            continue;
        progress_show(i, file->command_count, file->path);
        to->file = file;
        to->command = &file->commands[i];
        status = judge_recorded(to, &r, known, i, error);
    }
    recordings_free(&r);
    free(known);
    return status;
}

/* Arrays may have types that the operator does not have. What the oracle takes of them can still be
 * judged. */
static tool_status judge_case_file(void *state, case_file *file, tool_error *error) {
    judge_report *to = state;
    const cumsum_data_type type = file->dispatchable_count
                                      ? file->dispatchables[0].op.input.buffer.data_type
                                      : CUMSUM_DATA_TYPE_UNKNOWN;
    tool_status status = TOOL_OK;
    if (!to->options->input || word_of(type_words, (int)type)) /* one of the operator's */
        status = executor_check_case_file(file, error);
    return status == TOOL_OK ? judge_dispatches(to, file, error) : status;
}

static tool_status check_sum(const tool_options *options, tool_error *error) {
    const bool alone =
        !(options->has_axis || options->decreasing || options->exclusive || options->output ||
          options->report.html || options->has_required_order || options->beside ||
          options->actuals.count || options->segments || options->initial || options->has_types);
    if (alone && options->input && options->file_count == 2)
        return TOOL_OK;
    return tool_fail(error, TOOL_MALFORMED,
                     "--sum needs X.npy and Y.npy, and takes only options for reports and verdicts "
                     "beside them");
}

tool_status command_check_judge(const tool_options *options, tool_error *error) {
    if (options->sum)
        return check_sum(options, error);
    tool_status usage = command_check_case_files(options, error);
    if (usage == TOOL_OK)
        usage = save_case_check(options, error);
    if (usage != TOOL_OK)
        return usage;
    if (options->has_types && !options->input)
        return tool_fail(error, TOOL_MALFORMED, "option --types needs X.npy and Y.npy");
    if (options->beside && !options->recorded)
        return tool_fail(error, TOOL_MALFORMED, "option --beside needs X.npy and Y.npy");
    if (options->actuals.count && options->file_count > 1) {
        return tool_fail(error, TOOL_MALFORMED,
                         "--actual needs exactly one FILE, but %zu are given", options->file_count);
    }
    if (options->backend.has_numerics && options->rules.profile[0])
        return tool_fail(error, TOOL_MALFORMED,
                         "--rules cannot be combined with --numerics: both say in which arithmetic "
                         "sums are");
    return TOOL_OK;
}

/* Writes the page of --report. */
static void write_judged_page(judge_report *to, const char *path) {
    tool_error error;
    const tool_status status = page_write(path, &to->page, &error);
    if (status != TOOL_OK)
        report_error(to->report, status, NULL, error.message);
}

tool_status command_judge(const tool_options *options, report *r, tool_error *error) {
    judge_report to = {.options = options, .report = r, .pool = thread_pool_open(0, error)};
    bool taken = false;
    if (!to.pool)
        return TOOL_ENVIRONMENT;
    if (options->report.html)
        text_buffer_open(&to.page);
    tool_status status = options->sum ? judge_sums(&to, error) : judge_pieces(&to, &taken, error);
    if (status == TOOL_OK && !options->sum && !taken)
        command_each_case_file(options, r, 1, judge_case_file, &to, NULL);
    if (status == TOOL_OK)
        judge_report_counts(&to);
    if (options->report.html)
        write_judged_page(&to, options->report.html);
    thread_pool_close(to.pool);
    return status;
}
