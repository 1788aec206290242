/* SPDX-License-Identifier: MIT */
/*
 * The steps of a case of a sweep: execution, comparison byte by byte with the reference's output,
 * and if it differs, the oracle's judgement and a profile. Its result is a record: a JSON object
 * that goes into the results file.
 */
#include "sweep_case.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case_build.h"
#include "clock.h"
#include "json_tree.h"
#include "judged_output.h"
#include "judged_sums.h"
#include "memory_limit.h"
#include "report.h"
#include "text.h"

static cumsum_numerics asked_numerics(const executor *e, const case_spec *spec) {
    cumsum_numerics numerics = spec->numerics;
    if (e->any_order)
        numerics.order = CUMSUM_ORDER_SEQUENTIAL;
    return numerics;
}

/* The output for the oracle: any order of additions, with the case's own accumulator and store if
 * the backend promises them. input: the buffer before the execution. */
static judged_output judged_of(const executor *e, const suite_case *c, const unsigned char *input,
                               accept_choice accept) {
    const case_spec *spec = &c->spec;
    const char *profile = e->device && e->device->profile[0] ? e->device->profile : NULL;
    const bool promised = !profile && (!e->device || !e->device->any_half_model);
    return (judged_output){.profile = profile,
                           .desc = &c->descriptor.desc,
                           .input = input + spec->input.offset,
                           .input_in_bytes = c->input_size - spec->input.offset,
                           .output = case_first(c->output, &spec->output),
                           .output_in_bytes = c->output_size - spec->output.offset,
                           .options = {.promised = promised,
                                       .numerics = asked_numerics(e, spec),
                                       .near_order = true,
                                       .accept_suspect = accept == ACCEPT_SUSPECT,
                                       .thread_pool = e->pool}};
}

/* Makes the case again, as it was before its execution, with the numerics of `spec`. */
static bool make_again(suite_case *again, const suite_case *c, const case_spec *spec, bool summed) {
    char name[CASE_NAME_ROOM];
    if (c->values)
        return case_init_values(again, spec, c->values, NULL) == TOOL_OK;
    case_format(name, spec);
    return (summed ? case_init(again, name, NULL) : case_init_unsummed(again, name, NULL)) ==
           TOOL_OK;
}

/* Other bits that are accepted have an accuracy of their own. That of the expected bits stands
 * beside it, so that this sweep can be compared with one in which the case had those. */
static void add_expected_class(const judged_output *o, const suite_case *c, sweep_result *result) {
    judged_output expected = *o;
    expected.output = case_first(c->expected, &c->spec.output);
    expected.options.no_orders = true;
    if (judged_output_ask(&expected, NULL) == CUMSUM_OK)
        fields_text(result->findings, "expectedClass",
                    cumsum_error_class_name(expected.judgement.error_class));
}

/* A digest of the output with all bytes around it: 64-bit FNV-1a (Fowler, Noll, Vo). */
static void add_digest(const suite_case *c, sweep_result *result) {
    char text[20];
    uint64_t digest = UINT64_C(14695981039346656037);
    for (uint64_t i = 0; i < c->output_size; i++)
        digest = (digest ^ c->output[i]) * UINT64_C(1099511628211);
    snprintf(text, sizeof text, "%016" PRIx64, digest);
    fields_text(result->findings, "digest", text);
}

/* The lines around the first and the worst difference. input: the buffer before the execution, or
 * NULL. */
static void show_differences(const suite_case *c, const unsigned char *input, sweep_result *out) {
    text_buffer buffer;
    const cumsum_line_view view = {&c->descriptor.desc, input ? input + c->spec.input.offset : NULL,
                                   case_first(c->expected, &c->spec.output),
                                   case_first(c->output, &c->spec.output)};
    text_buffer_open(&buffer);
    comparison_explain(buffer.stream, &out->comparison, &view);
    out->detail = text_buffer_close(&buffer);
}

/* What a pass keeps of its judgement: what two sweeps are compared by. */
static json_object *short_judgement(json_object *judgement) {
    static const char *const left_out = " nearestOrder outputs counts first worst ";
    json_object *kept = json_make_object();
    json_object_object_foreach(judgement, key, value) {
        char word[40];
        snprintf(word, sizeof word, " %s ", key);
        if (!strstr(left_out, word))
            json_put_member(kept, key, json_object_get(value));
    }
    return kept;
}

