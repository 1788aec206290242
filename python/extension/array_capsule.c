/* SPDX-License-Identifier: MIT */
/* Takes DLPack's capsules, and releases them. A capsule holds a tensor's description and a deleter.
 * A consumer renames the capsule when it takes the tensor, so that no other consumer takes it too;
 * from then on the consumer must call the deleter. The protocol: https://dmlc.github.io/dlpack */
#include "array_capsule.h"

/* Flags of DLPack 1.0. */
#define READ_ONLY 1u
#define IS_COPIED 2u

/* DLManagedTensorVersioned of DLPack 1.0. Headers of earlier versions do not declare it. */
struct array_versioned_tensor {
    struct {
        uint32_t major;
        uint32_t minor;
    } version;
    void *manager_context;
    void (*deleter)(struct array_versioned_tensor *self);
    uint64_t flags;
    DLTensor tensor;
};

static bool rename_capsule(PyObject *capsule, const char *name) {
    return PyCapsule_SetName(capsule, name) == 0;
}

/* The view owns the tensor before its version is checked, since the deleter is valid in any
 * version. Another major version may have moved all members after it. */
static const DLTensor *take_versioned(array_view *view, PyObject *capsule) {
    struct array_versioned_tensor *tensor = PyCapsule_GetPointer(capsule, "dltensor_versioned");
    if (!tensor || !rename_capsule(capsule, "used_dltensor_versioned"))
        return NULL;
    view->versioned = tensor;
    view->read_only = (tensor->flags & READ_ONLY) != 0;
    view->copied = (tensor->flags & IS_COPIED) != 0;
    if (tensor->version.major == 1)
        return &tensor->tensor;
    PyErr_Format(PyExc_BufferError,
                 "%s has a tensor of DLPack %u.%u, but only version 1 can be read", view->name,
                 (unsigned)tensor->version.major, (unsigned)tensor->version.minor);
    return NULL;
}

static const DLTensor *take_unversioned(array_view *view, PyObject *capsule) {
    DLManagedTensor *tensor = PyCapsule_GetPointer(capsule, "dltensor");
    if (!tensor || !rename_capsule(capsule, "used_dltensor"))
        return NULL;
    view->tensor = tensor;
    return &tensor->dl_tensor;
}

static PyObject *ask_for_version(PyObject *method) {
    PyObject *none = PyTuple_New(0);
    PyObject *version = none ? Py_BuildValue("{s:(ii)}", "max_version", 1, 0) : NULL;
    PyObject *capsule = version ? PyObject_Call(method, none, version) : NULL;
    Py_XDECREF(version);
    Py_XDECREF(none);
    return capsule;
}

/* Exporters from before DLPack 1.0 refuse the argument max_version: asks them again without it. */
static PyObject *ask(PyObject *object) {
    PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
    if (!method)
        return NULL;
    PyObject *capsule = ask_for_version(method);
    if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        capsule = PyObject_CallNoArgs(method);
    }
    Py_DECREF(method);
    return capsule;
}

const DLTensor *array_take_capsule(array_view *view, PyObject *object) {
    PyObject *capsule = ask(object);
    if (!capsule)
        return NULL;
    const DLTensor *tensor = PyCapsule_IsValid(capsule, "dltensor_versioned")
                                 ? take_versioned(view, capsule)
                                 : take_unversioned(view, capsule);
    Py_DECREF(capsule);
    return tensor;
}

/* A deleter may run Python code, which must not run while an exception is set: it is saved and
 * restored. */
void array_release_dlpack(array_view *view) {
    DLManagedTensor *tensor = view->tensor;
    struct array_versioned_tensor *versioned = view->versioned;
    PyObject *type, *value, *trace;
    view->tensor = NULL;
    view->versioned = NULL;
    PyErr_Fetch(&type, &value, &trace);
    if (tensor && tensor->deleter)
        tensor->deleter(tensor);
    if (versioned && versioned->deleter)
        versioned->deleter(versioned);
    PyErr_Restore(type, value, trace);
}
