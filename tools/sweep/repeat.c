/* SPDX-License-Identifier: MIT */
/*
 * Runs a case of a sweep several times on the same input. Each run gets the output buffer as it was
 * before the first one; in place that is the input, too. The first output and the first one that
 * differs from it are kept, compared and judged like the output of a single run. If their elements
 * differ, the case is unstable, even if each output would pass. Two NaNs are equal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "jobs.h"
#include "json_tree.h"
#include "memory.h"
#include "memory_limit.h"
#include "report.h"
#include "sweep_case.h"
#include "text.h"

/* The runs of a case. Each job has an executor, and memory for an output. */
typedef struct repetition {
    const executor *executors;
    suite_case *c; /* its output buffer is as it is before a run */
    const sweep_settings *settings;
    layout tensor;
    unsigned char *buffers; /* one of `step` bytes for each job; then `first` and `other` */
    uint64_t step;
    unsigned char *first;  /* the first output; all NaN have the same bits */
    unsigned char *other;  /* the first one that differs; one with other elements is preferred */
    sweep_result *runs;    /* the present one of each job */
    uint64_t taken;        /* runs whose output was taken */
    uint64_t others;       /* runs that gave another output than the first one */
    comparison difference; /* of the elements of the two; "expected" is the first output */
    sweep_result *out;
} repetition;

/* Gives all NaN the bits of one, so that equal bytes are equal elements and equal gaps; the bytes
 * between elements are not touched. */
static void settle_elements(const repetition *r, unsigned char *first) {
    const uint64_t ones = UINT64_MAX >> (64 - 8 * r->tensor.element_size);
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        unsigned char *place = first + layout_offset(&r->tensor, at);
        if (element_is_nan(r->tensor.type, element_load(place, r->tensor.type)))
            element_store(place, r->tensor.type, ones);
    } while (layout_next(&r->tensor, at));
}

/* Takes the output of one more run. */
static void take_output(repetition *r, unsigned char *buffer) {
    const case_tensor *output = &r->c->spec.output;
    settle_elements(r, case_first(buffer, output));
    if (r->taken++ == 0) {
        memcpy(r->first, buffer, r->c->output_size);
    } else if (memcmp(r->first, buffer, r->c->output_size) != 0) {
        const comparison found =
            compare_tensors(&r->tensor, case_first(r->first, output), case_first(buffer, output));
        if (r->others++ == 0 || (found.differing && !r->difference.differing)) {
            memcpy(r->other, buffer, r->c->output_size);
            r->difference = found;
        }
    }
}

static void *run_once(void *state, uint32_t job, size_t run) {
    const repetition *r = state;
    suite_case c = *r->c; /* its descriptor points to the one that is copied */
    (void)run;
    c.output = r->buffers + job * r->step;
    c.input = c.spec.in_place ? c.output : c.input;
    memcpy(c.output, r->c->output, c.output_size);
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
    if (run->state == SWEEP_PASS) {
        take_output(r, r->buffers + (size_t)(run - r->runs) * r->step);
    } else if (out->state == SWEEP_PASS) {
        out->state = run->state;
        out->no_memory = run->no_memory;
        out->unreached = run->unreached;
        snprintf(out->reason, sizeof out->reason, "run %zu of %" PRIu32 ": %.300s", number + 1,
                 r->settings->runs, run->reason);
    }
    return out->state == SWEEP_PASS;
}

/* Compares and judges an output that was kept. */
static sweep_result examine_output(const repetition *r, const unsigned char *output) {
    sweep_result one = {
        .state = SWEEP_PASS, .execution = r->out->execution, .adapted = r->out->adapted};
    memcpy(r->c->output, output, r->c->output_size);
    sweep_compare(&r->executors[0], r->c, &one);
    sweep_examine(&r->executors[0], r->c, r->settings->accept, r->c->values != NULL, &one);
    return one;
}

static const char *verdict_on(const sweep_result *one) {
    const char *verdict = json_find_text(one->findings, "verdict");
    return *verdict ? verdict : one->reason[0] ? one->reason : "the expected bits";
}

/* "3 of 10 runs gave other bits than the first: 12 of 400 elements differ, the first at [0,5]:
 * 1 (0x3f800000) and 2 (0x40000000), relative error 1", and a promise. The caller frees it. */
static char *unstable_words(const repetition *r, bool promised) {
    char place[LAYOUT_TEXT];
    text_buffer words;
    layout_coordinates_text(place, r->tensor.rank, r->difference.first.coordinates);
    text_buffer_open(&words);
    fprintf(words.stream,
            "%" PRIu64 " of %" PRIu64 " runs gave other bits than the first: %" PRIu64
            " of %" PRIu64 " elements differ, the first at %s: ",
            r->others, r->taken, r->difference.differing, r->tensor.count, place);
    show_both(words.stream, r->tensor.type, &r->difference.first, " and ");
    fputs(promised ? "; it promises the same bits in every run" : "", words.stream);
    return text_buffer_close(&words);
}

