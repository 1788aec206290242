/* SPDX-License-Identifier: MIT */
/*
 * One case of a sweep, run several times on the same input. Each run gets the output buffer as it
 * was before the first one; in place that is the input, too. Each different output is compared and
 * judged like the output of a single run. If their elements differ, the case is unstable, whatever
 * each of them is worth.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json_print.h"
#include "memory.h"
#include "memory_limit.h"
#include "repeats.h"
#include "results_words.h"
#include "sweep_case.h"
#include "text.h"

/* The runs of a case. */
typedef struct repetition {
    const executor *executor;
    suite_case *c;
    const sweep_settings *settings;
    unsigned char *before; /* the output buffer before a run */
    repeats outputs;
    sweep_result *out;
} repetition;

/* Takes the result of a run: its output, or why there is none. */
static void take_run(repetition *r, const sweep_result *run, uint32_t number,
                     const unsigned char *output) {
    sweep_result *out = r->out;
    out->times.execution += run->times.execution;
    if (run->state != SWEEP_PASS) {
        out->state = run->state;
        out->no_memory = run->no_memory;
        snprintf(out->reason, sizeof out->reason, "run %" PRIu32 " of %" PRIu32 ": %.300s", number,
                 r->settings->runs, run->reason);
    } else if (!repeats_add(&r->outputs, output)) {
        sweep_lack_memory(out, "no memory for the output of another run");
    }
}

static void run_all(repetition *r) {
    for (uint32_t i = 0; i < r->settings->runs && r->out->state == SWEEP_PASS; i++) {
        sweep_result run = {.state = SWEEP_PASS};
        memcpy(r->c->output, r->before, r->c->output_size);
        sweep_execute(r->executor, r->c, &run);
        take_run(r, &run, i + 1, r->c->output);
    }
}

/* What one of several outputs is worth, in words. The caller frees them. */
static char *verdict_of(const sweep_result *one) {
    const char *verdict = results_text(one->findings, "verdict");
    text_buffer buffer;
    text_buffer_begin(&buffer);
    if (!one->comparison.differing)
        fputs("the expected bits", buffer.stream);
    else if (*verdict)
        fprintf(buffer.stream, "other bits, %s", verdict);
    else
        fputs("other bits", buffer.stream);
    if (one->reason[0] && !(one->comparison.differing && *verdict && !one->stray))
        fprintf(buffer.stream, "; %s", one->reason);
    return text_buffer_end(&buffer);
}

/* Makes the result that of output `number`; its reason says so if not all runs gave it. */
static void take_result(repetition *r, uint32_t number, sweep_result *one) {
    sweep_result *out = r->out;
    const uint64_t runs = r->outputs.kept[number].runs;
    one->times = out->times;
    sweep_result_end(out);
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
        sweep_compare(r->executor, r->c, NULL, &one);
        sweep_examine(r->executor, r->c, r->settings->accept, &one);
        verdicts[i] = verdict_of(&one);
        if (i == 0 || (r->out->state == SWEEP_PASS && one.state != SWEEP_PASS)) {
            taken = i;
            take_result(r, i, &one);
        } else {
            sweep_result_end(&one);
        }
    }
    return taken;
}

static char *explain(const repetition *r, char *const verdicts[REPEATS_KEPT], uint32_t taken) {
    text_buffer buffer;
    text_buffer_begin(&buffer);
    repeats_explain(buffer.stream, &r->outputs, verdicts);
    if (r->out->detail)
        fprintf(buffer.stream, "output %" PRIu32 " and the expected one: %s", taken + 1,
                r->out->detail);
    return text_buffer_end(&buffer);
}

static void call_unstable(repetition *r, char *const verdicts[REPEATS_KEPT], uint32_t taken) {
    sweep_result *out = r->out;
    const bool promised = r->executor->device && r->executor->device->deterministic;
    json_object *object = repeats_object(&r->outputs, verdicts);
    char *sentence = repeats_sentence(&r->outputs);
    char *detail = explain(r, verdicts, taken);
    out->state = SWEEP_UNSTABLE;
    snprintf(out->reason, sizeof out->reason, "%.300s%s", sentence,
             promised ? "; it promises the same bits in every run" : "");
    if (promised)
        json_put_member(object, "promised", json_make_flag(true));
    out->findings = out->findings ? out->findings : json_make_object();
    json_put_member(out->findings, "unstable", object);
    free(out->detail);
    out->detail = detail;
    free(sentence);
}

static void examine(repetition *r) {
    char *verdicts[REPEATS_KEPT] = {NULL};
    uint64_t clock = clock_thread();
    const uint32_t taken = examine_outputs(r, verdicts);
    if (repeats_unstable(&r->outputs))
        call_unstable(r, verdicts, taken);
    for (uint32_t i = 0; i < REPEATS_KEPT; i++)
        free(verdicts[i]);
    r->out->times.comparison = clock_lap(&clock);
}

/* The output before a run, and the first output, at least. */
static bool get_memory(repetition *r) {
    const suite_case *c = r->c;
    tool_error error;
    if (memory_check(c->input_size + 2 * c->output_size, 2 * c->output_size, &error) != TOOL_OK) {
        sweep_lack_memory(r->out, "");
        snprintf(r->out->reason, sizeof r->out->reason, "to run it again: %.300s", error.message);
        return false;
    }
    r->before = memory_allocate(c->output_size);
    if (!r->before)
        sweep_lack_memory(r->out, "no memory to run it again");
    else
        memcpy(r->before, c->output, c->output_size);
    return r->before != NULL;
}

uint64_t sweep_case_bytes(const char *name, const sweep_settings *settings) {
    case_spec spec;
    case_operator d;
    if (case_parse(name, &spec, NULL) != TOOL_OK || case_describe(&spec, &d, NULL) != CUMSUM_OK)
        return 0;
    const uint64_t input = spec.input.offset + d.input_buffer.total_tensor_size_in_bytes;
    const uint64_t output = spec.output.offset + d.output_buffer.total_tensor_size_in_bytes;
    return input + output * ((spec.in_place ? 1U : 2U) + (settings->runs > 1 ? 2U : 0U));
}

void sweep_repeat(const executor *e, suite_case *c, const sweep_settings *settings,
                  sweep_result *out) {
    const layout tensor = layout_of(&c->descriptor.output_buffer);
    repetition r = {.executor = e, .c = c, .settings = settings, .out = out};
    *out = (sweep_result){.state = SWEEP_PASS};
    repeats_begin(&r.outputs, &tensor, c->spec.output.offset, c->output_size);
    if (get_memory(&r))
        run_all(&r);
    if (out->state == SWEEP_PASS)
        examine(&r);
    repeats_end(&r.outputs);
    memory_release(r.before);
}
