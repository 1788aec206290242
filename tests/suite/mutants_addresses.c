/* SPDX-License-Identifier: MIT */
/* Wrong elements: strides, axes, offsets, bytes that are nobody's. */
#include <string.h>

#include "element.h"
#include "mutant.h"

/* As if packed, one dimension alone: the outermost, then the innermost but the axis. */
static uint64_t packed_stride(const layout *tensor, uint32_t d) {
    uint64_t stride = 1;
    for (uint32_t i = d + 1; i < tensor->rank; i++)
        stride *= tensor->sizes[i];
    return stride;
}

static void outer_input_stride(mutant_view *v) {
    v->input.strides[0] = packed_stride(&v->input, 0);
}

static void outer_output_stride(mutant_view *v) {
    v->output.strides[0] = packed_stride(&v->output, 0);
}

static void inner_input_stride(mutant_view *v) {
    v->input.strides[v->input.rank - 1] = 1;
}

static void inner_output_stride(mutant_view *v) {
    v->output.strides[v->output.rank - 1] = 1;
}

static void middle_input_stride(mutant_view *v) {
    uint32_t middle = v->input.rank / 2;
    v->input.strides[middle] = packed_stride(&v->input, middle);
}

static void axis_input_stride(mutant_view *v) {
    v->input.strides[v->spec.axis] = packed_stride(&v->input, v->spec.axis);
}

static void one_stride_for_both(mutant_view *v) {
    memcpy(v->output.strides, v->input.strides, sizeof v->output.strides);
}

static void strides_exchanged(mutant_view *v) {
    layout input = v->input;
    memcpy(v->input.strides, v->output.strides, sizeof input.strides);
    memcpy(v->output.strides, input.strides, sizeof input.strides);
}

static void zero_is_no_stride(mutant_view *v) {
    for (uint32_t d = 0; d < v->input.rank; d++)
        if (v->input.strides[d] == 0)
            v->input.strides[d] = packed_stride(&v->input, d);
}

static void five_and_more(mutant_view *v) {
    for (uint32_t d = 0; v->input.rank > 4 && d < v->input.rank - 4; d++) {
        v->input.strides[d] = packed_stride(&v->input, d);
        v->output.strides[d] = packed_stride(&v->output, d);
    }
}

static void eight_only(mutant_view *v) {
    if (v->input.rank == CUMSUM_MAX_DIMENSIONS)
        v->input.strides[0] = 0;
}

/* Two dimensions are taken as one where the inner one has no more than one element. */
static void unused_stride(mutant_view *v) {
    for (uint32_t d = 0; d + 1 < v->input.rank; d++)
        if (v->input.sizes[d + 1] == 1 && v->spec.input.strided)
            v->input.strides[d] = v->spec.input.strides[d + 1];
}

static void unused_output_stride(mutant_view *v) {
    for (uint32_t d = 1; d < v->output.rank; d++)
        if (v->output.sizes[d - 1] == 1 && v->spec.output.strided && v->output.sizes[d] > 1)
            v->output.strides[d] = v->spec.output.strides[d - 1];
}

/* The first dimension that is as long as the axis. */
static void first_of_equals(mutant_view *v) {
    uint32_t n = v->output.sizes[v->spec.axis];
    for (uint32_t d = v->output.rank; d-- > 0;)
        v->spec.axis = v->output.sizes[d] == n ? d : v->spec.axis;
}

static void axis_from_the_end(mutant_view *v) {
    v->spec.axis = v->output.rank - 1 - v->spec.axis;
}

static void innermost_axis(mutant_view *v) {
    v->spec.axis = v->output.rank - 1;
}

static void input_offset(mutant_view *v) {
    v->input_offset = 0;
}

static void output_offset(mutant_view *v) {
    v->output_offset = 0;
}

static void offset_of_the_other(mutant_view *v) {
    v->output_offset = v->input_offset;
}