/* The same as JSON, with what the oracle says of both outputs. */
static json_object *unstable_object(const repetition *r, const char *const verdicts[2],
                                    bool promised) {
    json_object *object = json_make_object();
    json_object *texts = json_make_array();
    fields_count(object, "runs", r->taken);
    fields_count(object, "others", r->others);
    comparison_fields(object, &r->tensor, &r->difference);
    for (int i = 0; i < 2; i++)
        json_put_element(texts, json_make_string(verdicts[i]));
    json_put_member(object, "verdicts", texts);
    if (promised)
        fields_flag(object, "promised", true);
    return object;
}

/* Elements differ: `taken`, which is the first output or the other one, becomes unstable. */
static void call_unstable(const repetition *r, const char *const verdicts[2], sweep_result *taken) {
    const backend_device *device = r->executors[0].device;
    const bool promised = device && device->deterministic;
    json_object *unstable = unstable_object(r, verdicts, promised);
    char *words = unstable_words(r, promised);
    char *detail = text_format("the first output: %s\nthe other one: %s\n%s%s", verdicts[0],
                               verdicts[1], taken->detail ? "beside the expected output: " : "",
                               taken->detail ? taken->detail : "");
    taken->state = SWEEP_UNSTABLE;
    snprintf(taken->reason, sizeof taken->reason, "%.399s", words);
    free(words);
    free(taken->detail);
    taken->detail = detail;
    taken->findings = taken->findings ? taken->findings : json_make_object();
    json_put_member(taken->findings, "unstable", unstable);
}

/* The result is that of the first output that fails, or of the first. */
static void examine_outputs(repetition *r) {
    sweep_result first = examine_output(r, r->first);
    sweep_result other = r->others ? examine_output(r, r->other) : first;
    const bool take_other = first.state == SWEEP_PASS && other.state != SWEEP_PASS;
    sweep_result *taken = take_other ? &other : &first;
    if (r->difference.differing) {
        call_unstable(r, (const char *const[]){verdict_on(&first), verdict_on(&other)}, taken);
    } else if (take_other) {
        char *reason = text_format("in %" PRIu64 " of %" PRIu64 " runs: %.300s", r->others,
                                   r->taken, other.reason);
        snprintf(other.reason, sizeof other.reason, "%s", reason);
        free(reason);
    }
    *r->out = *taken;
    if (r->others)
        sweep_result_free(take_other ? &first : &other);
}

uint32_t sweep_executors(const sweep_settings *settings) {
    return settings->runs > 1 && settings->jobs > 1 ? settings->jobs : 1;
}

/* Outputs begin at multiples of what vectors are aligned to. */
static uint64_t step_of(uint64_t output) {
    return (output + 63) & ~UINT64_C(63);
}

/* The output of each job, the first one and the other one. */
uint64_t sweep_repeat_bytes(uint64_t output, const sweep_settings *settings) {
    return settings->runs > 1 ? (sweep_executors(settings) + UINT64_C(2)) * step_of(output) : 0;
}

/* Where there is too little memory, the result says so. */
static bool get_memory(repetition *r) {
    const suite_case *c = r->c;
    const uint64_t bytes = sweep_repeat_bytes(c->output_size, r->settings);
    tool_error error;
    sweep_lack_memory(r->out, "no memory to run it again");
    if (memory_check(c->input_size + 2 * c->output_size, bytes, &error) != TOOL_OK) {
        snprintf(r->out->reason, sizeof r->out->reason, "to run it again: %.300s", error.message);
        return false;
    }
    r->step = step_of(c->output_size);
    r->buffers = memory_allocate(bytes);
    return r->buffers != NULL;
}

static void run_all(repetition *r) {
    const uint32_t jobs = sweep_executors(r->settings);
    r->first = r->buffers + jobs * r->step;
    r->other = r->first + r->step;
    r->runs = tool_calloc(jobs, sizeof *r->runs);
    *r->out = (sweep_result){.state = SWEEP_PASS};
    jobs_run(&(job_work){.state = r,
                         .pieces = r->settings->runs,
                         .jobs = jobs,
                         .together = true,
                         .room = UINT64_MAX,
                         .run = run_once,
                         .done = run_done});
    if (r->out->state == SWEEP_PASS)
        examine_outputs(r);
    free(r->runs);
}

void sweep_repeat_case(const executor *e, suite_case *c, const sweep_settings *settings,
                       sweep_result *out) {
    repetition r = {.executors = e,
                    .c = c,
                    .settings = settings,
                    .tensor = layout_of(&c->descriptor.output_buffer),
                    .out = out};
    *out = (sweep_result){.state = SWEEP_PASS};
    if (get_memory(&r))
        run_all(&r);
    memory_free(r.buffers);
}
