/* SPDX-License-Identifier: MIT */
/*
 * Runs a case of a sweep several times on the same input. Each run gets the output buffer as it was
 * before the first one; in place that is the input, too. The first few different outputs are kept,
 * compared and judged like the output of a single run; of the others a digest tells how many there
 * are. If the elements differ, the case is unstable, even if each output would pass. Two NaNs are
 * equal.
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
#include "random_bits.h"
#include "report.h"
#include "sweep_case.h"
#include "text.h"

/* The different outputs that are kept. */
#define MOST_OUTPUTS 4

typedef struct repeated_output {
    unsigned char *bytes; /* the whole buffer; all NaN have the same bits */
    uint64_t digest;      /* of the elements */
    uint64_t runs;        /* that gave it */
    char *verdict;        /* after examine_outputs */
} repeated_output;

/* The runs of a case. Each job has an executor, and memory for an output; the first one has the
 * case's own. */
typedef struct repetition {
    const executor *executors;
    uint32_t jobs;
    suite_case *c;
    const sweep_settings *settings;
    layout tensor;
    unsigned char *before; /* the output buffer before a run */
    unsigned char **buffers;
    sweep_result *runs; /* the present one of each job */
    uint64_t taken;     /* runs whose output was taken */
    repeated_output kept[MOST_OUTPUTS];
    uint32_t kept_count;
    uint64_t *digests;     /* of the different outputs */
    uint64_t distinct;     /* how many; what is between the elements does not count */
    comparison difference; /* of the first two of them; "expected" is the first run's */
    sweep_result *out;
} repetition;

/* Gives all NaN the bits of one, so that equal bytes are equal elements and equal gaps; the bytes
 * between elements are not touched. Returns a digest of the elements. */
static uint64_t settle_elements(const repetition *r, unsigned char *buffer) {
    const uint64_t ones = UINT64_MAX >> (64 - 8 * r->tensor.element_size);
    uint32_t at[CUMSUM_MAX_DIMENSIONS] = {0};
    uint64_t digest = 0;
    do {
        unsigned char *place =
            case_first(buffer, &r->c->spec.output) + layout_offset(&r->tensor, at);
        uint64_t bits = element_load(place, r->tensor.type);
        if (element_is_nan(r->tensor.type, bits)) {
            bits = ones;
            element_store(place, r->tensor.type, bits);
        }
        digest ^= bits;
        digest = random_bits(&digest);
    } while (layout_next(&r->tensor, at));
    return digest;
}

/* Is it the digest of other elements than those before? */
static bool is_new_digest(repetition *r, uint64_t digest) {
    for (uint64_t i = 0; i < r->distinct; i++)
        if (r->digests[i] == digest)
            return false;
    r->digests = tool_grow(r->digests, r->distinct, sizeof *r->digests);
    r->digests[r->distinct++] = digest;
    return true;
}

/* The output that was kept and has these elements; with `gaps`, and the same bytes between them. */
static repeated_output *find_kept(repetition *r, const unsigned char *buffer, uint64_t digest,
                                  bool gaps) {
    for (uint32_t i = 0; i < r->kept_count; i++)
        if (r->kept[i].digest == digest &&
            (!gaps || memcmp(r->kept[i].bytes, buffer, r->c->output_size) == 0))
            return &r->kept[i];
    return NULL;
}

/* Takes the buffer of one more run, and copies what is kept. False without memory. */
static bool take_output(repetition *r, const unsigned char *buffer) {
    unsigned char *copy = memory_allocate(r->c->output_size);
    if (!copy)
        return false;
    memcpy(copy, buffer, r->c->output_size);
    const uint64_t digest = settle_elements(r, copy);
    const bool room = r->kept_count < MOST_OUTPUTS;
    repeated_output *same = find_kept(r, copy, digest, room);
    r->taken++;
    if (same)
        same->runs++;
    else if (is_new_digest(r, digest) && r->distinct == 2)
        r->difference =
            compare_tensors(&r->tensor, case_first(r->kept[0].bytes, &r->c->spec.output),
                            case_first(copy, &r->c->spec.output));
    if (same || !room)
        memory_free(copy);
    else
        r->kept[r->kept_count++] = (repeated_output){.bytes = copy, .digest = digest, .runs = 1};
    return true;
}

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
    } else if (run->state == SWEEP_PASS && !take_output(r, r->buffers[run - r->runs])) {
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
    const uint64_t runs = r->kept[number].runs;
    one->execution = out->execution;
    one->adapted = out->adapted;
    sweep_result_free(out);
    *out = *one;
    if (one->reason[0] && runs < r->taken) {
        snprintf(out->reason, sizeof out->reason, "in %" PRIu64 " of %" PRIu64 " runs: %.300s",
                 runs, r->taken, one->reason);
    }
}

/* Compares and judges every output that was kept. The result is that of the first one that fails,
 * or of the first. Returns the number of this output. */
static uint32_t examine_outputs(repetition *r) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < r->kept_count; i++) {
        sweep_result one = {.state = SWEEP_PASS};
        memcpy(r->c->output, r->kept[i].bytes, r->c->output_size);
        sweep_compare(&r->executors[0], r->c, &one);
        sweep_examine(&r->executors[0], r->c, r->settings->accept, r->c->values != NULL, &one);
        r->kept[i].verdict = verdict_of(r, &one);
        if (i == 0 || (r->out->state == SWEEP_PASS && one.state != SWEEP_PASS)) {
            taken = i;
            take_result(r, i, &one);
        } else {
            sweep_result_free(&one);
        }
    }
    return taken;
}

