/* SPDX-License-Identifier: MIT */
/* Opens an array argument: chooses the buffer protocol or DLPack, and checks that the addresses of
 * all elements can be computed without overflow. */
#include "array_view.h"

static bool refuse_object(PyObject *object, const char *name) {
    const bool is_list = PyList_Check(object) || PyTuple_Check(object);
    PyErr_Format(PyExc_TypeError,
                 "%s must be an array of NumPy, PyTorch or another library, or an object with the "
                 "buffer protocol, not %R%s",
                 name, (PyObject *)Py_TYPE(object),
                 is_list ? "; numpy.asarray() makes one of a list" : "");
    return false;
}

/* a * b for b >= 0, if it is at most INT64_MAX / 2; -1 otherwise, or if a is negative. */
static int64_t product(int64_t a, int64_t b) {
    if (a < 0 || (a > 0 && b > INT64_MAX / 2 / a))
        return -1;
    return a * b;
}

/* Measures how far the elements reach from the first one. After it succeeded, additions of offsets
 * cannot overflow, so that other code need not check them. */
static bool measure(array_view *view) {
    view->below = 0;
    view->above = array_count(view) ? view->element_size : 0;
    for (int d = 0; d < view->dimensions && view->above; d++) {
        if (view->sizes[d] == 1)
            view->strides[d] = 0; /* the exporter may say anything: it is not used */
        const bool backwards = view->strides[d] < 0;
        const int64_t step = backwards ? -(view->strides[d] + 1) + 1 : view->strides[d];
        const int64_t reach = product(step, view->sizes[d] - 1);
        if (reach < 0 || reach > INT64_MAX / 2 - view->below - view->above)
            return false;
        *(backwards ? &view->below : &view->above) += reach;
    }
    return true;
}

/* Whether the object has the attribute. False with an exception set if the lookup fails for another
 * reason, such as lack of memory. PyObject_HasAttrString would hide that failure. */
static bool has(PyObject *object, const char *name) {
    PyObject *method = PyObject_GetAttrString(object, name);
    if (!method && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Clear();
    Py_XDECREF(method);
    return method != NULL;
}

static bool open_by_protocol(array_view *view, PyObject *object) {
    if (PyObject_CheckBuffer(object))
        return array_open_buffer(view, object);
    if (has(object, "__dlpack__") && has(object, "__dlpack_device__"))
        return array_open_dlpack(view, object);
    return !PyErr_Occurred() && refuse_object(object, view->name);
}

bool array_open(array_view *view, PyObject *object, const char *name, array_taker taker) {
    *view = (array_view){.name = name, .taker = taker};
    if (!open_by_protocol(view, object))
        return false;
    const bool measured = array_count(view) >= 0 && measure(view);
    if (measured && (view->first || !view->above))
        return true;
    PyErr_Format(PyExc_ValueError,
                 measured ? "%s has elements, but its address is null"
                          : "%s reaches past the end of the address space",
                 name);
    array_release(view);
    return false;
}