/* Bytes that were written between the elements are a failure, whatever the elements are. */
void sweep_take_judgement(const cumsum_judgement *j, accept_choice accept, bool alone,
                          sweep_result *result) {
    static const sweep_state states[] = {
        [RESULT_PASS] = SWEEP_PASS, [RESULT_FAIL] = SWEEP_FAIL, [RESULT_SUSPECT] = SWEEP_SUSPECT};
    result->conformant = j->pass && !result->stray;
    if (!result->stray)
        result->state =
            states[alone ? judgement_status(j) : judgement_status_of_other_bits(j, accept)];
}

/* Adds the words for the sums of a failure, and what is worth a look. */
static void add_notes(const judged_output *o, const char *what, sweep_result *result) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    if (result->state != SWEEP_PASS)
        fprintf(buffer.stream, "%s\n", what);
    show_judgement(buffer.stream, o, CUMSUM_TEXT_NOTES | CUMSUM_TEXT_FINDINGS);
    show_closer_sums(buffer.stream, o);
    fputs(result->detail ? result->detail : "", buffer.stream);
    free(result->detail);
    result->detail = text_buffer_close(&buffer);
}

void sweep_add_verdict(const judged_output *o, const char *what, sweep_result *result) {
    char *words = judgement_sentence(o);
    if (!result->findings)
        result->findings = json_make_object();
    fields_text(result->findings, "verdict", words);
    json_put_member(result->findings, "judgement", judgement_object(o));
    if (result->state == SWEEP_PASS)
        snprintf(result->reason, sizeof result->reason, "%s%.250s%s%.100s",
                 result->comparison.differing ? "other bits, but " : "",
                 words + sizeof "PASS: " - 1, what ? "  " : "", what ? what : "");
    if (what)
        add_notes(o, what, result);
    free(words);
}

/* "FLOAT32 2x3 axis 1 increasing inclusive" */
static char *operator_words(const suite_case *c) {
    text_buffer buffer;
    text_buffer_open(&buffer);
    describe_operator(buffer.stream, &c->descriptor.desc);
    return text_buffer_close(&buffer);
}

/* A failure gets lines for people. */
static void add_judgement(const judged_output *o, const suite_case *c, const unsigned char *input,
                          bool given, sweep_result *result) {
    const bool compared = result->comparison.differing > 0;
    char *what = given ? operator_words(c) : NULL;
    if (compared && result->state != SWEEP_PASS)
        show_differences(c, input, result);
    sweep_add_verdict(o, what, result);
    if (compared && result->state == SWEEP_PASS) {
        if (!given)
            json_put_member(
                result->findings, "judgement",
                short_judgement(json_find(result->findings, "judgement", json_type_object)));
        add_expected_class(o, c, result);
    }
    free(what);
}

/* The expected bits, which are judged if the data are those of a file, fail by the rules that a
 * process has, and by rules that its type contradicts. */
static void take_verdict(const judged_output *o, cumsum_status status, const cumsum_diagnostic *why,
                         const suite_case *c, accept_choice accept, sweep_result *result) {
    const bool other_bits = result->comparison.differing > 0;
    const bool fails = status == CUMSUM_OK && judgement_status(&o->judgement) == RESULT_FAIL;
    if (status == CUMSUM_OK && (other_bits || fails)) {
        sweep_take_judgement(&o->judgement, accept, c->unsummed || !other_bits, result);
    } else if (status == CUMSUM_INVALID_ARGUMENT && !other_bits) {
        result->state = SWEEP_FAIL;
        snprintf(result->reason, sizeof result->reason, "%s", diagnostic_text(status, why));
    }
}

/* The case is made again where its execution has overwritten what is needed: in place the input,
 * and of an output that does not pass what was there before, since it may not have been written.
 * findings: with what is known of the output; given: as of sweep_examine. */
