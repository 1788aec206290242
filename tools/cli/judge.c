/* SPDX-License-Identifier: MIT */
/*
 * cumsum judge: asks the oracle for a verdict on each dispatch of a case file. The outputs are
 * recorded (NAME.expected or --actual), or, with --backend, a backend computes them.
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
#include "pieces.h"
#include "report.h"

static void skip_on_backend(judge_report *to, const char *reason) {
    char text[512];
    snprintf(text, sizeof text, "backend %s: %.480s", backend_name(to->executor->backend), reason);
    judge_report_skip(to, text);
}

/* Executes the dispatch --runs times, or once, on the same memory. */
static tool_status execute_runs(const judge_report *to, const unsigned char *before,
                                repeats *outputs, tool_error *error) {
    const case_file_binding *output = &to->command->output;
    const layout tensor = layout_of(to->command->dispatchable->op.desc.output_tensor->desc);
    tool_status status = TOOL_OK;
    repeats_init(outputs, &tensor, 0, output->size);
    outputs->promised = to->executor->device && to->executor->device->deterministic;
    for (uint32_t i = 0; (i == 0 || i < to->options->sweep.runs) && status == TOOL_OK; i++) {
        memcpy(binding_bytes(output), before, output->size);
        status = executor_dispatch(to->executor, to->file, to->command, NULL, error);
        if (status == TOOL_OK && !repeats_add(outputs, binding_bytes(output)))
            status = tool_fail(error, TOOL_ENVIRONMENT, "%s: no memory for several outputs of '%s'",
                               to->file->path, to->command->dispatchable->name);
    }
    return status;
}

/* An output in place has replaced its input. The judge therefore gets the memory as it was before
 * the dispatch. The first output stays. */
static tool_status judge_computed(judge_report *to, const unsigned char *before,
                                  const repeats *outputs, tool_error *error) {
    const case_file_binding *output = &to->command->output;
    recorded_output recorded;
    memcpy(binding_bytes(output), before, output->size);
    recorded_copy(to->command, outputs->kept[0].bytes, before, &recorded);
    const tool_status status = repeats_unstable(outputs)
                                   ? judge_report_unstable(to, outputs, error)
                                   : judge_report_output(to, &recorded, error);
    memcpy(binding_bytes(output), outputs->kept[0].bytes, output->size);
    return status;
}

/* With --backend. A dispatch that the backend cannot compute is skipped; the CPU computes it, since
 * later dispatches may read the output. */
static tool_status judge_executed(judge_report *to, tool_error *error) {
    const char *reason = executor_reason(to->executor);
    repeats outputs;
    if (reason) {
        skip_on_backend(to, reason);
        return TOOL_OK;
    }
    unsigned char *before = binding_copy(&to->command->output);
    tool_status status = execute_runs(to, before, &outputs, error);
    to->adapted = executor_adapted(to->executor);
    if (status == TOOL_SKIPPED) {
        const executor cpu = {.settings = to->executor->settings};
        skip_on_backend(to, error->message);
        status = executor_dispatch(&cpu, to->file, to->command, NULL, error);
    } else if (status == TOOL_OK) {
        status = judge_computed(to, before, &outputs, error);
    }
    repeats_free(&outputs);
    free(before);
    return status;
}

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

/* Without a backend: judges what is recorded, and copies it into the output buffer, where later
 * dispatches read it. */
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
    const tool_options *options = to->options;
    bool *known = tool_calloc(file->command_count, sizeof *known);
    recordings r;
    tool_status status = recordings_read(&r, &options->actuals, file, error);
    for (size_t i = 0; i < file->command_count && status == TOOL_OK; i++) {
        if (file->commands[i].type != CASE_FILE_COMMAND_DISPATCH)
            continue;
        progress_show(i, file->command_count, file->path);
        to->file = file;
        to->command = &file->commands[i];
        status = options->has_backend ? judge_executed(to, error)
                                      : judge_recorded(to, &r, known, i, error);
    }
    recordings_free(&r);
    free(known);
    return status;
}

/* Arrays may have types that the operator does not have. What the oracle takes of them can still be
 * judged. */
