/* SPDX-License-Identifier: MIT */
/* Turns the library's statuses into Python's exceptions. */
#include "python_error.h"

static PyObject *exception_of(cumsum_status status) {
    switch (status) {
    case CUMSUM_INVALID_ARGUMENT:
    case CUMSUM_INVALID_DESCRIPTOR:
    case CUMSUM_INVALID_BINDING:
        return PyExc_ValueError;
    case CUMSUM_OUT_OF_MEMORY:
        return PyExc_MemoryError;
    case CUMSUM_UNSUPPORTED:
        return PyExc_NotImplementedError;
    default:
        return PyExc_RuntimeError;
    }
}

bool python_check(cumsum_status status, const cumsum_diagnostic *diagnostic) {
    if (status == CUMSUM_OK)
        return true;
    const bool explained = diagnostic->status == status && diagnostic->message[0];
    PyErr_SetString(exception_of(status),
                    explained ? diagnostic->message : cumsum_status_string(status));
    return false;
}
