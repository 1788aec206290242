/* SPDX-License-Identifier: MIT */
/*
 * cumsum judge: asks the oracle for a verdict on each dispatch of a case file. The outputs are
 * recorded (NAME.expected or --actual), or, with --backend, a backend computes them.
 *
 * Invariant: a dispatch is judged against the input that it read. Recorded outputs are therefore
 * written back in the order of the dispatches, and an output in place is judged against a copy.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buffer_state.h"
#include "commands.h"
#include "executor.h"
#include "judge_result.h"
#include "memory.h"
#include "progress.h"
#include "recorded.h"
#include "repeats.h"
#include "report.h"
#include "save_case.h"

/* An output in place has replaced its input. The judge therefore gets the memory as it was before
 * the dispatch, and a copy of the computed output. */
static tool_status judge_computed(judge_report *to, const case_file *file,
                                  const case_file_command *command, const unsigned char *before,
                                  tool_error *error) {
    unsigned char *computed = binding_copy(&command->output);
    recorded_output recorded;
    recorded_copy(command, computed, &recorded);
    recorded.before = before;
    memcpy(binding_bytes(&command->output), before, command->output.size);
    tool_status status = judge_report_dispatch(to, file, command, &recorded, error);
    memcpy(binding_bytes(&command->output), computed, command->output.size);
    free(computed);
    return status;
}

static void report_skip(judge_report *to, const executor *e, const case_file *file,
                        const case_file_command *command, const char *reason) {
    char text[512];
    snprintf(text, sizeof text, "backend %s: %.480s", backend_name(e->backend), reason);
    judge_report_skip(to, file, command, text);
}

/* Later dispatches may read the output of a skipped one, so the CPU computes it. */
static tool_status skip(judge_report *to, const executor *e, const case_file *file,
                        const case_file_command *command, tool_error *error) {
    const executor cpu = {.settings = e->settings};
    report_skip(to, e, file, command, error->message);
    return executor_dispatch(&cpu, file, command, NULL, error);
}

/* judge --runs: executes a dispatch again and again on the same memory. The first output stays. */
static tool_status dispatch_often(const judge_report *to, const executor *e, const case_file *file,
                                  const case_file_command *command, const unsigned char *before,
                                  repeats *outputs, tool_error *error) {
    const layout tensor = layout_of(command->dispatchable->op.desc.output_tensor->desc);
    tool_status status = TOOL_OK;
    repeats_begin(outputs, &tensor, 0, command->output.size);
    for (uint32_t i = 0; i < to->options->sweep.runs && status == TOOL_OK; i++) {
        memcpy(binding_bytes(&command->output), before, command->output.size);
        status = executor_dispatch(e, file, command, NULL, error);
        if (status == TOOL_OK && !repeats_add(outputs, binding_bytes(&command->output)))
            status = tool_fail(error, TOOL_ENVIRONMENT, "%s: no memory for several outputs of '%s'",
                               file->path, command->dispatchable->name);
    }
    if (status == TOOL_OK)
        memcpy(binding_bytes(&command->output), outputs->kept[0].bytes, command->output.size);
    return status;
}

static tool_status judge_unstable(judge_report *to, const executor *e, const case_file *file,
                                  const case_file_command *command, const unsigned char *before,
                                  const repeats *outputs, tool_error *error) {
    const bool promised = e->device && e->device->deterministic;
    memcpy(binding_bytes(&command->output), before, command->output.size);
    const tool_status status = judge_report_unstable(to, file, command, outputs, promised, error);
    memcpy(binding_bytes(&command->output), outputs->kept[0].bytes, command->output.size);
    return status;
}

static tool_status judge_one(judge_report *to, const executor *e, const case_file *file,
                             const case_file_command *command, tool_error *error) {
    const char *reason = executor_reason(e);
    repeats outputs = {.runs = 0};
    if (reason) {
        report_skip(to, e, file, command, reason);
        return TOOL_OK;
    }
    unsigned char *before = binding_copy(&command->output);
    tool_status status = to->options->sweep.runs > 1
                             ? dispatch_often(to, e, file, command, before, &outputs, error)
                             : executor_dispatch(e, file, command, NULL, error);
    to->adapted = executor_adapted(e);
    if (status == TOOL_OK && repeats_unstable(&outputs))
        status = judge_unstable(to, e, file, command, before, &outputs, error);
    else if (status == TOOL_OK)
        status = judge_computed(to, file, command, before, error);
    else if (status == TOOL_SKIPPED)
        status = skip(to, e, file, command, error);
    repeats_end(&outputs);
    free(before);
    return status;
}

/* judge --backend: executes and judges every dispatch of a checked case file. If the backend cannot
 * compute a dispatch, the dispatch is skipped with the reason. */
