/* SPDX-License-Identifier: MIT */
#include "sweep_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_build.h"
#include "json_make.h"
#include "memory.h"
#include "memory_limit.h"
#include "report_fields.h"
#include "sweep_findings.h"

/* What a status of the library means for a case. */
static sweep_state state_of(cumsum_status status) {
    switch (status) {
    case CUMSUM_OK:
        return SWEEP_PASS;
    case CUMSUM_UNSUPPORTED:
    case CUMSUM_OUT_OF_MEMORY:
    case CUMSUM_NO_DEVICE:
        return SWEEP_NOT_SUPPORTED;
    case CUMSUM_DEVICE_REMOVED:
    case CUMSUM_DEVICE_FAILED:
        return SWEEP_CRASH;
    case CUMSUM_DEVICE_TIMEOUT:
        return SWEEP_TIMEOUT;
    default: /* a valid case was refused, or something was written beside the output */
        return SWEEP_FAIL;
    }
}

static cumsum_status execute(const executor *e, const suite_case *c, sweep_result *out) {
    bool half = c->spec.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    cumsum_diagnostic why = {0};
    const backend_work work = {.desc = &c->descriptor.desc,
                               .numerics = c->spec.numerics,
                               .level = CUMSUM_FEATURE_LEVEL_DEFAULT,
                               .execution_flags = half, /* ALLOW_HALF_PRECISION_COMPUTATION */
                               .input = case_first(c->input, &c->spec.input),
                               .input_in_bytes = c->input_size - c->spec.input.offset,
                               .output = case_first(c->output, &c->spec.output),
                               .output_in_bytes = c->output_size - c->spec.output.offset};
    const uint64_t start = sweep_clock();
    cumsum_status status = executor_compute(e, &work, NULL, &why);
    out->times.execution = sweep_clock() - start;
    if (status != CUMSUM_OK) {
        snprintf(out->reason, sizeof out->reason, "%s",
                 why.message[0] ? why.message : cumsum_status_string(status));
    }
    return status;
}

/* How many bytes between and around the elements are not what they were. Elements of `expected`
 * take the place of those in the output meanwhile, so that only the others can differ. False where
 * there is no memory for that. */
static bool count_stray(suite_case *c, const layout *tensor, uint64_t *stray) {
    const uint64_t size = tensor->count * tensor->element_size;
    unsigned char *output = case_first(c->output, &c->spec.output);
    unsigned char *actual = memory_allocate(size);
    unsigned char *expected = memory_allocate(size);
    const bool can = actual && expected;
    *stray = 0;
    if (can) {
        layout_gather(tensor, output, actual);
        layout_gather(tensor, case_first(c->expected, &c->spec.output), expected);
        layout_scatter(tensor, expected, output);
        for (uint64_t i = 0; i < c->output_size; i++)
            *stray += c->output[i] != c->expected[i];
        layout_scatter(tensor, actual, output);
    }
    memory_release(actual);
    memory_release(expected);
    return can;
}

/* The case again with this spec: from its name, or from its own values where it has some. */
static tool_status begin_again(suite_case *again, const case_spec *spec,
                               const unsigned char *values, bool summed) {
    char name[CASE_NAME_ROOM];
    if (values)
        return case_begin_values(again, spec, values, NULL);
    case_format(name, spec);
    return summed ? case_begin(again, name, NULL) : case_begin_unsummed(again, name, NULL);
}

/* The input as it was: in place it has been overwritten. */
static char *explain(const suite_case *c, const unsigned char *values, const comparison *found) {
    suite_case again;
    layout output = layout_of(&c->descriptor.output_buffer);
    if (begin_again(&again, &c->spec, values, false) != TOOL_OK)
        return tool_strdup("no memory to show the line");
    const line_view view = {.axis = c->spec.axis,
                            .input = layout_of(&c->descriptor.input_buffer),
                            .expected = output,
                            .actual = output,
                            .input_bytes = case_first(again.input, &c->spec.input),
                            .expected_bytes = case_first(c->expected, &c->spec.output),
                            .actual_bytes = case_first(c->output, &c->spec.output),
                            .expected_title = "expected"};
    char *text = comparison_explain(found, &view);
    case_end(&again);
    return text;
}

/* A device that flushes subnormals, as Direct3D lets it, is right where that is all that differs:
 * then the case expects what it expects of flushing. */
static bool flushed_only(const executor *e, suite_case *c, const unsigned char *values,
                         const layout *tensor) {
    suite_case flushing;
    case_spec spec = c->spec;
    if (!e->device || !e->device->flushes_denormals || spec.type != CUMSUM_DATA_TYPE_FLOAT32 ||
        spec.numerics.denormals == CUMSUM_DENORMALS_FLUSH)
        return false;
    spec.numerics.denormals = CUMSUM_DENORMALS_FLUSH;
    if (begin_again(&flushing, &spec, values, true) != TOOL_OK)
        return false;
    comparison found = compare_tensors(tensor, case_first(flushing.expected, &spec.output),
                                       case_first(c->output, &spec.output));
    if (found.differing == 0)
        memcpy(c->expected, flushing.expected, c->output_size);
    case_end(&flushing);
    return found.differing == 0;
}