static void sixteen_bits(mutant_view *v) {
    for (uint32_t d = 0; d < v->input.rank; d++) {
        bool far = (v->input.sizes[d] - 1) * v->input.strides[d] > UINT16_MAX;
        v->input.strides[d] = far ? 0 : v->input.strides[d];
    }
}

/* Is there an element's byte at `at`? Slow and plain. */
static bool is_element(const mutant_view *v, uint64_t at) {
    uint32_t index[CUMSUM_MAX_DIMENSIONS] = {0};
    do {
        uint64_t first = v->output_offset + layout_offset(&v->output, index);
        if (at >= first && at < first + v->output.element_size)
            return true;
    } while (layout_next(&v->output, index));
    return false;
}

static void clear_gaps(const mutant_view *v, unsigned char *output, uint64_t size) {
    for (uint64_t i = v->output_offset; i < size && v->output.count < 1000; i++)
        output[i] = is_element(v, i) ? output[i] : 0;
}

/* A vector's store at the end of the tensor. */
static void past_the_end(const mutant_view *v, unsigned char *output, uint64_t size) {
    uint64_t end = v->output_offset + v->output.extent_in_bytes;
    memset(output + end, 0, size - end < 8 ? size - end : 8);
}

static void before_the_start(const mutant_view *v, unsigned char *output, uint64_t size) {
    (void)size;
    if (v->output_offset >= 4)
        memset(output + v->output_offset - 4, 0, 4);
}

const mutant mutants_addresses[] = {
    {"outer-input-stride", "the outermost input stride is taken as packed", outer_input_stride,
     NULL, NULL},
    {"outer-output-stride", "the outermost output stride is taken as packed", outer_output_stride,
     NULL, NULL},
    {"inner-input-stride", "the innermost input stride is taken as 1", inner_input_stride, NULL,
     NULL},
    {"inner-output-stride", "the innermost output stride is taken as 1", inner_output_stride, NULL,
     NULL},
    {"middle-input-stride", "one input stride in the middle is taken as packed",
     middle_input_stride, NULL, NULL},
    {"axis-stride", "the input stride of the axis is taken as packed", axis_input_stride, NULL,
     NULL},
    {"one-stride-for-both", "the output has the input's strides", one_stride_for_both, NULL, NULL},
    {"strides-exchanged", "input and output strides are exchanged", strides_exchanged, NULL, NULL},
    {"zero-is-no-stride", "a stride of 0 is taken as none given", zero_is_no_stride, NULL, NULL},
    {"five-and-more", "dimensions before the last four are taken as packed", five_and_more, NULL,
     NULL},
    {"eight-only", "the first of eight dimensions is not stepped", eight_only, NULL, NULL},
    {"unused-stride", "the input stride of a dimension of size 1 is used", unused_stride, NULL,
     NULL},
    {"unused-output-stride", "the output stride of a dimension of size 1 is used",
     unused_output_stride, NULL, NULL},
    {"first-of-equals", "the axis is looked for by its size", first_of_equals, NULL, NULL},
    {"axis-from-the-end", "the axis is counted from the last dimension", axis_from_the_end, NULL,
     NULL},
    {"innermost-axis", "the axis is always the last dimension", innermost_axis, NULL, NULL},
    {"input-offset", "the offset of the input in its buffer is ignored", input_offset, NULL, NULL},
    {"output-offset", "the offset of the output in its buffer is ignored", output_offset, NULL,
     NULL},
    {"offset-of-the-other", "both tensors get the input's offset", offset_of_the_other, NULL, NULL},
    {"sixteen-bits", "dimensions that reach beyond 2^16 elements are not stepped", sixteen_bits,
     NULL, NULL},
    {"clear-gaps", "bytes between the elements are set to 0", NULL, NULL, clear_gaps},
    {"past-the-end", "8 bytes behind the tensor are written", NULL, NULL, past_the_end},
    {"before-the-start", "4 bytes before the tensor are written", NULL, NULL, before_the_start},
    {.name = NULL}};