static void judge_output(const executor *e, const suite_case *c, accept_choice accept,
                         bool findings, bool given, sweep_result *result) {
    suite_case before;
    const bool in_place = c->spec.in_place;
    const bool other_bits = result->comparison.differing > 0;
    bool made = in_place && make_again(&before, c, &c->spec, false);
    const unsigned char *input = made ? before.input : in_place ? NULL : c->input;
    cumsum_status status = CUMSUM_OUT_OF_MEMORY;
    cumsum_diagnostic why = {0};
    judged_output o;
    if (input) {
        o = judged_of(e, c, input, accept);
        o.options.no_orders = !findings;
        o.options.near_order = findings;
        o.options.composed_orders = o.options.power_if_suspect = given;
        status = judged_output_ask(&o, &why);
    }
    take_verdict(&o, status, &why, c, accept, result);
    if (c->unsummed) /* nothing more is known of the bits */
        result->comparison.differing = 0;
    if (findings && status == CUMSUM_OK && (given || !o.judgement.pass) &&
        (made = made || make_again(&before, c, &c->spec, false))) {
        o.before = case_first(before.output, &c->spec.output);
        judged_output_explain(&o);
    }
    if (findings) {
        result->findings = json_make_object();
        if (other_bits)
            add_digest(c, result);
    }
    if (findings && status == CUMSUM_OK)
        add_judgement(&o, c, input, given, result);
    else if (findings && other_bits)
        fields_text(result->findings, "verdict", cumsum_status_string(status));
    if (made)
        case_free(&before);
}

/* The state of a case whose execution returned this status. */
static sweep_state state_of(cumsum_status status) {
    switch (status) {
    case CUMSUM_OK:
        return SWEEP_PASS;
    case CUMSUM_UNSUPPORTED:
    case CUMSUM_OUT_OF_MEMORY:
        return SWEEP_NOT_SUPPORTED;
    case CUMSUM_NO_DEVICE:
    case CUMSUM_DEVICE_REMOVED:
    case CUMSUM_DEVICE_FAILED:
        return SWEEP_CRASH;
    case CUMSUM_DEVICE_TIMEOUT:
        return SWEEP_TIMEOUT;
    default: /* it refused a valid case, or wrote outside of the output */
        return SWEEP_FAIL;
    }
}

void sweep_note_status(sweep_result *out, cumsum_status status, const cumsum_diagnostic *why) {
    if (status != CUMSUM_OK)
        snprintf(out->reason, sizeof out->reason, "%s", diagnostic_text(status, why));
    out->state = state_of(status);
    out->no_memory = status == CUMSUM_OUT_OF_MEMORY;
    out->unreached = status == CUMSUM_NO_DEVICE;
}

sweep_state sweep_execute(const executor *e, const suite_case *c, sweep_result *out) {
    bool half = c->spec.numerics.half_accumulator == CUMSUM_HALF_ACCUMULATOR_FLOAT16;
    cumsum_diagnostic why = {0};
    const backend_work work = {.desc = &c->descriptor.desc,
                               .numerics = asked_numerics(e, &c->spec),
                               .level = CUMSUM_FEATURE_LEVEL_DEFAULT,
                               .execution_flags = half, /* ALLOW_HALF_PRECISION_COMPUTATION */
                               .input = case_first(c->input, &c->spec.input),
                               .input_in_bytes = c->input_size - c->spec.input.offset,
                               .output = case_first(c->output, &c->spec.output),
                               .output_in_bytes = c->output_size - c->spec.output.offset,
                               .input_before = c->spec.input.offset,
                               .output_before = c->spec.output.offset};
    const uint64_t start = clock_monotonic();
    cumsum_status status = executor_compute(e, &work, NULL, &why);
    out->execution = clock_monotonic() - start;
    out->adapted = executor_adapted(e);
    sweep_note_status(out, status, &why);
    return out->state;
}

/* Counts the changed bytes between and around the elements: those of a copy that has the expected
 * elements. Returns false without memory. */
static bool count_stray(const suite_case *c, const layout *tensor, uint64_t *stray) {
    unsigned char *copy = memory_allocate(c->output_size);
    *stray = 0;
    if (!copy)
        return false;
    memcpy(copy, c->output, c->output_size);
    layout_copy(tensor, case_first(c->expected, &c->spec.output), tensor,
                case_first(copy, &c->spec.output));
    for (uint64_t i = 0; i < c->output_size; i++)
        *stray += copy[i] != c->expected[i];
    memory_free(copy);
    return true;
}

/* Direct3D lets a device flush subnormals. If flushing explains every difference, the output is
 * right: the expectation becomes that of the flushing case. */
