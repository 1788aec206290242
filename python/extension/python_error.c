/* SPDX-License-Identifier: MIT */
/* Turns the library's statuses into Python's exceptions. */
#include "python_error.h"

#include <string.h>

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

/* The library's message with the names that Python's functions give to the arrays. */
static void name_arrays(const char *message, char *named, size_t size) {
    static const struct {
        const char *there, *here;
    } names[] = {{"InputTensor", "x"}, {"OutputTensor", "out"}};
    size_t used = 0;
    while (*message && used + 1 < size) {
        const char *here = NULL;
        for (int i = 0; i < 2 && !here; i++) {
            const size_t length = strlen(names[i].there);
            if (strncmp(message, names[i].there, length) != 0)
                continue;
            here = names[i].here;
            message += length;
        }
        if (!here)
            named[used++] = *message++;
        for (; here && *here && used + 1 < size; here++)
            named[used++] = *here;
    }
    named[used] = 0;
}

static bool shares_memory(const cumsum_diagnostic *why) {
    return strcmp(why->tensor, "OutputTensor") == 0 && strcmp(why->field, "Strides") == 0;
}

bool python_check(cumsum_status status, const cumsum_diagnostic *diagnostic) {
    if (status == CUMSUM_OK)
        return true;
    const bool explained = diagnostic->status == status && diagnostic->message[0];
    char message[sizeof diagnostic->message];
    if (explained)
        name_arrays(diagnostic->message, message, sizeof message);
    if (explained && shares_memory(diagnostic))
        PyErr_SetString(exception_of(status), "out has elements that share memory, in which sums "
                                              "would overwrite each other");
    else
        PyErr_SetString(exception_of(status), explained ? message : cumsum_status_string(status));
    return false;
}
