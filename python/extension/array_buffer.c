/* SPDX-License-Identifier: MIT */
/* Opens an array through Python's buffer protocol: type, sizes and strides come from a Py_buffer.
 */
#include "array_view.h"

/* An exporter raises its own error for a type without a format, such as NumPy's datetime64. Turns
 * it into the TypeError that all types get which are not taken. */
static bool refuse_format(const array_view *view) {
    if (!PyErr_ExceptionMatches(PyExc_ValueError) && !PyErr_ExceptionMatches(PyExc_BufferError))
        return false;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(PyExc_TypeError, "%s cannot be read (%S); %s", view->name, value ? value : type,
                 view->taker == ARRAY_FOR_ORACLE ? ARRAY_JUDGED_TYPES : ARRAY_TYPES);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    return false;
}

/* Arrays of ctypes have no strides, although the request asks for them: they are packed. Call this
 * after the type is known, because packed strides need the size of an element. */
static void take_buffer_strides(array_view *view) {
    const Py_buffer *buffer = &view->buffer;
    if (!buffer->strides)
        array_pack_strides(view);
    for (int d = 0; buffer->strides && d < buffer->ndim; d++)
        view->strides[d] = buffer->strides[d];
}

static bool take_layout(array_view *view) {
    const Py_buffer *buffer = &view->buffer;
    if (buffer->ndim > ARRAY_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, more than an array can have",
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
    take_buffer_strides(view);
    return true;
}

bool array_open_buffer(array_view *view, PyObject *object) {
    if (PyObject_GetBuffer(object, &view->buffer, PyBUF_RECORDS_RO) != 0)
        return refuse_format(view);
    if (take_layout(view))
        return true;
    array_release(view);
    return false;
}
