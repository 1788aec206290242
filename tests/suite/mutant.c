/* SPDX-License-Identifier: MIT */
#include "mutant.h"

#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "memory.h"

bool mutant_is_half(const mutant_line *line) {
    return line->spec->type == CUMSUM_DATA_TYPE_FLOAT16;
}

bool mutant_is_float(const mutant_line *line) {
    return line->spec->type == CUMSUM_DATA_TYPE_FLOAT32 || mutant_is_half(line);
}

double mutant_value(const mutant_line *line, uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return mutant_is_half(line) ? (double)cumsum_half_to_float((uint16_t)bits) : (double)value;
}

uint64_t mutant_bits(const mutant_line *line, double value) {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return mutant_is_half(line) ? cumsum_half_from_float(narrow, CUMSUM_HALF_STORE_IEEE) : bits;
}

void mutant_sum(mutant_line *line) {
    cumsum_data_type type = line->spec->type;
    uint32_t size = cumsum_data_type_size(type);
    const uint32_t sizes[1] = {(uint32_t)line->n};
    cumsum_buffer_tensor_desc buffer = {.data_type = type, .dimension_count = 1, .sizes = sizes};
    (void)cumsum_tensor_size(type, 1, sizes, NULL, &buffer.total_tensor_size_in_bytes);
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {.input_tensor = &tensor,
                                       .output_tensor = &tensor,
                                       .has_exclusive_sum = line->spec->exclusive};
    const cumsum_plan_options options = {.numerics = line->numerics,
                                         .kernel = CUMSUM_KERNEL_REFERENCE};
    unsigned char *packed = tool_calloc(1, buffer.total_tensor_size_in_bytes);
    cumsum_plan *plan;
    for (uint64_t k = 0; k < line->n; k++)
        element_store(packed + k * size, type, line->x[k]);
    if (cumsum_plan_create(&desc, &options, &plan, NULL) != CUMSUM_OK ||
        cumsum_plan_execute(plan, packed, buffer.total_tensor_size_in_bytes, packed,
                            buffer.total_tensor_size_in_bytes, NULL) != CUMSUM_OK)
        abort();
    cumsum_plan_destroy(plan);
    for (uint64_t k = 0; k < line->n; k++)
        line->y[k] = element_load(packed + k * size, type);
    free(packed);
}

/* The byte of element k of the line that starts at these indices. */
static uint64_t place(const mutant_view *view, const layout *tensor, uint64_t offset,
                      const uint32_t *start, uint64_t k) {
    uint32_t at[CUMSUM_MAX_DIMENSIONS];
    uint32_t n = tensor->sizes[view->spec.axis];
    memcpy(at, start, sizeof at);
    at[view->spec.axis] = view->spec.decreasing ? n - 1 - (uint32_t)k : (uint32_t)k;
    return offset + layout_offset(tensor, at);
}

static void run_line(const mutant *m, const mutant_view *view, mutant_line *line,
                     const uint32_t *start, const suite_case *c, const unsigned char *input,
                     unsigned char *output) {
    uint32_t size = view->input.element_size;
    for (uint64_t k = 0; k < line->n; k++) {
        uint64_t at = place(view, &view->input, view->input_offset, start, k);
        bool inside = at + size <= c->input_size;
        line->x[k] = inside ? element_load(input + at, view->spec.type) : 0;
    }
    (m->sum ? m->sum : mutant_sum)(line);
    for (uint64_t k = 0; k < line->n; k++) {
        uint64_t at = place(view, &view->output, view->output_offset, start, k);
        if (at + size <= c->output_size)
            element_store(output + at, view->spec.type, line->y[k]);
    }
}

void mutant_run(const mutant *m, const suite_case *c, const unsigned char *input,
                unsigned char *output) {
    mutant_view view = {.spec = c->spec,
                        .input = layout_of(&c->descriptor.input_buffer),
                        .output = layout_of(&c->descriptor.output_buffer),
                        .input_offset = c->spec.input.offset,
                        .output_offset = c->spec.output.offset};
    if (m->look)
        m->look(&view);
    layout lines = view.output;
    lines.sizes[view.spec.axis] = 1;
    mutant_line line = {.spec = &view.spec, .n = view.output.sizes[view.spec.axis]};
    line.lines = view.output.count / line.n;
    line.x = tool_malloc(line.n * sizeof *line.x);
    line.y = tool_malloc(line.n * sizeof *line.y);
    uint32_t start[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        line.numerics = view.spec.numerics;
        run_line(m, &view, &line, start, c, input, output);
        line.number++;
    } while (layout_next(&lines, start));
    if (m->litter)
        m->litter(&view, output, c->output_size);
    free(line.x);
    free(line.y);
}
