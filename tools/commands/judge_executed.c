/* SPDX-License-Identifier: MIT */
#include "judge_executed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "progress.h"

static unsigned char *copy_output(const model_command *command) {
    unsigned char *copy = tool_malloc(command->output.size);
    memcpy(copy, binding_bytes(&command->output), command->output.size);
    return copy;
}

/* In place the output has replaced the input that it is to be judged against: the judge sees the
 * memory as it was before, and a copy of what was computed. */
static tool_status judge_computed(judge_report *to, const model *m, const model_command *command,
                                  const unsigned char *before, tool_error *error) {
    unsigned char *computed = copy_output(command);
    recorded_output recorded;
    recorded_copy(command, computed, &recorded);
    memcpy(binding_bytes(&command->output), before, command->output.size);
    tool_status status = judge_report_dispatch(to, m, command, &recorded, error);
    memcpy(binding_bytes(&command->output), computed, command->output.size);
    free(computed);
    return status;
}

static void report_skip(judge_report *to, const executor *e, const model *m,
                        const model_command *command, const char *reason) {
    char text[512];
    snprintf(text, sizeof text, "backend %s: %.480s", backend_name(e->backend), reason);
    judge_report_skip(to, m, command, text);
}

/* Dispatches after one that is skipped may read its output: the CPU computes it. */
static tool_status skip(judge_report *to, const executor *e, const model *m,
                        const model_command *command, tool_error *error) {
    const executor cpu = {.options = e->options};
    report_skip(to, e, m, command, error->message);
    return executor_dispatch(&cpu, m, command, NULL, error);
}

static tool_status judge_one(judge_report *to, const executor *e, const model *m,
                             const model_command *command, tool_error *error) {
    const char *reason = executor_reason(e);
    if (reason) {
        report_skip(to, e, m, command, reason);
        return TOOL_OK;
    }
    unsigned char *before = copy_output(command);
    tool_status status = executor_dispatch(e, m, command, NULL, error);
    if (status == TOOL_OK)
        status = judge_computed(to, m, command, before, error);
    else if (status == TOOL_NOTHING_RAN)
        status = skip(to, e, m, command, error);
    free(before);
    return status;
}

tool_status judge_executed(judge_report *to, const executor *e, model *m, tool_error *error) {
    tool_status status = TOOL_OK;
    for (size_t i = 0; i < m->command_count && status == TOOL_OK; i++) {
        if (m->commands[i].type == MODEL_COMMAND_DISPATCH) {
            progress_show(i, m->command_count, m->path);
            status = judge_one(to, e, m, &m->commands[i], error);
        }
    }
    return status;
}