static tool_status judge_case_file(void *state, case_file *file, tool_error *error) {
    judge_report *to = state;
    const tool_options *options = to->options;
    const cumsum_data_type type = file->dispatchable_count
                                      ? file->dispatchables[0].op.input.buffer.data_type
                                      : CUMSUM_DATA_TYPE_UNKNOWN;
    tool_status status = TOOL_OK;
    char reason[80];
    if (!options->input || word_of(type_words, (int)type)) { /* one of the operator's */
        status = executor_check_case_file(file, error);
    } else if (options->has_backend && options->backend.backend != BACKEND_EXEC) {
        snprintf(reason, sizeof reason, "no backend but --exec computes sums of %s",
                 cumsum_data_type_name(type));
        to->file = file;
        to->command = &file->commands[0];
        judge_report_skip(to, reason);
        return TOOL_OK;
    }
    return status == TOOL_OK ? judge_dispatches(to, file, error) : status;
}

static tool_status check_sum(const tool_options *options, tool_error *error) {
    const bool alone = !(options->has_axis || options->decreasing || options->exclusive ||
                         options->output || options->report.html || options->has_required_order ||
                         options->sweep.runs || options->beside || options->actuals.count);
    const size_t wanted = options->has_backend ? 1 : 2;
    const bool arrays = options->input && options->file_count == wanted;
    const bool cases = !options->input && options->file_count && options->backend.exec;
    if (alone && ((arrays && (options->backend.exec || !options->has_backend)) || cases))
        return TOOL_OK;
    return tool_fail(
        error, TOOL_MALFORMED,
        "--sum needs X.npy and Y.npy, or --exec COMMAND with X.npy or NAMEs, and takes "
        "only options for reports and verdicts beside them");
}

tool_status command_check_judge(const tool_options *options, tool_error *error) {
    if (options->sum)
        return check_sum(options, error);
    tool_status usage = command_check_case_files(options, error);
    if (usage == TOOL_OK)
        usage = save_case_check(options, error);
    if (usage != TOOL_OK)
        return usage;
    if (options->beside && !options->recorded)
        return tool_fail(error, TOOL_MALFORMED, "option --beside needs X.npy and Y.npy");
    if (options->actuals.count && options->file_count > 1) {
        return tool_fail(error, TOOL_MALFORMED,
                         "--actual needs exactly one FILE, but %zu are given", options->file_count);
    }
    if (options->actuals.count && options->has_backend) {
        return tool_fail(error, TOOL_MALFORMED,
                         "--actual cannot be combined with --backend: one names recorded outputs, "
                         "the other computes them");
    }
    if (options->backend.has_numerics && options->rules.profile[0] && !options->has_backend)
        return tool_fail(error, TOOL_MALFORMED,
                         "--rules cannot be combined with --numerics: both say in which arithmetic "
                         "sums are");
    if (options->sweep.runs && !options->has_backend)
        return tool_fail(error, TOOL_MALFORMED, "option --runs needs --backend");
    return TOOL_OK;
}

/* All cores judge, unless the backend has threads. */
static tool_status begin_pool(judge_report *to, executor *e, tool_error *error) {
    if (!e->pool)
        e->pool = thread_pool_open(0, error);
    to->pool = e->pool;
    return e->pool ? TOOL_OK : TOOL_ENVIRONMENT;
}

tool_status command_judge(const tool_options *options, report *r, tool_error *error) {
    executor e = {0};
    judge_report to = {.options = options, .executor = &e, .report = r};
    if (options->report.html)
        text_buffer_open(&to.page);
    bool taken = false;
    tool_status status = TOOL_OK;
    if (options->has_backend)
        status = executor_open(&e, &options->backend, options->backend.backend, error);
    if (status == TOOL_OK)
        status = begin_pool(&to, &e, error);
    if (status == TOOL_OK && options->sum)
        status = judge_sums(&to, error);
    else if (status == TOOL_OK)
        status = judge_pieces(&to, &taken, error);
    if (status == TOOL_OK && !options->sum && !taken)
        command_each_case_file(options, r, 1, judge_case_file, &to, NULL);
    if (status == TOOL_OK)
        judge_report_counts(&to);
    if (options->report.html)
        judge_report_page(&to, options->report.html);
    executor_close(&e);
    return status;
}
