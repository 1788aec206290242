/* SPDX-License-Identifier: MIT */
/* Bugs of addresses: elements are taken from or put to wrong places by mistaken strides, axes and
 * offsets, or bytes between and around the elements are written. */
#include "mutant.h"

#include <stdlib.h>
#include <string.h>

/* The stride of a dimension of a packed tensor. The mutants below take it for one dimension. */
static uint64_t packed_stride(const mutant_view *v, uint32_t d) {
    uint64_t stride = 1;
    for (uint32_t i = d + 1; i < v->rank; i++)
        stride *= v->sizes[i];
    return stride;
}

static void outer_input_stride(mutant_view *v) {
    v->input.strides[0] = packed_stride(v, 0);
}

static void outer_output_stride(mutant_view *v) {
    v->output.strides[0] = packed_stride(v, 0);
}

static void inner_input_stride(mutant_view *v) {
    v->input.strides[v->rank - 1] = 1;
}

static void inner_output_stride(mutant_view *v) {
    v->output.strides[v->rank - 1] = 1;
}

static void middle_input_stride(mutant_view *v) {
    uint32_t middle = v->rank / 2;
    v->input.strides[middle] = packed_stride(v, middle);
}

static void axis_input_stride(mutant_view *v) {
    v->input.strides[v->axis] = packed_stride(v, v->axis);
}

static void one_stride_for_both(mutant_view *v) {
    memcpy(v->output.strides, v->input.strides, sizeof v->output.strides);
}

static void strides_exchanged(mutant_view *v) {
    const mutant_tensor input = v->input;
    memcpy(v->input.strides, v->output.strides, sizeof input.strides);
    memcpy(v->output.strides, input.strides, sizeof input.strides);
}

static void zero_is_no_stride(mutant_view *v) {
    for (uint32_t d = 0; d < v->rank; d++)
        if (v->input.strides[d] == 0)
            v->input.strides[d] = packed_stride(v, d);
}

static void repetition_is_one(mutant_view *v) {
    for (uint32_t d = 0; d < v->rank; d++)
        if (v->sizes[d] > 1 && v->input.strides[d] == 0)
            v->input.strides[d] = 1;
}

static void five_and_more(mutant_view *v) {
    for (uint32_t d = 0; v->rank > 4 && d < v->rank - 4; d++) {
        v->input.strides[d] = packed_stride(v, d);
        v->output.strides[d] = packed_stride(v, d);
    }
}

static void eight_only(mutant_view *v) {
    if (v->rank == CUMSUM_MAX_DIMENSIONS)
        v->input.strides[0] = 0;
}

/* Two dimensions are taken as one where the inner one has no more than one element. */
static void unused_stride(mutant_view *v) {
    for (uint32_t d = 0; d + 1 < v->rank; d++)
        if (v->sizes[d + 1] == 1 && v->input.strided)
            v->input.strides[d] = v->input.given[d + 1];
}

static void unused_output_stride(mutant_view *v) {
    for (uint32_t d = 1; d < v->rank; d++)
        if (v->sizes[d - 1] == 1 && v->output.strided && v->sizes[d] > 1)
            v->output.strides[d] = v->output.given[d - 1];
}

/* The first dimension that is as long as the axis. */
static void first_of_equals(mutant_view *v) {
    uint32_t n = v->sizes[v->axis];
    for (uint32_t d = v->rank; d-- > 0;)
        v->axis = v->sizes[d] == n ? d : v->axis;
}

static void axis_from_the_end(mutant_view *v) {
    v->axis = v->rank - 1 - v->axis;
}

static void innermost_axis(mutant_view *v) {
    v->axis = v->rank - 1;
}

static void input_offset(mutant_view *v) {
    v->input.offset = 0;
}

static void output_offset(mutant_view *v) {
    v->output.offset = 0;
}

static void offset_of_the_other(mutant_view *v) {
    v->output.offset = v->input.offset;
}

