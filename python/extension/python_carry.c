/* SPDX-License-Identifier: MIT */
/* Carries for Python: capsules, how they are made, appended, saved and loaded. */
#include "python_carry.h"

#include "python_error.h"
#include "python_functions.h"

#include <stdlib.h>

#define CAPSULE "cumsum carry"

python_carry *python_carry_of(PyObject *capsule) {
    python_carry *held = PyCapsule_GetPointer(capsule, CAPSULE);
    if (!held) {
        PyErr_Format(PyExc_TypeError, "the carry must be a cumsum.Carry, not %R",
                     (PyObject *)Py_TYPE(capsule));
        return NULL;
    }
    if (held->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "another thread computes with this carry; pieces of one line are taken "
                        "one after the other");
        return NULL;
    }
    return held;
}

static void free_carry(PyObject *capsule) {
    python_carry *held = PyCapsule_GetPointer(capsule, CAPSULE);
    cumsum_carry_destroy(held->carry);
    free(held);
}

/* Takes the carry over, also where it fails. */
static PyObject *capsule_of(cumsum_carry *carry) {
    python_carry *held = malloc(sizeof *held);
    PyObject *capsule = NULL;
    if (held) {
        *held = (python_carry){carry, false};
        capsule = PyCapsule_New(held, CAPSULE, free_carry);
    } else {
        PyErr_NoMemory();
    }
    if (!capsule) {
        cumsum_carry_destroy(carry);
        free(held);
    }
    return capsule;
}

/* A carry has no array yet: a plan of its lines, packed, with `length` elements of each. */
static bool plan_of_lines(PyObject *kind, unsigned length, cumsum_plan **plan) {
    int type, decreasing, order, accumulator, store, denormals;
    uint32_t sizes[2] = {0, length};
    if (!PyArg_ParseTuple(kind, "iIp(iiii)", &type, &sizes[0], &decreasing, &order, &accumulator,
                          &store, &denormals))
        return false;
    cumsum_buffer_tensor_desc buffer = {
        .data_type = (cumsum_data_type)type, .dimension_count = 2, .sizes = sizes};
    (void)cumsum_tensor_size(buffer.data_type, 2, sizes, NULL, &buffer.total_tensor_size_in_bytes);
    const cumsum_tensor_desc tensor = {CUMSUM_TENSOR_TYPE_BUFFER, &buffer};
    const cumsum_operator_desc op = {.input_tensor = &tensor,
                                     .output_tensor = &tensor,
                                     .axis = 1,
                                     .axis_direction = decreasing
                                                           ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                           : CUMSUM_AXIS_DIRECTION_INCREASING};
    const cumsum_plan_options options = {
        .numerics = {(cumsum_order)order, (cumsum_half_accumulator)accumulator,
                     (cumsum_half_store)store, (cumsum_denormals)denormals}};
    cumsum_diagnostic why = {0};
    return python_check(cumsum_plan_create(&op, &options, plan, &why), &why);
}

PyObject *python_carry_new(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *kind, *position;
    unsigned length;
    cumsum_plan *plan = NULL;
    if (!PyArg_ParseTuple(arguments, "OOI", &kind, &position, &length))
        return NULL;
    const bool is_total = position != Py_None;
    const unsigned long long begin = is_total ? PyLong_AsUnsignedLongLong(position) : 0;
    if (PyErr_Occurred() || !plan_of_lines(kind, length, &plan))
        return NULL;
    cumsum_carry *carry = NULL;
    cumsum_diagnostic why = {0};
    const cumsum_status status = is_total ? cumsum_carry_create_total(plan, begin, &carry, &why)
                                          : cumsum_carry_create(plan, &carry, &why);
    cumsum_plan_destroy(plan);
    return python_check(status, &why) ? capsule_of(carry) : NULL;
}

PyObject *python_carry_load(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *kind;
    const char *bytes;
    Py_ssize_t size;
    cumsum_plan *plan = NULL;
    if (!PyArg_ParseTuple(arguments, "Oy#", &kind, &bytes, &size) || !plan_of_lines(kind, 1, &plan))
        return NULL;
    cumsum_carry *carry = NULL;
    cumsum_diagnostic why = {0};
    const cumsum_status status = cumsum_carry_load(plan, bytes, (uint64_t)size, &carry, &why);
    cumsum_plan_destroy(plan);
    return python_check(status, &why) ? capsule_of(carry) : NULL;
}

PyObject *python_carry_save(PyObject *module, PyObject *capsule) {
    (void)module;
    const python_carry *held = python_carry_of(capsule);
    if (!held)
        return NULL;
    const uint64_t size = cumsum_carry_size(held->carry);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    cumsum_diagnostic why = {0};
    if (bytes &&
        !python_check(cumsum_carry_save(held->carry, PyBytes_AsString(bytes), size, &why), &why))
        Py_CLEAR(bytes);
    return bytes;
}

PyObject *python_carry_append(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *to, *from;
    if (!PyArg_ParseTuple(arguments, "OO", &to, &from))
        return NULL;
    const python_carry *carry = python_carry_of(to);
    const python_carry *total = carry ? python_carry_of(from) : NULL;
    cumsum_diagnostic why = {0};
    if (!total || !python_check(cumsum_carry_append(carry->carry, total->carry, &why), &why))
        return NULL;
    Py_RETURN_NONE;
}

PyObject *python_carry_extent(PyObject *module, PyObject *capsule) {
    (void)module;
    const python_carry *held = python_carry_of(capsule);
    if (!held)
        return NULL;
    return Py_BuildValue("(KKK)", (unsigned long long)cumsum_carry_begin(held->carry),
                         (unsigned long long)cumsum_carry_end(held->carry),
                         (unsigned long long)cumsum_carry_size(held->carry));
}
