/* SPDX-License-Identifier: MIT */
/* _cumsum.scan: sums one array into another, whole lines or a piece of them, without the
 * interpreter's lock while it computes. */
#include "python_functions.h"

#include "array_layout.h"
#include "python_carry.h"
#include "python_error.h"
#include "sum_float64.h"

#include <errno.h>
#include <pool_start.h>

typedef struct scan_call {
    array_sum sum;
    cumsum_plan_options options;
    unsigned threads;    /* 0: one for each processor */
    cumsum_carry *carry; /* what precedes x in its lines; NULL: nothing */
    bool advance;        /* only move the carry: there is no output */
} scan_call;

/* Fewer elements are summed in less time than threads take to start and end: about 75 microseconds
 * for two. */
#define THREADED_ELEMENTS (1 << 18)

/* Each call starts a thread pool of its own. Python programs often fork, and a pool's threads do
 * not exist in the child process. */
static bool start_threads(scan_call *call) {
    char why[POOL_MESSAGE_SIZE];
    int failure;
    if (call->threads == 1 || array_count(&call->sum.input) < THREADED_ELEMENTS)
        return true;
    Py_BEGIN_ALLOW_THREADS failure = pool_start(call->threads, &call->options.thread_pool, why);
    Py_END_ALLOW_THREADS if (failure) {
        PyErr_SetString(failure == ENOMEM ? PyExc_MemoryError : PyExc_RuntimeError, why);
    }
    return !failure;
}

/* A binding must have TotalTensorSizeInBytes, which is rounded up to a multiple of 4. An odd number
 * of FLOAT16 elements takes 2 bytes less, but the library never touches these bytes. */
static cumsum_status execute_any(const scan_call *call, const cumsum_plan *plan,
                                 const array_descriptor *descriptor, cumsum_diagnostic *why) {
    const uint64_t input_size = descriptor->buffers[0].total_tensor_size_in_bytes;
    const uint64_t output_size = descriptor->buffers[1].total_tensor_size_in_bytes;
    const void *input = call->sum.input.first;
    if (call->advance)
        return cumsum_carry_advance(plan, call->carry, NULL, input, input_size, why);
    void *output = call->sum.output.first;
    if (call->carry)
        return cumsum_carry_execute(plan, call->carry, NULL, input, input_size, output, output_size,
                                    why);
    return cumsum_plan_execute(plan, input, input_size, output, output_size, why);
}

static bool execute(const scan_call *call, const cumsum_plan *plan,
                    const array_descriptor *descriptor) {
    cumsum_diagnostic why = {0};
    cumsum_status status;
    Py_BEGIN_ALLOW_THREADS status = execute_any(call, plan, descriptor, &why);
    Py_END_ALLOW_THREADS return python_check(status, &why);
}

static bool compute(scan_call *call) {
    array_descriptor descriptor;
    cumsum_diagnostic why = {0};
    cumsum_plan *plan = NULL;
    const bool apart = call->advance || array_apart(&call->sum);
    if (!apart && !array_same_places(&call->sum)) {
        PyErr_SetString(PyExc_ValueError,
                        "out overlaps x, but its elements are not in the same places");
        return false;
    }
    if (call->sum.input.type == CUMSUM_DATA_TYPE_FLOAT64)
        return sum_float64(&call->sum, &call->options);
    if (!array_describe(&call->sum, apart, &descriptor) || !start_threads(call))
        return false;
    bool done = python_check(cumsum_plan_create(&descriptor.op, &call->options, &plan, &why), &why);
    if (done)
        done = execute(call, plan, &descriptor);
    cumsum_plan_destroy(plan);
    if (call->options.thread_pool)
        pthreadpool_destroy(call->options.thread_pool);
    return done;
}

static bool check_writable(const array_view *out) {
    if (out->read_only)
        PyErr_Format(PyExc_ValueError, "%s is read-only", out->name);
    else if (out->copied)
        PyErr_Format(PyExc_ValueError,
                     "%s exports a copy of itself (DLPack's flag IS_COPIED), in which the result "
                     "would be lost; it must export its own memory",
                     out->name);
    return !out->read_only && !out->copied;
}

static bool scan_opened(scan_call *call, int axis) {
    if (!array_sum_check(&call->sum, axis) || !check_writable(&call->sum.output))
        return false;
    return array_count(&call->sum.input) == 0 || compute(call);
}

static bool scan(scan_call *call, PyObject *x, PyObject *out, int axis) {
    if (!array_open(&call->sum.input, x, "x", ARRAY_FOR_OPERATOR))
        return false;
    bool done = false;
    if (call->advance) {
        /* A descriptor needs an output. This one has no elements, and is not touched. */
        call->sum.output = call->sum.input;
        call->sum.output.first = NULL;
        array_pack_strides(&call->sum.output);
        done = array_sum_check(&call->sum, axis) &&
               (array_count(&call->sum.input) == 0 || compute(call));
    } else if (array_open(&call->sum.output, out, "out", ARRAY_FOR_OPERATOR)) {
        done = scan_opened(call, axis);
        array_release(&call->sum.output);
    }
    array_release(&call->sum.input);
    return done;
}

static bool read_arguments(PyObject *arguments, PyObject **x, PyObject **out, int *axis,
                           scan_call *call, PyObject **carry) {
    int decreasing, exclusive, order, accumulator, store, denormals, kernel;
    if (!PyArg_ParseTuple(arguments, "OOipp(iiii)iI|O", x, out, axis, &decreasing, &exclusive,
                          &order, &accumulator, &store, &denormals, &kernel, &call->threads, carry))
        return false;
    call->sum.decreasing = decreasing != 0;
    call->sum.exclusive = exclusive != 0;
    call->options.numerics =
        (cumsum_numerics){(cumsum_order)order, (cumsum_half_accumulator)accumulator,
                          (cumsum_half_store)store, (cumsum_denormals)denormals};
    call->options.kernel = (cumsum_kernel)kernel;
    return true;
}

PyObject *python_scan(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *x, *out, *carry = Py_None;
    int axis;
    scan_call call = {0};
    if (!read_arguments(arguments, &x, &out, &axis, &call, &carry))
        return NULL;
    python_carry *held = NULL;
    if (carry != Py_None) {
        held = python_carry_of(carry);
        if (!held)
            return NULL;
        held->busy = true;
        call.carry = held->carry;
        call.advance = out == Py_None;
        call.sum.in_pieces = true;
    }
    const bool done = scan(&call, x, out, axis);
    if (held)
        held->busy = false;
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}
