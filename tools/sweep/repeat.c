/* SPDX-License-Identifier: MIT */
/*
 * Runs a case of a sweep: makes it from its name, and executes it once, or several times on the
 * same input. Each run gets the output buffer as it was before the first one; in place that is the
 * input, too. Each different output is compared and judged like the output of a single run. If
 * their elements differ, the case is unstable, even if each output would pass.
 *
 * A runner does so for a job: it has the executors, and a new device in the place of a lost one.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "json_tree.h"
#include "memory.h"
#include "memory_limit.h"
#include "repeats.h"
#include "report.h"
#include "sweep_case.h"
#include "text.h"

/* The runs of a case. Each job has an executor, and memory for an output; the first one has the
 * case's own. */
typedef struct repetition {
    const executor *executors;
    uint32_t jobs;
    suite_case *c;
    const sweep_settings *settings;
    unsigned char *before; /* the output buffer before a run */
    unsigned char **buffers;
    sweep_result *runs; /* the present one of each job */
    repeats outputs;
    sweep_result *out;
} repetition;

static void *run_once(void *state, uint32_t job, size_t run) {
    const repetition *r = state;
    suite_case c = *r->c; /* its descriptor points to the one that is copied */
    (void)run;
    c.output = r->buffers[job];
    c.input = c.spec.in_place ? c.output : c.input;
    memcpy(c.output, r->before, c.output_size);
    r->runs[job] = (sweep_result){.state = SWEEP_PASS};
    sweep_execute(&r->executors[job], &c, &r->runs[job]);
    return &r->runs[job];
}

/* Takes the result of a run: its output, or why there is none. */
static bool run_done(void *state, size_t number, void *result) {
    repetition *r = state;
    sweep_result *out = r->out;
    const sweep_result *run = result;
    out->execution += run->execution;
    out->adapted |= run->adapted;
    if (out->state == SWEEP_PASS && run->state != SWEEP_PASS) {
        out->state = run->state;
        out->no_memory = run->no_memory;
        out->unreached = run->unreached;
        snprintf(out->reason, sizeof out->reason, "run %zu of %" PRIu32 ": %.300s", number + 1,
                 r->settings->runs, run->reason);
    } else if (run->state == SWEEP_PASS && !repeats_add(&r->outputs, r->buffers[run - r->runs])) {
        sweep_lack_memory(out, "no memory for the output of another run");
    }
    return out->state == SWEEP_PASS;
}

static void run_all(repetition *r) {
    jobs_run(&(job_work){.state = r,
                         .pieces = r->settings->runs,
                         .jobs = r->jobs,
                         .together = true,
                         .room = UINT64_MAX,
                         .run = run_once,
                         .done = run_done});
}

/* The verdict on one of several outputs. The caller frees it. */
static char *verdict_of(const repetition *r, const sweep_result *one) {
    const bool differs = one->comparison.differing > 0;
    const char *verdict = differs || r->c->unsummed ? json_find_text(one->findings, "verdict") : "";
    const char *bits = r->c->unsummed ? "" : differs ? "other bits" : "the expected bits";
    const bool has_reason = one->reason[0] && (!*verdict || one->stray) && !r->c->values;
    return text_format("%s%s%s%s%s", bits, *bits && *verdict ? ", " : "", verdict,
                       has_reason ? "; " : "", has_reason ? one->reason : "");
}

/* Makes the result that of output `number`; its reason says so if not all runs gave it. */
static void take_result(repetition *r, uint32_t number, sweep_result *one) {
    sweep_result *out = r->out;
    const uint64_t runs = r->outputs.kept[number].runs;
    one->execution = out->execution;
    one->adapted = out->adapted;
    sweep_result_free(out);
    *out = *one;
    if (one->reason[0] && runs < r->outputs.runs) {
        snprintf(out->reason, sizeof out->reason, "in %" PRIu64 " of %" PRIu64 " runs: %.300s",
                 runs, r->outputs.runs, one->reason);
    }
}

/* Compares and judges every output that was kept. The result is that of the first one that fails,
 * or of the first. Returns the number of this output. */