static bool flushed_only(const executor *e, suite_case *c, const layout *tensor) {
    suite_case flushing;
    case_spec spec = c->spec;
    if (!e->device || !e->device->flushes_denormals || spec.type != CUMSUM_DATA_TYPE_FLOAT32 ||
        spec.numerics.denormals == CUMSUM_DENORMALS_FLUSH)
        return false;
    spec.numerics.denormals = CUMSUM_DENORMALS_FLUSH;
    if (!make_again(&flushing, c, &spec, true))
        return false;
    comparison found = compare_tensors(tensor, case_first(flushing.expected, &spec.output),
                                       case_first(c->output, &spec.output));
    if (found.differing == 0)
        memcpy(c->expected, flushing.expected, c->output_size);
    case_free(&flushing);
    return found.differing == 0;
}

void sweep_lack_memory(sweep_result *out, const char *reason) {
    out->state = SWEEP_NOT_SUPPORTED;
    out->no_memory = true;
    snprintf(out->reason, sizeof out->reason, "%s", reason);
}

void sweep_compare(const executor *e, suite_case *c, sweep_result *out) {
    layout tensor = layout_of(&c->descriptor.output_buffer);
    out->comparison.outputs = tensor.count;
    if (!c->unsummed && memcmp(c->output, c->expected, c->output_size) == 0)
        return;
    const unsigned char *expected = case_first(c->expected, &c->spec.output);
    const unsigned char *actual = case_first(c->output, &c->spec.output);
    out->comparison = compare_tensors(&tensor, expected, actual);
    if (c->unsummed) /* no bits are the expected ones: the oracle decides */
        out->comparison.differing = tensor.count;
    if (out->comparison.differing && flushed_only(e, c, &tensor)) {
        snprintf(out->reason, sizeof out->reason, "the device flushes subnormals");
        out->comparison.differing = 0;
    }
    if (!count_stray(c, &tensor, &out->stray) && !out->comparison.differing) {
        sweep_lack_memory(out, "no memory to look between the elements");
        return;
    }
    if (out->stray) {
        snprintf(out->reason, sizeof out->reason, "%" PRIu64 " %s to no element %s written",
                 out->stray, out->stray == 1 ? "byte that belongs" : "bytes that belong",
                 out->stray == 1 ? "was" : "were");
    }
    out->state = out->comparison.differing || out->stray ? SWEEP_FAIL : SWEEP_PASS;
}

void sweep_check_case(const executor *e, suite_case *c, sweep_result *out) {
    *out = (sweep_result){.state = SWEEP_PASS};
    if (sweep_execute(e, c, out) == SWEEP_PASS)
        sweep_compare(e, c, out);
}

/* Has the case run, with other bits than the expected ones? */
static bool has_other_bits(const sweep_result *out) {
    return out->comparison.differing && (out->state == SWEEP_FAIL || out->state == SWEEP_SUSPECT);
}

void sweep_judge(const executor *e, const suite_case *c, accept_choice accept, sweep_result *out) {
    if (has_other_bits(out))
        judge_output(e, c, accept, false, false, out);
}

void sweep_examine(const executor *e, const suite_case *c, accept_choice accept, bool given,
                   sweep_result *out) {
    if (has_other_bits(out) || (given && out->state == SWEEP_PASS))
        judge_output(e, c, accept, true, given, out);
}

void sweep_result_free(sweep_result *result) {
    free(result->detail);
    json_object_put(result->findings);
    json_object_put(result->record);
    *result = (sweep_result){.state = result->state};
}

void sweep_result_fields(json_object *record, const cumsum_buffer_tensor_desc *output,
                         const sweep_result *result) {
    fields_text(record, "state", sweep_state_name(result->state));
    if (result->reason[0])
        fields_text(record, "reason", result->reason);
    if (result->comparison.differing && result->state != SWEEP_PASS) {
        const layout tensor = layout_of(output);
        comparison_fields(record, &tensor, &result->comparison);
    }
    if (result->stray)
        fields_count(record, "strayBytes", result->stray);
    adaptation_fields(record, result->adapted);
    if (result->findings) {
        json_object_object_foreach(result->findings, key, value) {
            if (result->state == SWEEP_PASS && strcmp(key, "verdict") == 0)
                continue; /* its words are in the reason */
            json_put_member(record, key, json_object_get(value));
        }
    }
}