static tool_status judge_executed(judge_report *to, const executor *e, case_file *file,
                                  tool_error *error) {
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++) {
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH) {
            progress_show(i, file->command_count, file->path);
            status = judge_one(to, e, file, &file->commands[i], error);
        }
    }
    return status;
}

/* The state of judging the recorded outputs of one case file, without executing anything. */
typedef struct judging {
    judge_report *to;
    case_file *file;
    recordings recordings;
    bool *known; /* for each command: is its output recorded, and not overwritten later? */
} judging;

static bool overwritten_later(const case_file *file, size_t index) {
    for (size_t i = index + 1; i < file->command_count; i++)
        if (file->commands[i].type == CASE_FILE_COMMAND_DISPATCH &&
            outputs_overlap(&file->commands[index], &file->commands[i]))
            return true;
    return false;
}

/* The earlier dispatch whose unknown output this one reads, or NULL. The search goes backwards and
 * stops at a known output of exactly the elements that are read: it hides all earlier contents. */
static const case_file_command *unknown_source(const judging *j, size_t index) {
    const case_file_command *commands = j->file->commands;
    for (size_t i = index; i-- > 0;) {
        if (commands[i].type != CASE_FILE_COMMAND_DISPATCH ||
            !input_overlaps_output(&commands[index], &commands[i]))
            continue;
        if (!j->known[i])
            return &commands[i];
        if (input_is_output(&commands[index], &commands[i]))
            return NULL;
    }
    return NULL;
}

/* Copies the recorded output into the output buffer, where later dispatches read it. */
static void write_back(const case_file_command *command, const recorded_output *recorded) {
    const layout output = layout_of(command->dispatchable->op.desc.output_tensor->desc);
    layout_copy(&recorded->elements, recorded->first, &output, binding_bytes(&command->output));
}

static tool_status judge_recorded(judging *j, size_t index, const recorded_output *recorded,
                                  tool_error *error) {
    const case_file_command *command = &j->file->commands[index];
    const case_file_command *source = unknown_source(j, index);
    char reason[256];
    j->known[index] = !overwritten_later(j->file, index);
    if (!j->known[index]) {
        judge_report_skip(j->to, j->file, command,
                          "a later dispatch writes over its output, which is not recorded");
        return TOOL_OK;
    }
    if (source) {
        snprintf(reason, sizeof reason, "its input is an output of '%s' that is not recorded",
                 source->dispatchable->name);
        judge_report_skip(j->to, j->file, command, reason);
    } else {
        tool_status status = judge_report_dispatch(j->to, j->file, command, recorded, error);
        if (status != TOOL_OK)
            return status;
    }
    write_back(command, recorded);
    return TOOL_OK;
}

static tool_status judge_dispatch(judging *j, size_t index, tool_error *error) {
    const case_file_command *command = &j->file->commands[index];
    recorded_output recorded;
    bool found;
    tool_status status = recordings_find(&j->recordings, command, &recorded, &found, error);
    if (status != TOOL_OK || found)
        return status == TOOL_OK ? judge_recorded(j, index, &recorded, error) : status;
    char reason[256];
    snprintf(reason, sizeof reason,
             j->recordings.files->count ? "no --actual names '%s'"
                                        : "there is no resource '%s.expected'",
             command->output.resource->name);
    judge_report_skip(j->to, j->file, command, reason);
    return TOOL_OK;
}

static tool_status judge_commands(judging *j, tool_error *error) {
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < j->file->command_count && status == TOOL_OK; i++) {
        if (j->file->commands[i].type == CASE_FILE_COMMAND_DISPATCH) {
            progress_show(i, j->file->command_count, j->file->path);
            status = judge_dispatch(j, i, error);
        }
    }
    return status;
}

static tool_status judge_recordings(judge_report *to, case_file *file, tool_error *error) {
    judging j = {.to = to, .file = file, .known = tool_calloc(file->command_count, sizeof(bool))};
    const actual_files none = {0}; /* with --input, --actual is the case file's expected output */
    tool_status status = recordings_begin(
        &j.recordings, to->options->input ? &none : &to->options->actuals, file, error);
    if (status == TOOL_OK)
        status = judge_commands(&j, error);
    recordings_end(&j.recordings);
    free(j.known);
    return status;
}

static tool_status judge_case_file(judge_report *to, const executor *e, case_file *file,
                                   tool_error *error) {
    const tool_options *options = to->options;
    tool_status status = executor_check_case_file(file, options->backend.level, error);
    if (status != TOOL_OK)
        return status;
    return options->has_backend ? judge_executed(to, e, file, error)
                                : judge_recordings(to, file, error);
}

