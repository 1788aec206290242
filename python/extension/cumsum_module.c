/* SPDX-License-Identifier: MIT */
/* The extension module _cumsum: its table of functions, and those that are too small for a file of
 * their own, type_of, kernel_available and sum_order_name. */
#include "python_functions.h"

#include "array_view.h"
#include "order_tools.h"

static PyObject *sizes_of(const array_view *view) {
    PyObject *tuple = PyTuple_New(view->dimensions);
    for (int d = 0; tuple && d < view->dimensions; d++) {
        PyObject *size = PyLong_FromLongLong(view->sizes[d]);
        if (!size || PyTuple_SetItem(tuple, d, size) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Results are packed, and a descriptor cannot describe so many packed elements. Refuses x before a
 * result is allocated, so that the message names x. */
static bool check_count(const array_view *view) {
    const int64_t count = array_count(view);
    if (count <= (int64_t)UINT32_MAX)
        return true;
    PyErr_Format(
        PyExc_ValueError,
        "%s has %lld elements, but a descriptor covers at most 4294967295; a Carry sums it in "
        "pieces",
        view->name, (long long)count);
    return false;
}

PyObject *python_type_of(PyObject *module, PyObject *arguments) {
    (void)module;
    array_view view;
    PyObject *x;
    int judged = 0;
    const char *name = "x";
    if (!PyArg_ParseTuple(arguments, "O|ps", &x, &judged, &name) ||
        !array_open(&view, x, name, judged ? ARRAY_FOR_ORACLE : ARRAY_FOR_OPERATOR))
        return NULL;
    PyObject *answer = NULL;
    if (check_count(&view))
        answer = Py_BuildValue("(sN)", cumsum_data_type_name(view.type), sizes_of(&view));
    array_release(&view);
    return answer;
}

static PyObject *kernel_available(PyObject *module, PyObject *number) {
    (void)module;
    const long kernel = PyLong_AsLong(number);
    if (kernel == -1 && PyErr_Occurred())
        return NULL;
    return PyBool_FromLong(cumsum_kernel_available((cumsum_kernel)kernel, NULL));
}

/* sum_order_name(sums) -> the name of a tree of additions, or None. sums: the array that
 * cumsum_sum_order_find takes, as an object with the buffer protocol. */
static PyObject *sum_order_name(PyObject *module, PyObject *arguments) {
    (void)module;
    Py_buffer sums;
    cumsum_sum_order order;
    char name[CUMSUM_ORDER_TEXT];
    if (!PyArg_ParseTuple(arguments, "y*", &sums))
        return NULL;
    const uint32_t terms = (uint32_t)(sums.len / (Py_ssize_t)(2 * sizeof(uint32_t))) + 1;
    double *scratch = PyMem_Malloc((size_t)terms * CUMSUM_SUM_ORDER_SCRATCH * sizeof *scratch);
    const bool found = scratch && cumsum_sum_order_find(terms, sums.buf, scratch, &order);
    const bool memory = scratch != NULL;
    PyMem_Free(scratch);
    PyBuffer_Release(&sums);
    if (!memory)
        return PyErr_NoMemory();
    if (!found)
        Py_RETURN_NONE;
    cumsum_sum_order_write(&order, name);
    return PyUnicode_FromString(name);
}

static PyMethodDef methods[] = {{"scan", python_scan, METH_VARARGS, NULL},
                                {"carry_new", python_carry_new, METH_VARARGS, NULL},
                                {"carry_load", python_carry_load, METH_VARARGS, NULL},
                                {"carry_save", python_carry_save, METH_O, NULL},
                                {"carry_append", python_carry_append, METH_VARARGS, NULL},
                                {"carry_extent", python_carry_extent, METH_O, NULL},
                                {"judge", python_judge, METH_VARARGS, NULL},
                                {"judging_new", python_judging_new, METH_O, NULL},
                                {"judging_feed", python_judging_feed, METH_VARARGS, NULL},
                                {"judging_end", python_judging_end, METH_O, NULL},
                                {"judge_sum", python_judge_sum, METH_VARARGS, NULL},
                                {"validate", python_validate, METH_VARARGS, NULL},
                                {"type_of", python_type_of, METH_VARARGS, NULL},
                                {"kernel_available", kernel_available, METH_O, NULL},
                                {"sum_order_name", sum_order_name, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static int fill_module(PyObject *module) {
    return PyModule_AddStringConstant(module, "version", cumsum_version());
}

/* From CPython 3.12 on a module says whether it works in subinterpreters that have a lock of their
 * own. This one does, since it keeps no state. Headers of 3.11 do not have the slot, and
 * CPython 3.11 refuses it. */
#define SLOT_INTERPRETERS   3           /* Py_mod_multiple_interpreters */
#define LOCK_OF_ITS_OWN     ((void *)2) /* Py_MOD_PER_INTERPRETER_GIL_SUPPORTED */
#define FIRST_WITH_THE_SLOT 0x030C0000  /* 3.12 */

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill_module}, {0, NULL}, {0, NULL}};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_cumsum", .m_methods = methods, .m_slots = slots};

PyMODINIT_FUNC PyInit__cumsum(void);

PyMODINIT_FUNC PyInit__cumsum(void) {
    if (Py_Version >= FIRST_WITH_THE_SLOT)
        slots[1] = (PyModuleDef_Slot){SLOT_INTERPRETERS, LOCK_OF_ITS_OWN};
    return PyModuleDef_Init(&definition);
}
