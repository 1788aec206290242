/* SPDX-License-Identifier: MIT */
/* cumsum probe: asks the questions of tools/characterize about a backend, and shows each answer
 * with its evidence. */
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "commands.h"
#include "executor.h"
#include "probe.h"
#include "report.h"
#include "text.h"

static cumsum_status execute(void *state, const cumsum_operator_desc *desc,
                             uint32_t execution_flags, const void *input, uint64_t input_in_bytes,
                             void *output, uint64_t output_in_bytes,
                             cumsum_diagnostic *diagnostic) {
    const executor *e = state;
    const backend_work work = {.desc = desc,
                               .numerics = backend_numerics(e->settings, (cumsum_numerics){0}),
                               .any_numerics = true,
                               .execution_flags = execution_flags,
                               .input = input,
                               .input_in_bytes = input_in_bytes,
                               .output = output,
                               .output_in_bytes = output_in_bytes};
    return executor_compute(e, &work, NULL, diagnostic);
}

static const char *outcome_name(probe_outcome outcome) {
    static const char *const names[] = {"answered", "wrong", "unavailable", "failed"};
    return names[outcome];
}

static void show_text(const probe_question *q, const probe_result *r, uint32_t adapted) {
    char text[ADAPTATION_TEXT];
    printf("%-32s %-32s %s", q->name, r->answer, r->outcome == PROBE_WRONG ? "WRONG: " : "");
    text_show(stdout, r->evidence);
    printf("%s%s", adapted ? "; " : "", adaptation_text(adapted, text));
    putchar('\n');
}

static void show_json(const executor *e, const probe_question *q, const probe_result *r,
                      uint32_t adapted) {
    json_object *line = report_event("probe");
    fields_text(line, "backend", backend_name(e->backend));
    fields_text(line, "question", q->name);
    fields_text(line, "type", cumsum_data_type_name(q->type));
    fields_count(line, "executionFlags", q->execution_flags);
    fields_text(line, "outcome", outcome_name(r->outcome));
    fields_text(line, "answer", r->answer);
    fields_text(line, "evidence", r->evidence);
    adaptation_fields(line, adapted);
    report_json_line(line);
}

static void show(const report_settings *o, const executor *e, const probe_question *q,
                 const probe_result *r) {
    const uint32_t adapted = executor_adapted(e);
    if (o->quiet && r->outcome == PROBE_ANSWERED)
        return;
    if (o->json) {
        show_json(e, q, r, adapted);
        return;
    }
    show_text(q, r, adapted);
    if (o->verbose)
        printf("%-32s %s\n", "", q->text);
}

static void show_summary(bool json, const uint64_t counts[4], tool_status status) {
    if (json) {
        json_object *line = report_event("summary");
        fields_text(line, "command", "probe");
        for (int i = 0; i < 4; i++)
            fields_count(line, outcome_name((probe_outcome)i), counts[i]);
        fields_count(line, "exit", (uint64_t)tool_exit_status(status));
        report_json_line(line);
        return;
    }
    printf("%u answered, %u wrong, %u unavailable, %u failed\n", (unsigned)counts[PROBE_ANSWERED],
           (unsigned)counts[PROBE_WRONG], (unsigned)counts[PROBE_UNAVAILABLE],
           (unsigned)counts[PROBE_FAILED]);
}

static tool_status ask_all(const report_settings *o, executor *e) {
    prober p = {.execute = execute, .state = e};
    uint64_t counts[4] = {0};
    for (size_t i = 0; i < probe_question_count; i++) {
        probe_result r;
        probe_ask(&p, &probe_questions[i], &r);
        counts[r.outcome]++;
        show(o, e, &probe_questions[i], &r);
    }
    const tool_status status = counts[PROBE_FAILED]  ? TOOL_ENVIRONMENT
                               : counts[PROBE_WRONG] ? TOOL_MISMATCH
                                                     : TOOL_OK;
    show_summary(o->json, counts, status);
    return status;
}

static tool_status nothing_ran(const executor *e) {
    fprintf(stderr, "cumsum: backend %s: SKIPPED: %s\n", backend_name(e->backend), e->reason);
    return TOOL_SKIPPED;
}

tool_status command_probe(const tool_options *options) {
    executor e;
    tool_error error;
    tool_status status = command_device_options(options);
    if (status != TOOL_OK)
        return status;
    if (options->file_count)
        return command_usage_error(options, "unexpected argument '%s'", options->files[0]);
    status = executor_open(&e, &options->backend, options->backend.backend, &error);
    if (status != TOOL_OK)
        fprintf(stderr, "cumsum: %s\n", error.message);
    else
        status = executor_reason(&e) ? nothing_ran(&e) : ask_all(&options->report, &e);
    executor_close(&e);
    return status;
}
