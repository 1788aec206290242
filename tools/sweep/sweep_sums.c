/* SPDX-License-Identifier: MIT */
/* sweep --sum: judges the totals over axes that a process makes of the input of a case. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "json_tree.h"
#include "judged_sums.h"
#include "memory_limit.h"
#include "sweep_case.h"

/* The axes that the sums of a case are over. */
static tool_status axes_of(const case_spec *spec, const char *over, sum_axes *out,
                           tool_error *error) {
    *out = (sum_axes){.list = {spec->axis}, .count = 1, .set = UINT32_C(1) << spec->axis};
    return strcmp(over, "axis") ? sum_axes_read(over, spec->rank, out, error) : TOOL_OK;
}

tool_status sweep_sum_check(const case_spec *spec, const char *over, tool_error *error) {
    sum_axes axes;
    return axes_of(spec, over, &axes, error);
}

void sweep_sum_name(char name[CASE_NAME_ROOM], case_spec spec, const char *over) {
    spec.axis = strcmp(over, "axis") ? 0 : spec.axis;
    spec.numerics = (cumsum_numerics){0};
    spec.input = spec.output = (case_tensor){.strided = false};
    spec.decreasing = spec.exclusive = spec.in_place = false;
    case_format(name, &spec);
}

/* The terms and the totals of a case, packed. */
typedef struct summing {
    uint32_t sizes[CUMSUM_MAX_DIMENSIONS];
    cumsum_buffer_tensor_desc input;
    cumsum_buffer_tensor_desc output;
    uint64_t input_size;
    uint64_t output_size;
    unsigned char *terms;
    unsigned char *totals;
} summing;

static bool begin_summing(summing *s, const suite_case *c, const sum_axes *axes) {
    const layout from = layout_of(&c->descriptor.input_buffer);
    memcpy(s->sizes, from.sizes, sizeof s->sizes);
    for (uint32_t i = 0; i < axes->count; i++)
        s->sizes[axes->list[i]] = 1;
    s->input = tensor_of(from.type, from.rank, c->descriptor.input_buffer.sizes, NULL);
    s->output = tensor_of(from.type, from.rank, s->sizes, NULL);
    s->input_size = layout_of(&s->input).extent_in_bytes;
    s->output_size = layout_of(&s->output).extent_in_bytes;
    s->terms = memory_allocate(s->input_size);
    s->totals = memory_allocate(s->output_size);
    if (!s->terms || !s->totals)
        return false;
    memset(s->totals, 0, s->output_size);
    layout_gather(&from, case_first(c->input, &c->spec.input), s->terms);
    return true;
}

static void judge_total_sums(const executor *e, const summing *s, const sum_axes *axes,
                             const sweep_settings *settings, sweep_result *out) {
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &s->input},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &s->output}};
    const cumsum_sums_desc desc = {&tensors[0], &tensors[1], axes->count, axes->list};
    judged_output o = {.profile = e->device && e->device->profile[0] ? e->device->profile : NULL,
                       .options = {.near_order = true,
                                   .composed_orders = true,
                                   .power_if_suspect = true,
                                   .accept_suspect = settings->accept == ACCEPT_SUSPECT}};
    cumsum_diagnostic why = {0};
    const cumsum_status status =
        judged_sums_ask(&o, &desc, s->terms, s->input_size, s->totals, s->output_size, &why);
    if (status != CUMSUM_OK) {
        sweep_note_status(out, status, &why);
        return;
    }
    char *what = sum_words(&s->input, settings->sum);
    sweep_take_judgement(&o.judgement, settings->accept, true, out);
    sweep_add_verdict(&o, what, out);
    fields_text(out->findings, "sum", settings->sum);
    free(what);
}

void sweep_sum_case(const executor *e, const suite_case *c, const sweep_settings *settings,
                    sweep_result *out) {
    summing s = {.terms = NULL};
    sum_axes axes;
    cumsum_diagnostic why = {0};
    *out = (sweep_result){.state = SWEEP_PASS};
    (void)axes_of(&c->spec, settings->sum, &axes, NULL); /* sweep_sum_check has taken them */
    if (!begin_summing(&s, c, &axes)) {
        sweep_lack_memory(out, "no memory for its sums");
    } else {
        const uint64_t start = clock_monotonic();
        const cumsum_status status =
            executor_totals(e, &s.input, axes.set, s.terms, s.totals, &why);
        out->execution = clock_monotonic() - start;
        sweep_note_status(out, status, &why);
    }
    if (out->state == SWEEP_PASS)
        judge_total_sums(e, &s, &axes, settings, out);
    memory_free(s.terms);
    memory_free(s.totals);
}
