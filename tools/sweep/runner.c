/* SPDX-License-Identifier: MIT */
/* Runs a case: makes it from its name or its data, executes it, and makes its record. */
#include <stdio.h>
#include <stdlib.h>

#include "json_tree.h"
#include "memory.h"
#include "report.h"
#include "sweep_case.h"

const shrink_case *sweep_given_data(const sweep_settings *settings, const char *name) {
    const size_t i = name_set_find(&settings->given_names, name);
    return i == SIZE_MAX ? NULL : &settings->given[i];
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
    return input + (spec.in_place ? 1 : 2) * output + sweep_repeat_bytes(output, settings);
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
        sweep_repeat_case(e, c, settings, out);
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