static uint32_t examine_outputs(repetition *r, char *verdicts[REPEATS_KEPT]) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < r->outputs.kept_count; i++) {
        sweep_result one = {.state = SWEEP_PASS};
        memcpy(r->c->output, r->outputs.kept[i].bytes, r->c->output_size);
        sweep_compare(&r->executors[0], r->c, &one);
        sweep_examine(&r->executors[0], r->c, r->settings->accept, r->c->values != NULL, &one);
        verdicts[i] = verdict_of(r, &one);
        if (i == 0 || (r->out->state == SWEEP_PASS && one.state != SWEEP_PASS)) {
            taken = i;
            take_result(r, i, &one);
        } else {
            sweep_result_free(&one);
        }
    }
    return taken;
}

static char *explain_outputs(const repetition *r, char *const verdicts[REPEATS_KEPT],
                             uint32_t taken) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    repeats_explain(buffer.stream, &r->outputs, verdicts);
    if (r->out->detail)
        fprintf(buffer.stream, "output %" PRIu32 " and the expected one: %s", taken + 1,
                r->out->detail);
    return text_buffer_close(&buffer);
}

static void call_unstable(repetition *r, char *const verdicts[REPEATS_KEPT], uint32_t taken) {
    sweep_result *out = r->out;
    char *sentence = repeats_sentence(&r->outputs);
    char *detail = explain_outputs(r, verdicts, taken);
    out->state = SWEEP_UNSTABLE;
    snprintf(out->reason, sizeof out->reason, "%.399s", sentence);
    out->findings = out->findings ? out->findings : json_make_object();
    json_put_member(out->findings, "unstable", repeats_object(&r->outputs, verdicts));
    free(out->detail);
    out->detail = detail;
    free(sentence);
}

static void examine(repetition *r) {
    char *verdicts[REPEATS_KEPT] = {NULL};
    const uint32_t taken = examine_outputs(r, verdicts);
    if (repeats_unstable(&r->outputs))
        call_unstable(r, verdicts, taken);
    for (uint32_t i = 0; i < REPEATS_KEPT; i++)
        free(verdicts[i]);
}

uint32_t sweep_executors(const sweep_settings *settings) {
    return settings->runs > 1 && settings->jobs > 1 ? settings->jobs : 1;
}

/* The bytes of the output buffer that repetition takes: before a run, the first output, and one for
 * each further job. */
static uint64_t more_bytes(uint64_t output, const sweep_settings *settings) {
    return settings->runs > 1 ? (1 + sweep_executors(settings)) * output : 0;
}

uint64_t sweep_case_bytes(const char *name, const sweep_settings *settings) {
    const shrink_case *given = sweep_given_data(settings, name);
    case_spec spec = given ? given->spec : (case_spec){.rank = 0};
    case_operator d = {.desc = {.axis = 0}};
    if (!given && case_parse(name, &spec, NULL) != TOOL_OK)
        return 0;
    (void)case_describe(&spec, &d, NULL);
    const uint64_t input = spec.input.offset + d.input_buffer.total_tensor_size_in_bytes;
    const uint64_t output = spec.output.offset + d.output_buffer.total_tensor_size_in_bytes;
    return input + (spec.in_place ? 1 : 2) * output + more_bytes(output, settings);
}

static bool allocate(repetition *r) {
    const uint64_t size = r->c->output_size;
    bool good = true;
    r->buffers[0] = r->c->output;
    r->before = memory_allocate(size);
    for (uint32_t i = 1; i < r->jobs && good; i++) {
        r->buffers[i] = memory_allocate(size);
        good = r->buffers[i] != NULL;
    }
    if (r->before)
        memcpy(r->before, r->c->output, size);
    return good && r->before;
}

static bool get_memory(repetition *r) {
    const suite_case *c = r->c;
    tool_error error;
    if (memory_check(c->input_size + 2 * c->output_size, more_bytes(c->output_size, r->settings),
                     &error) != TOOL_OK) {
        sweep_lack_memory(r->out, "");
        snprintf(r->out->reason, sizeof r->out->reason, "to run it again: %.300s", error.message);
        return false;
    }
    if (allocate(r))
        return true;
    sweep_lack_memory(r->out, "no memory to run it again");
    return false;
}

