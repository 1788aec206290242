/* SPDX-License-Identifier: MIT */
#include "probe_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "element.h"

void probe_answer(probe_result *r, probe_outcome outcome, const char *answer) {
    r->outcome = outcome;
    snprintf(r->answer, sizeof r->answer, "%s", answer);
}

void probe_evidence(probe_result *r, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(r->evidence, sizeof r->evidence, format, values);
    va_end(values);
}

void probe_evidence_value(probe_result *r, const char *words, cumsum_data_type type,
                          uint64_t bits) {
    char value[ELEMENT_TEXT];
    size_t used = strlen(r->evidence);
    element_decimal(value, type, bits);
    snprintf(r->evidence + used, sizeof r->evidence - used, "%s%s %s", used ? ", " : "", words,
             value);
}

static void explain(const prober *p, cumsum_status status, probe_result *r) {
    const char *words =
        p->diagnostic.message[0] ? p->diagnostic.message : cumsum_status_string(status);
    const bool unavailable = status == CUMSUM_UNSUPPORTED;
    probe_answer(r, unavailable ? PROBE_UNAVAILABLE : PROBE_FAILED,
                 unavailable ? "not available" : "failed");
    probe_evidence(r, "%s", words);
}

bool probe_run(prober *p, const probe_question *q, const probe_tensor *t, const void *input,
               void *output, probe_result *r) {
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    for (int i = 0; i < 2; i++) {
        buffers[i] =
            (cumsum_buffer_tensor_desc){.data_type = t->type,
                                        .dimension_count = t->rank,
                                        .sizes = t->sizes,
                                        .strides = i ? t->output_strides : t->input_strides};
        cumsum_tensor_size(t->type, t->rank, t->sizes, buffers[i].strides,
                           &buffers[i].total_tensor_size_in_bytes);
        tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffers[i]};
    }
    const cumsum_operator_desc desc = {.input_tensor = &tensors[0],
                                       .output_tensor = &tensors[1],
                                       .axis = t->axis,
                                       .axis_direction = t->decreasing
                                                             ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                             : CUMSUM_AXIS_DIRECTION_INCREASING,
                                       .has_exclusive_sum = t->exclusive};
    p->diagnostic = (cumsum_diagnostic){0};
    cumsum_status status = p->execute(p->state, &desc, q->execution_flags, input,
                                      buffers[0].total_tensor_size_in_bytes, output,
                                      buffers[1].total_tensor_size_in_bytes, &p->diagnostic);
    if (status != CUMSUM_OK)
        explain(p, status, r);
    return status == CUMSUM_OK;
}

bool probe_few(prober *p, const probe_question *q, uint32_t lines, uint32_t length, bool exclusive,
               const uint64_t *input, uint64_t *output, probe_result *r) {
    uint64_t from[PROBE_FEW] = {0}; /* aligned, and large enough for any type */
    uint64_t to[PROBE_FEW] = {0};
    const uint32_t sizes[] = {lines, length};
    const probe_tensor tensor = {
        .type = q->type, .rank = 2, .sizes = sizes, .axis = 1, .exclusive = exclusive};
    const size_t size = cumsum_data_type_size(q->type);
    const size_t count = (size_t)lines * length;
    for (size_t i = 0; i < count; i++)
        element_store((unsigned char *)from + i * size, q->type, input[i]);
    if (!probe_run(p, q, &tensor, from, to, r))
        return false;
    for (size_t i = 0; i < count; i++)
        output[i] = element_load((const unsigned char *)to + i * size, q->type);
    return true;
}

void probe_ask(prober *p, const probe_question *q, probe_result *r) {
    *r = (probe_result){.outcome = PROBE_FAILED};
    q->ask(p, q, r);
}
