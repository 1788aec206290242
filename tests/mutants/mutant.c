/* SPDX-License-Identifier: MIT */
/* The implementation that the mutants are variations of: gather, scan, scatter. It is slow and
 * plain, and leaves nothing of a layout to the library: each line is scanned as a packed one, in
 * ascending order. */
#include "mutant.h"

#include <stdlib.h>
#include <string.h>

const mutant *const mutant_families[] = {
    mutants_addresses, mutants_lines,  mutants_floats,  mutants_subtraction, mutants_numerics,
    mutants_integers,  mutants_blocks, mutants_binades, mutants_segments,    NULL};

const mutant mutant_right = {.name = "right", .bug = "none"};

bool mutant_is_half(const mutant_line *line) {
    return line->type == CUMSUM_DATA_TYPE_FLOAT16;
}

bool mutant_is_float(const mutant_line *line) {
    return line->type == CUMSUM_DATA_TYPE_FLOAT32 || mutant_is_half(line);
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

uint64_t mutant_stored(const mutant_line *line, float sum) {
    return mutant_is_half(line) ? cumsum_half_from_float(sum, CUMSUM_HALF_STORE_NEAREST_EVEN)
                                : mutant_bits(line, (double)sum);
}

static uint64_t load(const unsigned char *from, uint32_t size) {
    uint16_t half;
    uint32_t word;
    uint64_t bits;
    if (size == 2)
        return memcpy(&half, from, sizeof half), half;
    if (size == 4)
        return memcpy(&word, from, sizeof word), word;
    return memcpy(&bits, from, sizeof bits), bits;
}

static void store(unsigned char *to, uint32_t size, uint64_t bits) {
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    if (size == 2)
        memcpy(to, &half, sizeof half);
    else if (size == 4)
        memcpy(to, &word, sizeof word);
    else
        memcpy(to, &bits, sizeof bits);
}

static void *allocate(uint64_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory)
        abort();
    return memory;
}

void mutant_scan(mutant_line *line) {
    const uint32_t size = cumsum_data_type_size(line->type);
    const uint32_t sizes[1] = {(uint32_t)line->n};
    cumsum_buffer_tensor_desc buffer = {
        .data_type = line->type, .dimension_count = 1, .sizes = sizes};
    (void)cumsum_tensor_size(line->type, 1, sizes, NULL, &buffer.total_tensor_size_in_bytes);
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc desc = {
        .input_tensor = &tensor, .output_tensor = &tensor, .has_exclusive_sum = line->exclusive};
    const cumsum_plan_options options = {.numerics = line->numerics,
                                         .kernel = CUMSUM_KERNEL_REFERENCE};
    unsigned char *packed = allocate(buffer.total_tensor_size_in_bytes);
    cumsum_plan *plan;
    for (uint64_t k = 0; k < line->n; k++)
        store(packed + k * size, size, line->x[k]);
    if (cumsum_plan_create(&desc, &options, &plan, NULL) != CUMSUM_OK ||
        cumsum_plan_execute(plan, packed, buffer.total_tensor_size_in_bytes, packed,
                            buffer.total_tensor_size_in_bytes, NULL) != CUMSUM_OK)
        abort();
    cumsum_plan_destroy(plan);
    for (uint64_t k = 0; k < line->n; k++)
        line->y[k] = load(packed + k * size, size);
    free(packed);
}

void mutant_scan_inclusive(mutant_line *line) {
    const bool exclusive = line->exclusive;
    line->exclusive = false;
    mutant_scan(line);
    line->exclusive = exclusive;
}

static bool is_plain(const mutant_line *line, cumsum_order order) {
    return mutant_is_float(line) && line->numerics.order == order &&
           !line->numerics.half_accumulator && !line->numerics.half_store &&
           !line->numerics.denormals;
}

void mutant_scan_as(mutant_line *line, cumsum_order order, textbook_scan *scan) {
    if (!is_plain(line, order)) {
        mutant_scan(line);
        return;
    }
    double *v = allocate(line->n * sizeof *v);
    for (uint64_t k = 0; k < line->n; k++)
        v[k] = mutant_value(line, line->x[k]);
    scan(add_binary32, v, (uint32_t)line->n);
    for (uint64_t k = 0; k < line->n; k++) {
        const float sum = (float)(!line->exclusive ? v[k] : k ? v[k - 1] : 0);
        line->y[k] = mutant_stored(line, sum + 0.0f); /* -0 becomes +0 */
    }
    free(v);
}

/* Options that the type does not have are as if they had not been given. */
static cumsum_numerics effective(cumsum_data_type type, cumsum_numerics numerics) {
    if (type != CUMSUM_DATA_TYPE_FLOAT16)
        numerics.half_accumulator = CUMSUM_HALF_ACCUMULATOR_FLOAT32;
    if (type != CUMSUM_DATA_TYPE_FLOAT16 || numerics.half_accumulator)
        numerics.half_store = CUMSUM_HALF_STORE_NEAREST_EVEN;
    if (type != CUMSUM_DATA_TYPE_FLOAT32)
        numerics.denormals = CUMSUM_DENORMALS_PRESERVE;
    return numerics;
}