/* Runs a made case as often as the settings say, and examines its outputs. */
static void repeat_case(const executor *e, suite_case *c, const sweep_settings *settings,
                        sweep_result *out) {
    const layout tensor = layout_of(&c->descriptor.output_buffer);
    const uint32_t jobs = sweep_executors(settings);
    repetition r = {.executors = e,
                    .jobs = jobs,
                    .c = c,
                    .settings = settings,
                    .buffers = tool_calloc(jobs, sizeof *r.buffers),
                    .runs = tool_calloc(jobs, sizeof *r.runs),
                    .out = out};
    *out = (sweep_result){.state = SWEEP_PASS};
    repeats_init(&r.outputs, &tensor, c->spec.output.offset, c->output_size);
    r.outputs.promised = e->device && e->device->deterministic;
    if (get_memory(&r))
        run_all(&r);
    if (out->state == SWEEP_PASS)
        examine(&r);
    repeats_free(&r.outputs);
    memory_free(r.before);
    for (uint32_t i = 1; i < jobs; i++)
        memory_free(r.buffers[i]);
    free(r.buffers);
    free(r.runs);
}

const shrink_case *sweep_given_data(const sweep_settings *settings, const char *name) {
    const size_t i = name_set_find(&settings->given_names, name);
    return i == SIZE_MAX ? NULL : &settings->given[i];
}

/* A case that cannot be made is not supported; its reason says why. */
static bool make_case(suite_case *c, const char *name, const sweep_settings *settings,
                      sweep_result *out) {
    const shrink_case *given = sweep_given_data(settings, name);
    tool_error error;
    tool_status status = given ? case_init_values(c, &given->spec, given->values, &error)
                               : case_init_unsummed(c, name, &error);
    if (status == TOOL_OK && !given && !settings->sum)
        status = case_expect(c, &error);
    if (status != TOOL_OK) {
        *out =
            (sweep_result){.state = SWEEP_NOT_SUPPORTED, .no_memory = status == TOOL_ENVIRONMENT};
        snprintf(out->reason, sizeof out->reason, "%.399s", error.message);
        case_free(c);
    }
    return status == TOOL_OK;
}

/* The result as a line of the results. Apart from "microseconds", it is the same in every run. */
static json_object *make_record(const char *name, const suite_case *c, const sweep_result *result) {
    json_object *record = json_make_object();
    fields_text(record, "event", "case");
    fields_text(record, "name", name);
    if (result->given)
        fields_operator(record, &c->descriptor.desc);
    sweep_result_fields(record, &c->descriptor.output_buffer, result);
    fields_count(record, "microseconds", result->execution / 1000);
    return record;
}

static void run_made(const executor *e, suite_case *c, const sweep_settings *settings,
                     sweep_result *out) {
    const bool given = c->values != NULL;
    if (settings->sum) {
        sweep_sum_case(e, c, settings, out);
    } else if (settings->runs > 1) {
        repeat_case(e, c, settings, out);
    } else {
        sweep_check_case(e, c, out);
        sweep_examine(e, c, settings->accept, given, out);
    }
    out->given = given;
}

void sweep_run_case(const executor *e, const char *name, const sweep_settings *settings,
                    sweep_result *out) {
    suite_case c;
    const bool made = make_case(&c, name, settings, out);
    if (made)
        run_made(e, &c, settings, out);
    if (!out->unreached)
        out->record = make_record(name, &c, out);
    if (made)
        case_free(&c);
}

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
tool_status sweep_runner_run(sweep_runner *runner, const char *name, sweep_result *result,
                             tool_error *error) {
    tool_status status = TOOL_OK;
    sweep_run_case(runner->list, name, runner->settings, result);
    if (result->unreached)
        return tool_fail(error, TOOL_ENVIRONMENT, "%s: %s", name, result->reason);
    const bool lost = result->state == SWEEP_CRASH || result->state == SWEEP_TIMEOUT;
    for (uint32_t i = 0; i < runner->count && lost && status == TOOL_OK; i++)
        status = executor_reopen(&runner->list[i], error);
    return status;
}
