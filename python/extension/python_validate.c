/* SPDX-License-Identifier: MIT */
/* _cumsum.validate: builds a descriptor from Python's values, valid or not, and checks it by the
 * library's rules. */
#include "python_functions.h"

#include "python_error.h"

#include <string.h>

/* The most sizes or strides that a list may have. It is larger than any valid DimensionCount, so
 * that lists that are too long reach the library's rules. */
#define MAX_NUMBERS 64

typedef struct validated_tensor {
    cumsum_tensor_desc tensor;
    cumsum_buffer_tensor_desc buffer;
    uint32_t sizes[MAX_NUMBERS];
    uint32_t strides[MAX_NUMBERS];
} validated_tensor;

/* Reads a list of uint32 numbers. None becomes a null pointer. */
static bool read_numbers(PyObject *object, uint32_t *numbers, const uint32_t **used) {
    *used = NULL;
    if (object == Py_None)
        return true;
    const Py_ssize_t count = PySequence_Size(object);
    if (count > MAX_NUMBERS)
        PyErr_Format(PyExc_ValueError, "%zd sizes or strides, but at most %d are allowed", count,
                     MAX_NUMBERS);
    if (count < 0 || count > MAX_NUMBERS)
        return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        const unsigned long long number = item ? PyLong_AsUnsignedLongLong(item) : 0;
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return false;
        numbers[i] = (uint32_t)number;
    }
    *used = numbers;
    return true;
}

/* Reads the total size. None becomes the size that the layout needs, or 0 if it cannot be computed;
 * a rule then reports that. */
static bool read_total(PyObject *object, cumsum_buffer_tensor_desc *b) {
    uint64_t *total = &b->total_tensor_size_in_bytes;
    if (object == Py_None) {
        if (!b->sizes || cumsum_tensor_size(b->data_type, b->dimension_count, b->sizes, b->strides,
                                            total) != CUMSUM_OK)
            *total = 0;
        return true;
    }
    *total = PyLong_AsUnsignedLongLong(object);
    return !PyErr_Occurred();
}

static bool read_tensor(PyObject *object, validated_tensor *t, const cumsum_tensor_desc **used) {
    int type, data_type, flags;
    PyObject *sizes, *strides, *total;
    *used = NULL;
    if (object == Py_None)
        return true;
    if (!PyArg_ParseTuple(object, "iiiIOOOI", &type, &data_type, &flags, &t->buffer.dimension_count,
                          &sizes, &strides, &total, &t->buffer.guaranteed_base_offset_alignment))
        return false;
    t->buffer.data_type = (cumsum_data_type)data_type;
    t->buffer.flags = (cumsum_tensor_flags)flags;
    t->tensor = (cumsum_tensor_desc){(cumsum_tensor_type)type, &t->buffer};
    *used = &t->tensor;
    return read_numbers(sizes, t->sizes, &t->buffer.sizes) &&
           read_numbers(strides, t->strides, &t->buffer.strides) && read_total(total, &t->buffer);
}

static PyObject *diagnostic_dict(const cumsum_diagnostic *d) {
    return Py_BuildValue("{s:s,s:s,s:i,s:K,s:K,s:s,s:s}", "tensor", d->tensor, "field", d->field,
                         "dimension", (int)d->dimension, "value", (unsigned long long)d->value,
                         "limit", (unsigned long long)d->limit, "rule", d->rule, "message",
                         d->message);
}

PyObject *python_validate(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *input, *output;
    validated_tensor tensors[2];
    cumsum_operator_desc desc = {0};
    int direction, exclusive, level;
    memset(tensors, 0, sizeof tensors);
    if (!PyArg_ParseTuple(arguments, "OOIiii", &input, &output, &desc.axis, &direction, &exclusive,
                          &level) ||
        !read_tensor(input, &tensors[0], &desc.input_tensor) ||
        !read_tensor(output, &tensors[1], &desc.output_tensor))
        return NULL;
    desc.axis_direction = (cumsum_axis_direction)direction;
    desc.has_exclusive_sum = exclusive;
    cumsum_diagnostic why = {0};
    const cumsum_status status = cumsum_validate(&desc, (cumsum_feature_level)level, &why);
    if (status == CUMSUM_INVALID_DESCRIPTOR)
        return diagnostic_dict(&why);
    if (!python_check(status, &why))
        return NULL;
    Py_RETURN_NONE;
}
