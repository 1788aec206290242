/* SPDX-License-Identifier: MIT */
/* Checks that two arrays and an axis fit together, and whether the arrays' memory overlaps. */
#include "array_layout.h"

static bool check_types(const array_view *x, const array_view *y) {
    if (x->type == y->type)
        return true;
    PyErr_Format(PyExc_TypeError, "%s has type %s, but %s has type %s", y->name,
                 array_type_name(y->type), x->name, array_type_name(x->type));
    return false;
}

static bool check_sizes(const array_view *x, const array_view *y) {
    if (x->dimensions != y->dimensions) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, but %s has %d", y->name,
                     y->dimensions, x->name, x->dimensions);
        return false;
    }
    for (int d = 0; d < x->dimensions; d++) {
        if (x->sizes[d] == y->sizes[d])
            continue;
        PyErr_Format(PyExc_ValueError, "%s has %lld elements in dimension %d, but %s has %lld",
                     y->name, (long long)y->sizes[d], d, x->name, (long long)x->sizes[d]);
        return false;
    }
    return true;
}

static bool check_axis(array_sum *sum, int axis) {
    const int dimensions = sum->input.dimensions;
    if (!dimensions) {
        PyErr_Format(PyExc_ValueError,
                     "%s has no dimensions, so there is no axis to sum along; the operator takes "
                     "1 dimension or more",
                     sum->input.name);
        return false;
    }
    sum->axis = axis < 0 ? axis + dimensions : axis;
    if (sum->axis >= 0 && sum->axis < dimensions)
        return true;
    PyErr_Format(PyExc_ValueError, "axis %d is out of bounds for an array of dimension %d", axis,
                 dimensions);
    return false;
}

bool array_sum_check(array_sum *sum, int axis) {
    return check_types(&sum->input, &sum->output) && check_sizes(&sum->input, &sum->output) &&
           check_axis(sum, axis);
}

bool array_apart(const array_sum *sum) {
    const array_view *x = &sum->input, *y = &sum->output;
    const uintptr_t x_at = (uintptr_t)x->first, y_at = (uintptr_t)y->first;
    return x_at + (uintptr_t)x->above <= y_at - (uintptr_t)y->below ||
           y_at + (uintptr_t)y->above <= x_at - (uintptr_t)x->below;
}

bool array_same_places(const array_sum *sum) {
    const array_view *x = &sum->input, *y = &sum->output;
    bool same = x->first == y->first;
    for (int d = 0; d < x->dimensions; d++)
        same = same && (x->sizes[d] == 1 || x->strides[d] == y->strides[d]);
    return same;
}