static void sixteen_bits(mutant_view *v) {
    for (uint32_t d = 0; d < v->rank; d++) {
        const bool beyond = (v->sizes[d] - 1) * v->input.strides[d] > UINT16_MAX;
        v->input.strides[d] = beyond ? 0 : v->input.strides[d];
    }
}

/* Sets every byte behind the first element to 0 that no element occupies. */
static void clear_gaps(const mutant_view *v, unsigned char *output, uint64_t size) {
    unsigned char *is_element = calloc(size, 1);
    uint32_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    if (!is_element)
        abort();
    do {
        const uint64_t at = mutant_place(v, &v->output, index);
        for (uint32_t i = 0; i < v->element_size && at + i < size; i++)
            is_element[at + i] = 1;
    } while (mutant_next(v, index, CUMSUM_MAX_DIMENSIONS));
    for (uint64_t at = v->output.offset; at < size; at++)
        output[at] = is_element[at] ? output[at] : 0;
    free(is_element);
}

/* A whole vector is stored at the end of the tensor. */
static void past_the_end(const mutant_view *v, unsigned char *output, uint64_t size) {
    uint64_t last = v->output.offset;
    for (uint32_t d = 0; d < v->rank; d++)
        last += (v->sizes[d] - 1) * v->output.strides[d] * v->element_size;
    const uint64_t end = last + v->element_size;
    memset(output + end, 0, size - end < 8 ? size - end : 8);
}

static void before_the_start(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    if (v->output.offset >= 4)
        memset(output + v->output.offset - 4, 0, 4);
}

const mutant mutants_addresses[] = {
    {"outer-input-stride", "the outermost input stride is taken as packed",
     .misread = outer_input_stride},
    {"outer-output-stride", "the outermost output stride is taken as packed",
     .misread = outer_output_stride},
    {"inner-input-stride", "the innermost input stride is taken as 1",
     .misread = inner_input_stride},
    {"inner-output-stride", "the innermost output stride is taken as 1",
     .misread = inner_output_stride},
    {"middle-input-stride", "one input stride in the middle is taken as packed",
     .misread = middle_input_stride},
    {"axis-stride", "the input stride of the axis is taken as packed",
     .misread = axis_input_stride},
    {"one-stride-for-both", "the output has the input's strides", .misread = one_stride_for_both},
    {"strides-exchanged", "input and output strides are exchanged", .misread = strides_exchanged},
    {"zero-is-no-stride", "a stride of 0 is taken as none given", .misread = zero_is_no_stride},
    {"five-and-more", "dimensions before the last four are taken as packed",
     .misread = five_and_more},
    {"eight-only", "the first of eight dimensions is not stepped", .misread = eight_only},
    {"unused-stride", "the input stride of a dimension of size 1 is used",
     .misread = unused_stride},
    {"unused-output-stride", "the output stride of a dimension of size 1 is used",
     .misread = unused_output_stride},
    {"first-of-equals", "the axis is looked for by its size", .misread = first_of_equals},
    {"axis-from-the-end", "the axis is counted from the last dimension",
     .misread = axis_from_the_end},
    {"innermost-axis", "the axis is always the last dimension", .misread = innermost_axis},
    {"input-offset", "the offset of the input in its buffer is ignored", .misread = input_offset,
     .needs_offset = true},
    {"output-offset", "the offset of the output in its buffer is ignored", .misread = output_offset,
     .needs_offset = true},
    {"offset-of-the-other", "both tensors get the input's offset", .misread = offset_of_the_other,
     .needs_offset = true},
    {"sixteen-bits", "dimensions that reach beyond 2^16 elements are not stepped",
     .misread = sixteen_bits},
    {"clear-gaps", "bytes between the elements are set to 0", .spill = clear_gaps},
    {"past-the-end", "8 bytes behind the tensor are written", .spill = past_the_end},
    {"before-the-start", "4 bytes before the tensor are written", .spill = before_the_start},
    {"repetition-is-one", "an input stride of 0 is taken as 1", .misread = repetition_is_one},
    {.name = NULL}};
