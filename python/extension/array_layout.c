/* SPDX-License-Identifier: MIT */
/* Turns two arrays into an operator's descriptor, whose strides are not negative and which has at
 * most eight dimensions. */
#include "array_layout.h"

#include "array_merge.h"
#include "array_pack.h"

static void reverse_dimension(array_view *view, int d) {
    view->first += view->strides[d] * (view->sizes[d] - 1);
    view->strides[d] = -view->strides[d];
}

/* Makes the output's strides non-negative. A dimension that is reversed in both arrays leaves the
 * sum as it is; if it is the axis, the direction changes. */
static void reverse_negative_strides(array_sum *sum) {
    for (int d = 0; d < sum->output.dimensions; d++) {
        if (sum->output.strides[d] >= 0 || sum->output.sizes[d] == 1)
            continue;
        reverse_dimension(&sum->input, d);
        reverse_dimension(&sum->output, d);
        if (d == sum->axis)
            sum->decreasing = !sum->decreasing;
    }
}

/* Whether a descriptor can have this layout: aligned, strides that are whole elements and not
 * negative, and an extent of at most UINT32_MAX elements. */
static bool describable(const array_view *view) {
    const int64_t size = view->element_size;
    int64_t extent = 1;
    for (int d = 0; d < view->dimensions; d++) {
        if (view->sizes[d] == 1)
            continue;
        if (view->strides[d] < 0 || view->strides[d] % size)
            return false;
        extent += view->strides[d] / size * (view->sizes[d] - 1);
    }
    return (uintptr_t)view->first % (uintptr_t)size == 0 && extent <= (int64_t)UINT32_MAX;
}

static bool runs_backwards(const array_view *view) {
    for (int d = 0; d < view->dimensions; d++)
        if (view->strides[d] < 0 && view->sizes[d] != 1)
            return true;
    return false;
}

static bool refuse_layout(const array_view *view, const char *what) {
    PyErr_Format(PyExc_ValueError, "%s %s", view->name, what);
    return false;
}

static bool copy_input(array_sum *sum, bool apart) {
    return apart ? array_pack(&sum->input)
                 : refuse_layout(&sum->output,
                                 "overlaps x, but its elements are not in the same places");
}

static bool make_describable(array_sum *sum, bool apart) {
    if (!sum->in_pieces)
        reverse_negative_strides(sum);
    else if (runs_backwards(&sum->output))
        return refuse_layout(&sum->output,
                             "runs backwards in a dimension, which a carry does not allow");
    if (!describable(&sum->output))
        return refuse_layout(&sum->output,
                             "has a layout that a descriptor cannot have: its elements must be "
                             "aligned, whole elements apart, and the last at most 4294967294 "
                             "elements from the first");
    return describable(&sum->input) || copy_input(sum, apart);
}

static bool make_few_dimensions(array_sum *sum, bool apart) {
    if (sum->input.dimensions <= CUMSUM_MAX_DIMENSIONS)
        return true;
    array_merge(sum);
    if (sum->input.dimensions > CUMSUM_MAX_DIMENSIONS && !sum->input.copy) {
        if (!copy_input(sum, apart))
            return false;
        array_merge(sum);
    }
    return sum->input.dimensions <= CUMSUM_MAX_DIMENSIONS ||
           refuse_layout(&sum->output,
                         "has more than 8 dimensions, and its strides do not let them be merged");
}

static void describe_tensor(const array_view *view, uint32_t *strides, const uint32_t *sizes,
                            cumsum_buffer_tensor_desc *buffer) {
    for (int d = 0; d < view->dimensions; d++)
        strides[d] = view->sizes[d] == 1 ? 0 : (uint32_t)(view->strides[d] / view->element_size);
    *buffer = (cumsum_buffer_tensor_desc){.data_type = view->type,
                                          .dimension_count = (uint32_t)view->dimensions,
                                          .sizes = sizes,
                                          .strides = strides};
    (void)cumsum_tensor_size(view->type, buffer->dimension_count, sizes, strides,
                             &buffer->total_tensor_size_in_bytes);
}

static bool describe_sizes(const array_view *view, uint32_t *sizes) {
    for (int d = 0; d < view->dimensions; d++) {
        if (view->sizes[d] > (int64_t)UINT32_MAX)
            return refuse_layout(view, "has a dimension of more than 4294967295 elements");
        sizes[d] = (uint32_t)view->sizes[d];
    }
    return true;
}

bool array_describe_alone(array_view *view, uint32_t sizes[CUMSUM_MAX_DIMENSIONS],
                          uint32_t strides[CUMSUM_MAX_DIMENSIONS],
                          cumsum_buffer_tensor_desc *buffer) {
    if (view->dimensions == 0) {
        view->dimensions = 1;
        view->sizes[0] = 1;
        array_pack_strides(view);
    }
    if (view->dimensions > CUMSUM_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, and the oracle takes at most %d",
                     view->name, view->dimensions, CUMSUM_MAX_DIMENSIONS);
        return false;
    }
    const bool is_empty = array_count(view) == 0;
    for (int d = 0; is_empty && d < view->dimensions; d++)
        view->strides[d] = 0;
    if ((!is_empty && !describable(view) && !array_pack(view)) || !describe_sizes(view, sizes))
        return false;
    describe_tensor(view, strides, sizes, buffer);
    return true;
}

bool array_describe(array_sum *sum, bool apart, array_descriptor *descriptor) {
    if (!make_describable(sum, apart) || !make_few_dimensions(sum, apart) ||
        !describe_sizes(&sum->input, descriptor->sizes))
        return false;
    const array_view *const views[] = {&sum->input, &sum->output};
    for (int operand = 0; operand < 2; operand++) {
        cumsum_buffer_tensor_desc *buffer = &descriptor->buffers[operand];
        describe_tensor(views[operand], descriptor->strides[operand], descriptor->sizes, buffer);
        descriptor->tensors[operand] = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, buffer};
    }
    descriptor->op =
        (cumsum_operator_desc){.input_tensor = &descriptor->tensors[0],
                               .output_tensor = &descriptor->tensors[1],
                               .axis = (uint32_t)sum->axis,
                               .axis_direction = sum->decreasing ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                                 : CUMSUM_AXIS_DIRECTION_INCREASING,
                               .has_exclusive_sum = sum->exclusive};
    return true;
}
