/* SPDX-License-Identifier: MIT */
/* DLPack: a tensor library hands out a capsule that holds a description of the memory and a
 * function that lets go of it. Who takes the description renames the capsule, so that nobody takes
 * it twice. */
#include "array_view.h"

#include <dlpack/dlpack.h>

/* Only memory that the processor reads and writes like its own. */
static bool device_is_host(const array_view *view, PyObject *object) {
    PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    int type, id;
    if (!device)
        return false;
    const bool is_tuple = PyTuple_Check(device);
    const bool parsed = is_tuple && PyArg_ParseTuple(device, "ii", &type, &id);
    Py_DECREF(device);
    if (!is_tuple)
        PyErr_Format(PyExc_TypeError, "%s.__dlpack_device__() must answer with a tuple",
                     view->name);
    if (!parsed)
        return false;
    if (type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost)
        return true;
    PyErr_Format(PyExc_TypeError,
                 "%s lies on a device (DLPack's type %d), and must lie in the memory of the CPU",
                 view->name, type);
    return false;
}

static bool take_sizes(array_view *view, const DLTensor *tensor) {
    if (tensor->ndim < 0 || tensor->ndim > ARRAY_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, more than any array may have",
                     view->name, (int)tensor->ndim);
        return false;
    }
    view->dimensions = tensor->ndim;
    for (int d = 0; d < view->dimensions; d++) {
        view->sizes[d] = tensor->shape[d];
        if (view->sizes[d] >= 0)
            continue;
        PyErr_Format(PyExc_ValueError, "%s has a negative size in dimension %d", view->name, d);
        return false;
    }
    return true;
}

/* Without strides the elements are packed, row-major. */
static bool take_strides(array_view *view, const DLTensor *tensor) {
    if (!tensor->strides) {
        array_pack_strides(view);
        return true;
    }
    for (int d = 0; d < view->dimensions; d++) {
        if (tensor->strides[d] < -(INT64_MAX / 8) || tensor->strides[d] > INT64_MAX / 8) {
            PyErr_Format(PyExc_ValueError, "%s has a stride out of all bounds in dimension %d",
                         view->name, d);
            return false;
        }
        view->strides[d] = tensor->strides[d] * view->element_size;
    }
    return true;
}

static bool take_tensor(array_view *view, PyObject *capsule) {
    view->tensor = PyCapsule_GetPointer(capsule, "dltensor");
    if (!view->tensor || PyCapsule_SetName(capsule, "used_dltensor") != 0) {
        view->tensor = NULL;
        return false;
    }
    const DLTensor *tensor = &view->tensor->dl_tensor;
    if (!array_type_of_dlpack(view, tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes) ||
        !take_sizes(view, tensor) || !take_strides(view, tensor))
        return false;
    view->first = (unsigned char *)tensor->data + tensor->byte_offset;
    return true;
}

bool array_open_dlpack(array_view *view, PyObject *object) {
    if (!device_is_host(view, object))
        return false;
    PyObject *capsule = PyObject_CallMethod(object, "__dlpack__", NULL);
    if (!capsule)
        return false;
    const bool taken = take_tensor(view, capsule);
    Py_DECREF(capsule);
    if (!taken)
        array_release(view);
    return taken;
}

/* A deleter may be Python code, which must not run while an exception is on its way. */
void array_release_dlpack(array_view *view) {
    struct DLManagedTensor *tensor = view->tensor;
    PyObject *type, *value, *trace;
    view->tensor = NULL;
    if (!tensor || !tensor->deleter)
        return;
    PyErr_Fetch(&type, &value, &trace);
    tensor->deleter(tensor);
    PyErr_Restore(type, value, trace);
}