/* Arrays may have types that the operator does not have. What the oracle takes of them can still be
 * judged. */
static tool_status judge_arrays(judge_report *to, const executor *e, case_file *file,
                                tool_error *error) {
    const tool_options *options = to->options;
    const case_file_command *command = &file->commands[0];
    const cumsum_data_type type = command->dispatchable->op.input.buffer.data_type;
    char reason[80];
    if (word_of(type_words, (int)type)) /* one of the operator's */
        return judge_case_file(to, e, file, error);
    if (options->has_backend && options->backend.backend != BACKEND_EXEC) {
        snprintf(reason, sizeof reason, "no backend but --exec computes sums of %s",
                 cumsum_data_type_name(type));
        judge_report_skip(to, file, command, reason);
        return TOOL_OK;
    }
    return options->has_backend ? judge_executed(to, e, file, error)
                                : judge_recordings(to, file, error);
}

static void judge_file(judge_report *to, const executor *e, size_t index) {
    case_file *file;
    tool_error error;
    tool_status status = command_read_case_file(to->options, index, &file, &error);
    if (status == TOOL_OK) {
        status = to->options->input ? judge_arrays(to, e, file, &error)
                                    : judge_case_file(to, e, file, &error);
        case_file_free(file);
    }
    if (status != TOOL_OK)
        report_error(&to->report, status, command_case_file_path(to->options, index),
                     error.message);
}

static tool_status check_actuals(const tool_options *options) {
    for (size_t i = 0; i < options->actuals.count && !options->input; i++) {
        const actual_file *file = &options->actuals.list[i];
        if (!file->resource_length || !*file->path) {
            return command_usage_error(options, "option --actual: '%s' is not RESOURCE=FILE.npy",
                                       file->text);
        }
    }
    if (options->input && !options->actuals.count && !options->has_backend) {
        return command_usage_error(options, "--input needs --actual FILE.npy, the outputs to "
                                            "judge, or --backend or --exec, which compute them");
    }
    return TOOL_OK;
}

static tool_status check_arguments(const tool_options *options) {
    tool_status usage = command_check_case_files(options);
    if (usage == TOOL_OK)
        usage = check_actuals(options);
    if (usage == TOOL_OK)
        usage = save_case_check(options);
    if (usage != TOOL_OK)
        return usage;
    if (options->actuals.count && options->file_count > 1) {
        return command_usage_error(options, "--actual needs exactly one FILE, but %zu are given",
                                   options->file_count);
    }
    if (options->actuals.count && options->has_backend) {
        return command_usage_error(options, "--actual cannot be combined with --backend: one names "
                                            "recorded outputs, the other computes them");
    }
    if ((options->backend.order.given || options->backend.denormals.given) &&
        !options->has_backend) {
        return command_usage_error(options, "option --%s needs --backend",
                                   options->backend.order.given ? "order" : "denormals");
    }
    if (options->sweep.runs && !options->has_backend) {
        return command_usage_error(options, "option --runs needs --backend: what is recorded was "
                                            "computed once");
    }
    return TOOL_OK;
}

/* The threads of the cpu backend judge too. Without a backend they do nothing else. */
static tool_status begin_pool(judge_report *to, executor *e, tool_error *error) {
    const uint32_t threads = to->options->backend.threads;
    if (!e->pool && threads != 1) {
        e->pool = thread_pool_start(threads, error);
        if (!e->pool)
            return TOOL_ENVIRONMENT;
    }
    to->pool = e->pool;
    return TOOL_OK;
}

tool_status command_judge(const tool_options *options) {
    judge_report to = {.options = options};
    executor e = {0};
    tool_error error;
    tool_status usage = check_arguments(options);
    if (usage != TOOL_OK)
        return usage;
    if (options->html)
        text_buffer_begin(&to.page);
    tool_status status = report_begin(&to.report, &options->report, &error);
    if (status == TOOL_OK)
        status = held_order_begin(&to.held, options->order_file, &error);
    if (status == TOOL_OK && options->has_backend)
        status = executor_begin(&e, &options->backend, options->backend.backend, &error);
    if (status == TOOL_OK)
        status = begin_pool(&to, &e, &error);
    if (status != TOOL_OK)
        report_error(&to.report, status, NULL, error.message);
    const size_t count = command_case_file_count(options);
    for (size_t i = 0; i < count && status == TOOL_OK; i++) {
        progress_files(i, count);
        judge_file(&to, &e, i);
    }
    if (status == TOOL_OK)
        judge_report_counts(&to);
    if (options->html)
        judge_report_page(&to, options->html);
    executor_end(&e);
    held_order_end(&to.held);
    return report_end(&to.report);
}