static void lack_memory(sweep_result *out, const char *reason) {
    out->state = SWEEP_NOT_SUPPORTED;
    out->no_memory = true;
    snprintf(out->reason, sizeof out->reason, "%s", reason);
}

static void compare(const executor *e, suite_case *c, const unsigned char *values,
                    sweep_result *out) {
    layout tensor = layout_of(&c->descriptor.output_buffer);
    out->comparison.outputs = tensor.count;
    if (memcmp(c->output, c->expected, c->output_size) == 0)
        return;
    const unsigned char *expected = case_first(c->expected, &c->spec.output);
    const unsigned char *actual = case_first(c->output, &c->spec.output);
    out->comparison = compare_tensors(&tensor, expected, actual);
    if (out->comparison.differing && flushed_only(e, c, values, &tensor)) {
        snprintf(out->reason, sizeof out->reason, "the device flushes subnormals");
        out->comparison.differing = 0;
    }
    if (out->comparison.differing)
        out->detail = explain(c, values, &out->comparison);
    if (!count_stray(c, &tensor, &out->stray) && !out->comparison.differing) {
        lack_memory(out, "no memory to look between the elements");
        return;
    }
    if (out->stray) {
        snprintf(out->reason, sizeof out->reason,
                 "%" PRIu64 " bytes that belong to no element were written", out->stray);
    }
    out->state = out->comparison.differing || out->stray ? SWEEP_FAIL : SWEEP_PASS;
}

void sweep_check_case(const executor *e, suite_case *c, const unsigned char *values,
                      sweep_result *out) {
    *out = (sweep_result){.state = SWEEP_PASS};
    const cumsum_status status = execute(e, c, out);
    out->state = state_of(status);
    out->no_memory = status == CUMSUM_OUT_OF_MEMORY;
    uint64_t clock = sweep_thread_clock();
    if (out->state == SWEEP_PASS)
        compare(e, c, values, out);
    out->times.comparison = sweep_lap(&clock);
}

/* A case that cannot be made is not supported; the reason says why. */
static bool make_case(suite_case *c, const char *name, sweep_times *times, sweep_result *out) {
    tool_error error;
    uint64_t clock = sweep_thread_clock();
    tool_status status = case_begin_unsummed(c, name, &error);
    times->generation = sweep_lap(&clock);
    if (status == TOOL_OK) {
        status = case_expect(c, &error);
        times->reference = sweep_lap(&clock);
    }
    if (status != TOOL_OK) {
        *out = (sweep_result){.state = SWEEP_NOT_SUPPORTED};
        snprintf(out->reason, sizeof out->reason, "%.399s", error.message);
        case_end(c);
    }
    return status == TOOL_OK;
}

void sweep_run_case(const executor *e, const char *name, sweep_result *out) {
    suite_case c;
    sweep_times times = {0};
    if (!make_case(&c, name, &times, out))
        return;
    sweep_check_case(e, &c, NULL, out);
    uint64_t clock = sweep_thread_clock();
    if (out->state == SWEEP_FAIL && out->comparison.differing)
        sweep_find(&c, e->options ? e->options->accept : ACCEPT_BITS, out);
    out->times.elements = layout_of(&c.descriptor.output_buffer).count;
    out->times.comparison += sweep_lap(&clock);
    sweep_times_add(&out->times, &times);
    case_end(&c);
}

void sweep_result_end(sweep_result *result) {
    free(result->detail);
    json_object_put(result->findings);
    result->detail = NULL;
    result->findings = NULL;
}

void sweep_result_fields(json_object *record, const cumsum_buffer_tensor_desc *output,
                         const sweep_result *result) {
    fields_text(record, "state", sweep_state_name(result->state));
    if (result->reason[0])
        fields_text(record, "reason", result->reason);
    if (result->comparison.differing) {
        const layout tensor = layout_of(output);
        comparison_fields(record, &tensor, &result->comparison);
    }
    if (result->stray)
        fields_count(record, "strayBytes", result->stray);
    if (result->findings) {
        json_object_object_foreach(result->findings, key, value) {
            json_put_member(record, key, json_object_get(value));
        }
    }
}

json_object *sweep_record(const char *name, const sweep_result *result) {
    json_object *record = json_make_object();
    case_spec spec;
    case_descriptor descriptor = {0};
    fields_text(record, "event", "case");
    fields_text(record, "name", name);
    if (case_parse(name, &spec, NULL) == TOOL_OK)
        (void)case_describe(&spec, &descriptor, NULL);
    sweep_result_fields(record, &descriptor.output_buffer, result);
    fields_count(record, "microseconds", result->times.execution / 1000);
    return record;
}
