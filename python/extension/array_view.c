/* SPDX-License-Identifier: MIT */
#include "array_view.h"

#include <stdlib.h>

static bool refuse(PyObject *object, const char *name) {
    PyErr_Format(PyExc_TypeError,
                 "%s must be an array: an object with the buffer protocol or with __dlpack__, as "
                 "NumPy and PyTorch have them, not %R",
                 name, (PyObject *)Py_TYPE(object));
    return false;
}

/* a * b for b >= 0, where it is at most half of what a pointer reaches; -1 otherwise. */
static int64_t product(int64_t a, int64_t b) {
    if (a < 0 || (a > 0 && b > INT64_MAX / 2 / a))
        return -1;
    return a * b;
}

/* How far the elements reach from the first one. All that follows may then add without looking. */
static bool measure(array_view *view) {
    view->below = 0;
    view->above = array_count(view) ? view->element_size : 0;
    for (int d = 0; d < view->dimensions && view->above; d++) {
        if (view->sizes[d] == 1)
            view->strides[d] = 0; /* never used, and then anything */
        const bool backwards = view->strides[d] < 0;
        const int64_t step = backwards ? -(view->strides[d] + 1) + 1 : view->strides[d];
        const int64_t reach = product(step, view->sizes[d] - 1);
        if (reach < 0 || reach > INT64_MAX / 2 - view->below - view->above)
            return false;
        *(backwards ? &view->below : &view->above) += reach;
    }
    return true;
}

/* False with an exception set where that cannot be found out: PyObject_HasAttrString would say that
 * what there is no memory for is not there. */
static bool has(PyObject *object, const char *name) {
    PyObject *method = PyObject_GetAttrString(object, name);
    if (!method && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    Py_XDECREF(method);
    return method != NULL;
}

static bool open_somehow(array_view *view, PyObject *object) {
    if (PyObject_CheckBuffer(object))
        return array_open_buffer(view, object);
    if (has(object, "__dlpack__") && has(object, "__dlpack_device__"))
        return array_open_dlpack(view, object);
    return !PyErr_Occurred() && refuse(object, view->name);
}

bool array_open(array_view *view, PyObject *object, const char *name) {
    *view = (array_view){.name = name};
    if (!open_somehow(view, object))
        return false;
    const bool measured = array_count(view) >= 0 && measure(view);
    if (measured && (view->first || !view->above))
        return true;
    PyErr_Format(PyExc_ValueError,
                 measured ? "%s has elements and no memory"
                          : "%s reaches past the end of the address space",
                 name);
    array_release(view);
    return false;
}

void array_release(array_view *view) {
    if (view->buffer.obj)
        PyBuffer_Release(&view->buffer);
    array_release_dlpack(view);
    free(view->copy);
    *view = (array_view){.name = view->name};
}

int64_t array_count(const array_view *view) {
    int64_t count = 1;
    bool too_many = false;
    for (int d = 0; d < view->dimensions; d++) {
        if (view->sizes[d] == 0)
            return 0;
        too_many = too_many || count > INT64_MAX / view->element_size / view->sizes[d];
        count = too_many ? 1 : count * view->sizes[d];
    }
    return too_many ? -1 : count;
}
