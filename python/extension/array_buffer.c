/* SPDX-License-Identifier: MIT */
#include "array_view.h"

/* An array of a type that has no format (NumPy's datetime64, say) answers with an error of its own;
 * what matters to the caller is that the type is not one of ours. */
static bool refuse(const array_view *view) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError) && !PyErr_ExceptionMatches(PyExc_BufferError))
        return false;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(PyExc_TypeError, "%s cannot be read (%S); the operator takes " ARRAY_TYPES,
                 view->name, value ? value : type);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return false;
}

/* ctypes gives no strides, whatever was asked for: packed. They come after the type, which says how
 * large an element is. */
static void take_strides(array_view *view) {
    const Py_buffer *buffer = &view->buffer;
    if (!buffer->strides)
        array_pack_strides(view);
    for (int d = 0; buffer->strides && d < buffer->ndim; d++)
        view->strides[d] = buffer->strides[d];
}

static bool take_layout(array_view *view) {
    const Py_buffer *buffer = &view->buffer;
    if (buffer->ndim > ARRAY_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, more than any array may have",
                     view->name, buffer->ndim);
        return false;
    }
    view->first = buffer->buf;
    view->read_only = buffer->readonly != 0;
    view->dimensions = buffer->ndim;
    for (int d = 0; d < buffer->ndim; d++)
        view->sizes[d] = buffer->shape[d];
    if (!array_type_of_format(view, buffer->format, buffer->itemsize))
        return false;
    take_strides(view);
    return true;
}

bool array_open_buffer(array_view *view, PyObject *object) {
    if (PyObject_GetBuffer(object, &view->buffer, PyBUF_RECORDS_RO) != 0)
        return refuse(view);
    if (take_layout(view))
        return true;
    array_release(view);
    return false;
}
