/* SPDX-License-Identifier: MIT */
#include "sweep_runner.h"

#include "json_make.h"
#include "report_fields.h"

tool_status sweep_runner_begin(sweep_runner *runner, const tool_options *options,
                               tool_error *error) {
    const bool device = options->backend != BACKEND_CPU;
    *runner = (sweep_runner){.options = options,
                             .isolated = options->isolate == ISOLATE_ALWAYS ||
                                         (options->isolate == ISOLATE_AUTO && device)};
    return runner->isolated ? sweep_child_begin(&runner->child, options, error)
                            : executor_begin(&runner->executor, options, options->backend, error);
}

void sweep_runner_end(sweep_runner *runner) {
    if (runner->isolated)
        sweep_child_end(&runner->child);
    else
        executor_end(&runner->executor);
}

const char *sweep_runner_reason(const sweep_runner *runner) {
    const char *missing = runner->child.missing[0] ? runner->child.missing : NULL;
    return runner->isolated ? missing : executor_reason(&runner->executor);
}

sweep_device sweep_runner_device(const sweep_runner *runner) {
    return runner->isolated ? runner->child.device : sweep_device_of(&runner->executor);
}

/* A device that is lost answers nothing any more: the next case gets a new one. */
static tool_status replace_device(sweep_runner *runner, tool_error *error) {
    executor_end(&runner->executor);
    tool_status status =
        executor_begin(&runner->executor, runner->options, runner->options->backend, error);
    const char *reason = status == TOOL_OK ? executor_reason(&runner->executor) : NULL;
    return reason ? tool_fail(error, TOOL_ENVIRONMENT, "%s", reason) : status;
}

static tool_status run_here(sweep_runner *runner, const char *name, sweep_done *done,
                            tool_error *error) {
    sweep_result result;
    sweep_run_case(&runner->executor, name, &result);
    *done = sweep_done_of(name, &result);
    const bool lost = done->outcome == SWEEP_CRASH || done->outcome == SWEEP_TIMEOUT;
    return lost ? replace_device(runner, error) : TOOL_OK;
}

tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_done *done,
                             tool_error *error) {
    json_object *attempts = json_make_array();
    tool_status status = TOOL_OK;
    *done = (sweep_done){.outcome = SWEEP_FAIL};
    for (uint32_t i = 0;
         status == TOOL_OK && i <= runner->options->retry && sweep_state_is_failure(done->outcome);
         i++) {
        sweep_done_free(done);
        status = runner->isolated ? sweep_child_run(&runner->child, name, done, error)
                                  : run_here(runner, name, done, error);
        json_put_element(attempts, json_make_string(sweep_state_name(done->outcome)));
    }
    if (json_object_array_length(attempts) > 1 && done->record) {
        json_put_member(done->record, "attempts", json_object_get(attempts));
        if (done->outcome == SWEEP_PASS)
            fields_flag(done->record, "flaky", true);
    }
    json_object_put(attempts);
    return status;
}
