/* SPDX-License-Identifier: MIT */
/* The list of questions, and what they share: executions and the wording of results. */
#include "probe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "element.h"
#include "probe_question.h"

/* DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION */
#define HALF 1u

#define FLOAT16 CUMSUM_DATA_TYPE_FLOAT16
#define FLOAT32 CUMSUM_DATA_TYPE_FLOAT32

const probe_question probe_questions[] = {
    {"float32.order", "in which order are elements added?", FLOAT32, 0, probe_order},
    {"float32.subnormal-inputs", "is a subnormal input kept?", FLOAT32, 0, probe_subnormal_inputs},
    {"float32.subnormal-sums", "is a subnormal sum that is added to kept?", FLOAT32, 0,
     probe_subnormal_sums},
    {"float32.subnormal-outputs", "is a subnormal output kept?", FLOAT32, 0,
     probe_subnormal_outputs},
    {"float32.signed-zero", "what is the sum of -0 alone?", FLOAT32, 0, probe_signed_zero},
    {"float32.nan", "does a NaN stay, and change nothing before it?", FLOAT32, 0, probe_nan},
    {"float32.infinity", "is +inf + -inf a NaN?", FLOAT32, 0, probe_infinity},
    {"float32.overflow", "does a sum that overflowed stay infinite?", FLOAT32, 0, probe_overflow},
    {"float16.accumulator", "in which type are sums accumulated?", FLOAT16, 0,
     probe_half_accumulator},
    {"float16.rounding", "how is a sum rounded?", FLOAT16, 0, probe_half_rounding},
    {"float16.overflow", "from which sum on is it infinite?", FLOAT16, 0, probe_half_overflow},
    {"float16.subnormals", "are subnormals kept?", FLOAT16, 0, probe_half_subnormals},
    {"float16.signed-zero", "what is the sum of -0 alone?", FLOAT16, 0, probe_signed_zero},
    {"float16.nan", "does a NaN stay, and change nothing before it?", FLOAT16, 0, probe_nan},
    {"float16.infinity", "is +inf + -inf a NaN?", FLOAT16, 0, probe_infinity},
    {"float16.accumulator.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_accumulator},
    {"float16.rounding.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_rounding},
    {"float16.overflow.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_overflow},
    {"float16.subnormals.half-allowed", "the same, half precision allowed", FLOAT16, HALF,
     probe_half_subnormals},
    {"int32.wrap", "how do sums wrap?", CUMSUM_DATA_TYPE_INT32, 0, probe_wrap},
    {"uint32.wrap", "how do sums wrap?", CUMSUM_DATA_TYPE_UINT32, 0, probe_wrap},
    {"int64.wrap", "how do sums wrap?", CUMSUM_DATA_TYPE_INT64, 0, probe_wrap},
    {"uint64.wrap", "how do sums wrap?", CUMSUM_DATA_TYPE_UINT64, 0, probe_wrap},
    {"causality", "does an output depend on its prefix alone?", FLOAT32, 0, probe_causality},
    {"stability", "are the bits the same from run to run?", FLOAT32, 0, probe_stability},
    {"neighbours", "does a line keep its bits among lines of NaN?", FLOAT32, 0, probe_neighbours},
    {"length", "do the first sums keep their bits, however many follow?", FLOAT32, 0, probe_length},
    {"layouts", "are the bits the same in every layout?", FLOAT32, 0, probe_layouts},
};
const size_t probe_question_count = sizeof probe_questions / sizeof probe_questions[0];

void probe_ask(prober *p, const probe_question *q, probe_result *r) {
    *r = (probe_result){.outcome = PROBE_FAILED};
    p->question = q;
    p->result = r;
    q->ask(p);
}

void probe_answer(prober *p, probe_outcome outcome, const char *answer) {
    p->result->outcome = outcome;
    snprintf(p->result->answer, sizeof p->result->answer, "%s", answer);
}

void probe_evidence(prober *p, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(p->result->evidence, sizeof p->result->evidence, format, values);
    va_end(values);
}

void probe_evidence_value(prober *p, const char *words, uint64_t bits) {
    probe_result *r = p->result;
    char value[ELEMENT_TEXT];
    size_t used = strlen(r->evidence);
    element_decimal(value, p->question->type, bits);
    snprintf(r->evidence + used, sizeof r->evidence - used, "%s%s %s", used ? ", " : "", words,
             value);
}

bool probe_run(prober *p, const probe_tensor *t, const void *input, void *output) {
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_tensor_desc tensors[2];
    for (int i = 0; i < 2; i++) {
        buffers[i] =
            (cumsum_buffer_tensor_desc){.data_type = p->question->type,
                                        .dimension_count = t->rank,
                                        .sizes = t->sizes,
                                        .strides = i ? t->output_strides : t->input_strides};
        cumsum_tensor_size(p->question->type, t->rank, t->sizes, buffers[i].strides,
                           &buffers[i].total_tensor_size_in_bytes);
        tensors[i] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &buffers[i]};
    }
    const cumsum_operator_desc desc = {.input_tensor = &tensors[0],
                                       .output_tensor = &tensors[1],
                                       .axis = t->axis,
                                       .axis_direction = t->decreasing
                                                             ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                             : CUMSUM_AXIS_DIRECTION_INCREASING};
    cumsum_diagnostic diagnostic = {0};
    const cumsum_status status = p->execute(p->state, &desc, p->question->execution_flags, input,
                                            buffers[0].total_tensor_size_in_bytes, output,
                                            buffers[1].total_tensor_size_in_bytes, &diagnostic);
    if (status == CUMSUM_OK)
        return true;
    if (status == CUMSUM_UNSUPPORTED)
        probe_answer(p, PROBE_UNAVAILABLE, "not available");
    else
        probe_answer(p, PROBE_FAILED, "failed");
    probe_evidence(p, "%s",
                   diagnostic.message[0] ? diagnostic.message : cumsum_status_string(status));
    return false;
}

bool probe_few(prober *p, uint32_t lines, uint32_t length, const uint64_t *input,
               uint64_t *output) {
    uint64_t from[PROBE_FEW] = {0}; /* aligned, and large enough for any type */
    uint64_t to[PROBE_FEW] = {0};
    const uint32_t sizes[] = {lines, length};
    const probe_tensor tensor = {.rank = 2, .sizes = sizes, .axis = 1};
    const cumsum_data_type type = p->question->type;
    const size_t size = cumsum_data_type_size(type);
    const size_t count = (size_t)lines * length;
    for (size_t i = 0; i < count; i++)
        element_store((unsigned char *)from + i * size, type, input[i]);
    if (!probe_run(p, &tensor, from, to))
        return false;
    for (size_t i = 0; i < count; i++)
        output[i] = element_load((const unsigned char *)to + i * size, type);
    return true;
}
