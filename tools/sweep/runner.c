/* SPDX-License-Identifier: MIT */
/* A job of a sweep: its executors, a new device in the place of a lost one, and further attempts at
 * a case that fails. */
#include "runner.h"

#include <stdlib.h>

#include "json_print.h"
#include "memory.h"
#include "report.h"

/* A process of --exec has an order of its own. Where any right bits pass, it is asked for the cases
 * of every order. */
tool_status sweep_runner_open(sweep_runner *runner, const sweep_settings *settings,
                              const backend_settings *backend, tool_error *error) {
    const uint32_t wanted = sweep_executors(settings);
    tool_status status = TOOL_OK;
    *runner =
        (sweep_runner){.settings = settings, .list = tool_calloc(wanted, sizeof *runner->list)};
    while (status == TOOL_OK && runner->count < wanted && !executor_reason(&runner->list[0])) {
        executor *e = &runner->list[runner->count++];
        status = executor_open(e, backend, backend->backend, error);
        e->any_order = backend->exec && settings->accept != ACCEPT_BITS;
        if (status == TOOL_OK && runner->count > 1 && executor_reason(e))
            status = tool_fail(error, TOOL_ENVIRONMENT, "%s", executor_reason(e));
    }
    return status;
}

void sweep_runner_close(sweep_runner *runner) {
    for (uint32_t i = 0; i < runner->count; i++)
        executor_close(&runner->list[i]);
    free(runner->list);
    *runner = (sweep_runner){.count = 0};
}

const char *sweep_runner_reason(const sweep_runner *runner) {
    return runner->count ? executor_reason(&runner->list[0]) : NULL;
}

/* A lost device executes nothing more, so the next case gets a new one. */
static tool_status attempt_case(const sweep_runner *runner, const char *name, sweep_result *result,
                                tool_error *error) {
    tool_status status = TOOL_OK;
    sweep_run_case(runner->list, name, runner->settings, result);
    if (result->unreached)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: %s", name, result->reason);
    result->record = sweep_record(name, result);
    const bool lost = result->state == SWEEP_CRASH || result->state == SWEEP_TIMEOUT;
    for (uint32_t i = 0; i < runner->count && lost && status == TOOL_OK; i++)
        status = executor_reopen(&runner->list[i], error);
    return status;
}

/* An unstable case has been seen to differ; to see the same bits again proves nothing. */
static bool is_worth_another(sweep_state outcome) {
    return sweep_state_is_failure(outcome) && outcome != SWEEP_UNSTABLE;
}

tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_result *result,
                             tool_error *error) {
    json_object *attempts = json_make_array();
    tool_status status = TOOL_OK;
    *result = (sweep_result){.state = SWEEP_FAIL};
    for (uint32_t i = 0;
         status == TOOL_OK && i <= runner->settings->retry && is_worth_another(result->state);
         i++) {
        sweep_result_free(result);
        status = attempt_case(runner, name, result, error);
        json_put_element(attempts, json_make_string(sweep_state_name(result->state)));
    }
    if (json_object_array_length(attempts) > 1 && result->record) {
        json_put_member(result->record, "attempts", json_object_get(attempts));
        if (result->state == SWEEP_PASS)
            fields_flag(result->record, "flaky", true);
    }
    json_object_put(attempts);
    return status;
}
