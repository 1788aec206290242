/* SPDX-License-Identifier: MIT */
/*
 * From a problem to lines in GPU buffers. The dimensions of the lines are sorted by stride, and
 * adjacent ones are merged if they step through memory like one. A shader divides once for each
 * dimension but the outermost, so merging saves divisions, and sorting gives adjacent threads
 * adjacent addresses.
 */
#include "scan_layout.h"

#include <string.h>

/* Two dimensions merge if a full round of the inner one is a step of the outer one, in both
 * tensors. Merged sizes do not wrap: a tensor has fewer than 2^32 elements. */
static bool continues(const scan_dimension *inner, const scan_dimension *outer) {
    return outer->input_stride == inner->input_stride * inner->size &&
           outer->output_stride == inner->output_stride * inner->size;
}

static void merge(scan_layout *layout) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < layout->rank; i++)
        if (kept > 0 && continues(&layout->outer[kept - 1], &layout->outer[i]))
            layout->outer[kept - 1].size *= layout->outer[i].size;
        else
            layout->outer[kept++] = layout->outer[i];
    layout->rank = kept;
}

/* The absolute value of a step, which is a two's complement number. A stride of 2^31 or more is
 * taken for a negative one, which only decides the order of lines. */
static uint32_t magnitude(uint32_t step) {
    return step >> 31 ? 0 - step : step;
}

/* The stride that dimensions are sorted by. The output decides, since scattered stores cost more
 * than scattered loads; but lines that are contiguous in the output are stored along the line, and
 * then the order of lines matters to the loads alone. */
static uint32_t sort_stride(const scan_layout *layout, const scan_dimension *dimension) {
    return magnitude(layout->output_step) == 1 ? dimension->input_stride : dimension->output_stride;
}

/* Insertion sort: at most seven dimensions. */
static void insert(scan_layout *layout, scan_dimension dimension) {
    uint32_t place = layout->rank++;
    for (; place > 0 &&
           sort_stride(layout, &layout->outer[place - 1]) > sort_stride(layout, &dimension);
         place--)
        layout->outer[place] = layout->outer[place - 1];
    layout->outer[place] = dimension;
}

/* Sets length, bases and steps. Sizes and strides of a valid problem are below 2^32
 * (docs/validation.md). DECREASING begins at the line's last element and steps back. */
static void take_axis(scan_layout *layout, const cumsum_problem *problem, scan_origin origin) {
    layout->length = (uint32_t)problem->line_length;
    layout->input_step = (uint32_t)problem->input_strides[problem->axis];
    layout->output_step = (uint32_t)problem->output_strides[problem->axis];
    layout->input_base = origin.input;
    layout->output_base = origin.output;
    if (problem->decreasing) {
        layout->input_base += (layout->length - 1) * layout->input_step;
        layout->output_base += (layout->length - 1) * layout->output_step;
        layout->input_step = 0 - layout->input_step;
        layout->output_step = 0 - layout->output_step;
    }
}

void cumsum_scan_layout_of(scan_layout *layout, const cumsum_problem *problem, scan_origin origin) {
    memset(layout, 0, sizeof *layout);
    take_axis(layout, problem, origin);
    layout->lines = (uint32_t)problem->lines;
    for (uint32_t d = problem->rank; d-- > 0;)
        if (d != problem->axis && problem->sizes[d] > 1)
            insert(layout, (scan_dimension){.size = (uint32_t)problem->sizes[d],
                                            .input_stride = (uint32_t)problem->input_strides[d],
                                            .output_stride = (uint32_t)problem->output_strides[d]});
    merge(layout);
}

void cumsum_scan_layout_of_line(scan_layout *layout, const cumsum_problem *problem, uint64_t line,
                                scan_origin origin) {
    uint64_t input = 0;
    uint64_t output = 0;
    memset(layout, 0, sizeof *layout);
    take_axis(layout, problem, origin);
    cumsum_problem_line_offsets(problem, line, &input, &output);
    layout->lines = 1;
    layout->input_base += (uint32_t)input;
    layout->output_base += (uint32_t)output;
}

void cumsum_scan_layout_packed(scan_layout *layout, uint32_t lines, uint32_t length,
                               uint32_t origin) {
    memset(layout, 0, sizeof *layout);
    layout->lines = lines;
    layout->length = length;
    layout->input_base = origin;
    layout->output_base = origin;
    layout->input_step = 1;
    layout->output_step = 1;
    if (lines > 1)
        insert(layout, (scan_dimension){lines, length, length});
}

/* A contiguous input is loaded along its lines even if its strides between lines are smaller (0,
 * for a broadcast input). */
bool cumsum_scan_input_is_interleaved(const scan_layout *layout) {
    return layout->rank > 0 && layout->outer[0].input_stride < magnitude(layout->input_step) &&
           magnitude(layout->input_step) > 1;
}

bool cumsum_scan_output_is_interleaved(const scan_layout *layout) {
    return layout->rank > 0 && layout->outer[0].output_stride < magnitude(layout->output_step);
}

void cumsum_scan_fill_constants(scan_constants *constants, const scan_layout *layout) {
    memset(constants, 0, sizeof *constants);
    constants->input_base = layout->input_base;
    constants->output_base = layout->output_base;
    constants->input_step = layout->input_step;
    constants->output_step = layout->output_step;
    constants->line_count = layout->lines;
    constants->line_length = layout->length;
    if (layout->rank == 0)
        return;
    const uint32_t divided = layout->rank - 1;
    constants->flags = divided;
    for (uint32_t i = 0; i < divided; i++) {
        constants->sizes[i] = layout->outer[i].size;
        constants->input_strides[i] = layout->outer[i].input_stride;
        constants->output_strides[i] = layout->outer[i].output_stride;
    }
    constants->last_input_stride = layout->outer[divided].input_stride;
    constants->last_output_stride = layout->outer[divided].output_stride;
}
