/* SPDX-License-Identifier: MIT */
/* Opens an array through DLPack: checks the device, and reads type, sizes and strides of the
 * tensor. */
#include "array_capsule.h"

static bool read_device(const array_view *view, PyObject *device, long *type) {
    PyObject *number = PyTuple_Check(device) ? PyTuple_GetItem(device, 0) : NULL;
    *type = number ? PyLong_AsLong(number) : -1;
    if (!PyErr_Occurred() && number)
        return true;
    if (!PyErr_ExceptionMatches(PyExc_MemoryError))
        PyErr_Format(PyExc_TypeError, "%s.__dlpack_device__() must return two integers",
                     view->name);
    return false;
}

/* Host memory is ordinary, or pinned for a GPU. */
static bool check_host(const array_view *view, long type) {
    if (type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost)
        return true;
    PyErr_Format(PyExc_TypeError,
                 "%s is on a device (DLPack's type %ld), and must be in the memory of the CPU",
                 view->name, type);
    return false;
}

/* What the object says before it exports its tensor: exporting from a device may take long. */
static bool object_is_on_host(const array_view *view, PyObject *object) {
    PyObject *device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
    long type;
    if (!device)
        return false;
    const bool known = read_device(view, device, &type);
    Py_DECREF(device);
    return known && check_host(view, type);
}

static bool take_sizes(array_view *view, const DLTensor *tensor) {
    if (tensor->ndim < 0 || tensor->ndim > ARRAY_MAX_DIMENSIONS) {
        PyErr_Format(PyExc_ValueError, "%s has %d dimensions, more than an array can have",
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

/* A tensor without strides is packed, row-major. DLPack counts strides in elements, a view in
 * bytes. */
static bool take_dlpack_strides(array_view *view, const DLTensor *tensor) {
    if (!tensor->strides) {
        array_pack_strides(view);
        return true;
    }
    for (int d = 0; d < view->dimensions; d++) {
        if (tensor->strides[d] < -(INT64_MAX / 8) || tensor->strides[d] > INT64_MAX / 8) {
            PyErr_Format(PyExc_ValueError, "%s has a stride that overflows in dimension %d",
                         view->name, d);
            return false;
        }
        view->strides[d] = tensor->strides[d] * view->element_size;
    }
    return true;
}

static bool take_tensor(array_view *view, const DLTensor *tensor) {
    if (!check_host(view, (long)tensor->device.device_type) ||
        !array_type_of_dlpack(view, tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes) ||
        !take_sizes(view, tensor) || !take_dlpack_strides(view, tensor))
        return false;
    view->first = (unsigned char *)tensor->data + tensor->byte_offset;
    return true;
}

bool array_open_dlpack(array_view *view, PyObject *object) {
    if (!object_is_on_host(view, object))
        return false;
    const DLTensor *tensor = array_take_capsule(view, object);
    if (tensor && take_tensor(view, tensor))
        return true;
    array_release(view);
    return false;
}