static mutant_tensor tensor_of(const cumsum_buffer_tensor_desc *desc) {
    mutant_tensor tensor = {.strided = desc->strides != NULL};
    uint64_t packed = 1;
    for (uint32_t d = desc->dimension_count; d-- > 0; packed *= desc->sizes[d]) {
        tensor.given[d] = tensor.strided ? desc->strides[d] : (uint32_t)packed;
        tensor.strides[d] = desc->sizes[d] > 1 ? tensor.given[d] : 0;
    }
    return tensor;
}

mutant_view mutant_view_of(const cumsum_operator_desc *desc, cumsum_numerics numerics,
                           bool in_place) {
    const cumsum_buffer_tensor_desc *input = desc->input_tensor->desc;
    mutant_view view = {.type = input->data_type,
                        .element_size = cumsum_data_type_size(input->data_type),
                        .numerics = effective(input->data_type, numerics),
                        .decreasing = desc->axis_direction == CUMSUM_AXIS_DIRECTION_DECREASING,
                        .exclusive = desc->has_exclusive_sum != 0,
                        .in_place = in_place,
                        .rank = input->dimension_count,
                        .axis = desc->axis,
                        .input = tensor_of(input),
                        .output = tensor_of(desc->output_tensor->desc)};
    memcpy(view.sizes, input->sizes, view.rank * sizeof *view.sizes);
    return view;
}

uint64_t mutant_place(const mutant_view *view, const mutant_tensor *tensor, const uint32_t *index) {
    uint64_t elements = 0;
    for (uint32_t d = 0; d < view->rank; d++)
        elements += index[d] * tensor->strides[d];
    return tensor->offset + elements * view->element_size;
}

bool mutant_next(const mutant_view *view, uint32_t *index, uint32_t except) {
    for (uint32_t d = view->rank; d-- > 0;) {
        if (d == except)
            continue;
        if (++index[d] < view->sizes[d])
            return true;
        index[d] = 0;
    }
    return false;
}

/* Where a line's elements lie: that of element k, in traversal order, at first + k * step. */
typedef struct line_place {
    uint64_t first; /* bytes; unsigned arithmetic wraps, and comes back */
    uint64_t step;
} line_place;

static line_place place_of(const mutant_view *view, const mutant_tensor *tensor,
                           const uint32_t *start) {
    const uint64_t step = tensor->strides[view->axis] * view->element_size;
    line_place place = {mutant_place(view, tensor, start), step};
    if (view->decreasing) {
        place.first += (view->sizes[view->axis] - 1) * step;
        place.step = (uint64_t)0 - step;
    }
    return place;
}

static bool is_inside(uint64_t at, uint32_t element_size, uint64_t size) {
    return size >= element_size && at <= size - element_size;
}

static void run_line(const mutant *m, const mutant_view *view, mutant_line *line,
                     const uint32_t *start, const mutant_buffers *buffers) {
    const uint32_t size = view->element_size;
    const line_place from = place_of(view, &view->input, start);
    const line_place to = place_of(view, &view->output, start);
    for (uint64_t k = 0; k < line->n; k++) {
        const uint64_t at = from.first + k * from.step;
        line->x[k] = is_inside(at, size, buffers->input_size) ? load(buffers->input + at, size) : 0;
    }
    (m->scan ? m->scan : mutant_scan)(line);
    for (uint64_t k = 0; k < line->n && !line->unwritten; k++) {
        const uint64_t at = to.first + k * to.step;
        if (is_inside(at, size, buffers->output_size))
            store(buffers->output + at, size, line->y[k]);
    }
}

/* The line as the view has it; its elements are to be gathered. */
static void begin_line(mutant_line *line, const mutant_view *view) {
    line->type = view->type;
    line->numerics = view->numerics;
    line->decreasing = view->decreasing;
    line->exclusive = view->exclusive;
    line->in_place = view->in_place;
    line->unwritten = false;
}

void mutant_run(const mutant *m, mutant_view view, const mutant_buffers *buffers) {
    if (m->misread)
        m->misread(&view);
    mutant_line line = {.n = view.sizes[view.axis], .lines = 1, .edge = m->edge};
    for (uint32_t d = 0; d < view.rank; d++)
        line.lines *= d == view.axis ? 1 : view.sizes[d];
    line.x = allocate(line.n * sizeof *line.x);
    line.y = allocate(line.n * sizeof *line.y);
    uint32_t start[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        begin_line(&line, &view);
        run_line(m, &view, &line, start, buffers);
        line.number++;
    } while (mutant_next(&view, start, view.axis));
    if (m->spill)
        m->spill(&view, buffers->output, buffers->output_size);
    free(line.x);
    free(line.y);
}