/* "3 different outputs in 10 runs: 12 of 400 elements differ, the first at [0,5]: 1 (0x3f800000)
 * and 2 (0x40000000), relative error 1", and a promise. */
static void say_unstable(FILE *out, const repetition *r, bool promised) {
    char place[LAYOUT_TEXT];
    layout_coordinates_text(place, r->tensor.rank, r->difference.first.coordinates);
    fprintf(out,
            "%" PRIu64 " different outputs in %" PRIu64 " runs: %" PRIu64 " of %" PRIu64
            " elements differ, the first at %s: ",
            r->distinct, r->taken, r->difference.differing, r->tensor.count, place);
    show_both(out, r->tensor.type, &r->difference.first);
    fputs(promised ? "; it promises the same bits in every run" : "", out);
}

/* Lines "output 1, of 6 runs: VERDICT", and the explanation of the output that was taken. */
static void explain_outputs(FILE *out, const repetition *r, uint32_t taken) {
    uint64_t others = r->taken;
    for (uint32_t i = 0; i < r->kept_count; i++) {
        others -= r->kept[i].runs;
        fprintf(out, "output %" PRIu32 ", of %" PRIu64 " run%s: %s\n", i + 1, r->kept[i].runs,
                text_plural(r->kept[i].runs), r->kept[i].verdict);
    }
    if (others)
        fprintf(out, "the other outputs, of %" PRIu64 " runs, were not kept\n", others);
    if (r->out->detail)
        fprintf(out, "output %" PRIu32 " and the expected one: %s", taken + 1, r->out->detail);
}

/* The same as JSON. */
static json_object *unstable_object(const repetition *r, bool promised) {
    json_object *object = json_make_object();
    json_object *first = json_make_object();
    json_object *outputs = json_make_array();
    fields_count(object, "runs", r->taken);
    fields_count(object, "distinct", r->distinct);
    fields_count(object, "differing", r->difference.differing);
    fields_numbers(first, "coordinates", r->tensor.rank, r->difference.first.coordinates);
    fields_value(first, "one", r->tensor.type, r->difference.first.expected);
    fields_value(first, "other", r->tensor.type, r->difference.first.actual);
    fields_ulps(first, r->tensor.type, r->difference.first.ulps);
    json_put_member(object, "first", first);
    for (uint32_t i = 0; i < r->kept_count; i++) {
        json_object *output = json_make_object();
        fields_count(output, "runs", r->kept[i].runs);
        fields_text(output, "verdict", r->kept[i].verdict);
        json_put_element(outputs, output);
    }
    json_put_member(object, "outputs", outputs);
    if (promised)
        fields_flag(object, "promised", true);
    return object;
}

static void call_unstable(repetition *r, uint32_t taken) {
    const backend_device *device = r->executors[0].device;
    const bool promised = device && device->deterministic;
    sweep_result *out = r->out;
    text_buffer sentence, detail;
    text_buffer_open(&sentence);
    text_buffer_open(&detail);
    say_unstable(sentence.stream, r, promised);
    explain_outputs(detail.stream, r, taken);
    out->state = SWEEP_UNSTABLE;
    snprintf(out->reason, sizeof out->reason, "%.399s", text_buffer_close(&sentence));
    free(sentence.text);
    free(out->detail);
    out->detail = text_buffer_close(&detail);
    out->findings = out->findings ? out->findings : json_make_object();
    json_put_member(out->findings, "unstable", unstable_object(r, promised));
}

uint32_t sweep_executors(const sweep_settings *settings) {
    return settings->runs > 1 && settings->jobs > 1 ? settings->jobs : 1;
}

/* The output buffer before a run, the first output, and one for each further job. */
uint64_t sweep_repeat_bytes(uint64_t output, const sweep_settings *settings) {
    return settings->runs > 1 ? (1 + sweep_executors(settings)) * output : 0;
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
    if (memory_check(c->input_size + 2 * c->output_size,
                     sweep_repeat_bytes(c->output_size, r->settings), &error) != TOOL_OK) {
        sweep_lack_memory(r->out, "");
        snprintf(r->out->reason, sizeof r->out->reason, "to run it again: %.300s", error.message);
        return false;
    }
    if (allocate(r))
        return true;
    sweep_lack_memory(r->out, "no memory to run it again");
    return false;
}

static void free_repetition(repetition *r) {
    memory_free(r->before);
    for (uint32_t i = 0; i < r->kept_count; i++) {
        memory_free(r->kept[i].bytes);
        free(r->kept[i].verdict);
    }
    for (uint32_t i = 1; i < r->jobs; i++)
        memory_free(r->buffers[i]);
    free(r->digests);
    free(r->buffers);
    free(r->runs);
}

void sweep_repeat_case(const executor *e, suite_case *c, const sweep_settings *settings,
                       sweep_result *out) {
    const uint32_t jobs = sweep_executors(settings);
    repetition r = {.executors = e,
                    .jobs = jobs,
                    .c = c,
                    .settings = settings,
                    .tensor = layout_of(&c->descriptor.output_buffer),
                    .buffers = tool_calloc(jobs, sizeof *r.buffers),
                    .runs = tool_calloc(jobs, sizeof *r.runs),
                    .out = out};
    *out = (sweep_result){.state = SWEEP_PASS};
    if (get_memory(&r))
        run_all(&r);
    if (out->state == SWEEP_PASS) {
        const uint32_t taken = examine_outputs(&r);
        if (r.difference.differing)
            call_unstable(&r, taken);
    }
    free_repetition(&r);
}
