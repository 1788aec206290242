/* SPDX-License-Identifier: MIT */
/* Judgements in pieces for Python: capsules, and what is done with them. */
#include "python_error.h"
#include "python_functions.h"

#include <cumsum/judging.h>

#include <stdlib.h>

#define CAPSULE "cumsum judging"

typedef struct python_judging {
    cumsum_judging *judging;
    cumsum_data_type type;
    uint32_t outer;
    uint32_t inner;
    bool decreasing;
    bool exclusive;
    bool busy; /* a thread judges a piece without the interpreter's lock */
} python_judging;

/* The descriptor of a piece, and what it points to. It must not be copied. */
typedef struct piece_desc {
    uint32_t sizes[3];
    cumsum_buffer_tensor_desc buffer;
    cumsum_tensor_desc tensor;
    cumsum_operator_desc op;
} piece_desc;

static bool describe(piece_desc *p, const python_judging *held, uint32_t count,
                     cumsum_diagnostic *why) {
    *p = (piece_desc){.sizes = {held->outer, count, held->inner},
                      .buffer = {.data_type = held->type, .dimension_count = 3}};
    p->buffer.sizes = p->sizes;
    p->tensor = (cumsum_tensor_desc){CUMSUM_TENSOR_TYPE_BUFFER, &p->buffer};
    p->op = (cumsum_operator_desc){.input_tensor = &p->tensor,
                                   .output_tensor = &p->tensor,
                                   .axis = 1,
                                   .axis_direction = held->decreasing
                                                         ? CUMSUM_AXIS_DIRECTION_DECREASING
                                                         : CUMSUM_AXIS_DIRECTION_INCREASING,
                                   .has_exclusive_sum = held->exclusive};
    return python_check(
        cumsum_tensor_size(held->type, 3, p->sizes, NULL, &p->buffer.total_tensor_size_in_bytes),
        why);
}

static python_judging *judging_of(PyObject *capsule) {
    python_judging *held = PyCapsule_GetPointer(capsule, CAPSULE);
    if (held && held->busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread judges with this judgement");
        return NULL;
    }
    return held;
}

static void free_judging(PyObject *capsule) {
    python_judging *held = PyCapsule_GetPointer(capsule, CAPSULE);
    cumsum_judging_destroy(held->judging);
    free(held);
}

/* Reads a kind, and begins a judgement. */
static bool begin(python_judging *held, PyObject *kind) {
    int type, decreasing, exclusive, order, accumulator, store, denormals;
    int strict_zero, strict, promised, all_orders, no_orders, reachable, doubtful;
    unsigned long long length;
    const char *text;
    cumsum_profile profile;
    cumsum_diagnostic why = {0};
    piece_desc p;
    if (!PyArg_ParseTuple(kind, "iIIppK(iiii)(ppppppp)z", &type, &held->outer, &held->inner,
                          &decreasing, &exclusive, &length, &order, &accumulator, &store,
                          &denormals, &strict_zero, &strict, &promised, &all_orders, &no_orders,
                          &reachable, &doubtful, &text))
        return false;
    held->type = (cumsum_data_type)type;
    held->decreasing = decreasing != 0;
    held->exclusive = exclusive != 0;
    cumsum_judge_options options = {
        .strict_zero = strict_zero != 0,
        .strict = strict != 0,
        .reachable = reachable != 0,
        .promised = promised != 0,
        .all_orders = all_orders != 0,
        .no_orders = no_orders != 0,
        .accept_doubtful = doubtful != 0,
        .numerics = {(cumsum_order)order, (cumsum_half_accumulator)accumulator,
                     (cumsum_half_store)store, (cumsum_denormals)denormals}};
    if (text && !python_check(cumsum_profile_read(text, held->type, &profile, &why), &why))
        return false;
    options.profile = text ? &profile : NULL;
    return describe(&p, held, 1, &why) &&
           python_check(cumsum_judging_create(&p.op, length, &options, &held->judging, &why), &why);
}

PyObject *python_judging_new(PyObject *module, PyObject *kind) {
    (void)module;
    python_judging *held = calloc(1, sizeof *held);
    PyObject *capsule = NULL;
    if (!held)
        return PyErr_NoMemory();
    if (begin(held, kind))
        capsule = PyCapsule_New(held, CAPSULE, free_judging);
    if (!capsule) {
        cumsum_judging_destroy(held->judging);
        free(held);
    }
    return capsule;
}

/* Judges the next piece. */
static bool judge_piece(python_judging *held, const piece_desc *p, const Py_buffer *x,
                        const Py_buffer *y) {
    cumsum_diagnostic why = {0};
    cumsum_status status;
    const uint64_t position = cumsum_judging_position(held->judging);
    held->busy = true;
    Py_BEGIN_ALLOW_THREADS status =
        cumsum_judging_feed(held->judging, &p->op, position, x->buf, (uint64_t)x->len, y->buf,
                            (uint64_t)y->len, NULL, &why);
    Py_END_ALLOW_THREADS held->busy = false;
    return python_check(status, &why);
}

PyObject *python_judging_feed(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *capsule;
    unsigned count;
    Py_buffer x, y;
    piece_desc p;
    cumsum_diagnostic why = {0};
    if (!PyArg_ParseTuple(arguments, "OIy*y*", &capsule, &count, &x, &y))
        return NULL;
    python_judging *held = judging_of(capsule);
    const bool done = held && describe(&p, held, count, &why) && judge_piece(held, &p, &x, &y);
    PyBuffer_Release(&x);
    PyBuffer_Release(&y);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

/* The names of the orders that need whole lines. */
static PyObject *not_tried(uint32_t tried) {
    PyObject *list = PyList_New(0);
    for (int order = 0; list && order < CUMSUM_NAMED_COMPOSED; order++)
        if (!(tried >> order & 1))
            python_append(&list,
                          PyUnicode_FromString(cumsum_named_order_name((cumsum_named_order)order)));
    return list;
}

/* What the doubtful outputs would count as. */
static PyObject *undoubted(const cumsum_pieces_judgement *result) {
    PyObject *counts = PyDict_New();
    for (int v = 0; counts && v < CUMSUM_VERDICT_COUNT; v++) {
        PyObject *count = PyLong_FromUnsignedLongLong(result->undoubted[v]);
        const char *name = cumsum_verdict_name((cumsum_verdict)v);
        if (!count || (result->undoubted[v] && PyDict_SetItemString(counts, name, count)))
            Py_CLEAR(counts);
        Py_XDECREF(count);
    }
    return counts;
}

static PyObject *place(const uint64_t *at) {
    return Py_BuildValue("(KKK)", (unsigned long long)at[0], (unsigned long long)at[1],
                         (unsigned long long)at[2]);
}

PyObject *python_judging_end(PyObject *module, PyObject *capsule) {
    (void)module;
    const python_judging *held = judging_of(capsule);
    cumsum_pieces_judgement result;
    cumsum_diagnostic why = {0};
    if (!held || !python_check(cumsum_judging_end(held->judging, &result, &why), &why))
        return NULL;
    return Py_BuildValue("(NNNNNN)", python_judgement_of(held->type, &result.judgement),
                         not_tried(result.tried), undoubted(&result), place(result.first),
                         place(result.worst), place(result.doubt));
}
