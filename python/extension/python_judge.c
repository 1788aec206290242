/* SPDX-License-Identifier: MIT */
/* _cumsum.judge and _cumsum.judge_sum: let the oracle judge an output array, and return the
 * judgement as a dict. */
#include "python_functions.h"

#include "array_layout.h"
#include "array_pack.h"
#include "python_error.h"

#include <cumsum/oracle.h>
#include <cumsum/sums.h>

typedef struct judge_call {
    array_sum sum;
    cumsum_judge_options options;
    const char *profile; /* its text, or NULL */
    cumsum_profile profile_values;
    int x_bits, y_bits; /* the array is BFLOAT16, whose bits come as UINT16 */
    int axis;           /* of a scan */
    uint32_t axes;      /* of a sum: bit d for dimension d */
    int dimensions;     /* of the arrays before dimensions were merged */
    int64_t sizes[ARRAY_MAX_DIMENSIONS];
} judge_call;

/* The indices of an output in the caller's array. Merging dimensions changes indices, but not an
 * element's number in row-major order, so they are computed from that number. */
static PyObject *coordinates(const judge_call *call, const uint32_t *merged) {
    uint64_t number = 0;
    for (int d = 0; d < call->sum.output.dimensions; d++)
        number = number * (uint64_t)call->sum.output.sizes[d] + merged[d];
    PyObject *tuple = PyTuple_New(call->dimensions);
    for (int d = call->dimensions - 1; tuple && d >= 0; d--) {
        const uint64_t size = call->sizes[d] ? (uint64_t)call->sizes[d] : 1; /* no sums */
        PyObject *index = PyLong_FromUnsignedLongLong(number % size);
        if (!index || PyTuple_SetItem(tuple, d, index) != 0)
            Py_CLEAR(tuple);
        number /= size;
    }
    return tuple;
}

static PyObject *finding(const judge_call *call, const cumsum_finding *f) {
    return Py_BuildValue(
        "{s:s,s:N,s:K,s:K,s:K,s:K,s:K,s:K,s:d,s:O}", "verdict", cumsum_verdict_name(f->verdict),
        "coordinates", coordinates(call, f->coordinates), "terms", (unsigned long long)f->terms,
        "expected", (unsigned long long)f->expected_bits, "actual",
        (unsigned long long)f->actual_bits, "lower", (unsigned long long)f->lower_bits, "upper",
        (unsigned long long)f->upper_bits, "ulps", (unsigned long long)f->ulps, "error", f->error,
        "decided", f->decided ? Py_True : Py_False);
}

static PyObject *counts(const cumsum_judgement *j) {
    PyObject *dict = PyDict_New();
    for (int v = 0; dict && v < CUMSUM_VERDICT_COUNT; v++) {
        PyObject *count = PyLong_FromUnsignedLongLong(j->counts[v]);
        if (!count || PyDict_SetItemString(dict, cumsum_verdict_name((cumsum_verdict)v), count))
            Py_CLEAR(dict);
        Py_XDECREF(count);
    }
    return dict;
}

void python_append(PyObject **list, PyObject *item) {
    if (!item || PyList_Append(*list, item))
        Py_CLEAR(*list);
    Py_XDECREF(item);
}

/* The names of the models that fit every output. */
static PyObject *models(const cumsum_judgement *j) {
    PyObject *list = PyList_New(0);
    for (int v = 0; list && v < CUMSUM_VERDICT_COUNT; v++)
        if (j->models >> v & 1)
            python_append(&list, PyUnicode_FromString(cumsum_verdict_name((cumsum_verdict)v)));
    return list;
}

static PyObject *matches(const cumsum_judgement *j) {
    PyObject *list = PyList_New(0);
    for (uint32_t i = 0; list && i < j->match_count; i++) {
        const cumsum_order_match *m = &j->matches[i];
        char composed[CUMSUM_ORDER_TEXT];
        if (m->order == CUMSUM_NAMED_COMPOSED)
            cumsum_order_write(&m->composed, composed);
        PyObject *match = Py_BuildValue(
            "(siii)",
            m->order == CUMSUM_NAMED_COMPOSED ? composed : cumsum_named_order_name(m->order),
            (int)m->half_accumulator, (int)m->half_store, (int)m->denormals);
        python_append(&list, match);
    }
    return list;
}

/* The named order that gives nearly every output, and how many it does not give; else None. */
static PyObject *near_order(const cumsum_near_order *near) {
    if (!near->differing)
        Py_RETURN_NONE;
    return Py_BuildValue("((siii)K)", cumsum_named_order_name(near->match.order),
                         (int)near->match.half_accumulator, (int)near->match.half_store,
                         (int)near->match.denormals, (unsigned long long)near->differing);
}

static PyObject *doubt(const judge_call *call, const cumsum_doubt *d) {
    if (d->reason == CUMSUM_DOUBT_NONE)
        Py_RETURN_NONE;
    return Py_BuildValue(
        "{s:s,s:s,s:K,s:K,s:N,s:K,s:d,s:d,s:d,s:d,s:K,s:O}", "reason",
        cumsum_doubt_reason_name(d->reason), "model", cumsum_verdict_name(d->model), "outputs",
        (unsigned long long)d->outputs, "lines", (unsigned long long)d->lines, "coordinates",
        coordinates(call, d->coordinates), "terms", (unsigned long long)d->terms, "error", d->error,
        "error_before", d->error_before, "bound", d->bound, "jump", d->jump, "seam",
        (unsigned long long)d->seam, "stays", d->stays ? Py_True : Py_False);
}

static PyObject *judgement_dict(const judge_call *call, const cumsum_judgement *j) {
    return Py_BuildValue(
        "{s:s,s:K,s:N,s:O,s:N,s:s,s:d,s:N,s:N,s:N,s:N,s:N,s:K,s:(Odd)}", "data_type",
        cumsum_data_type_name(call->sum.input.type), "outputs", (unsigned long long)j->outputs,
        "counts", counts(j), "passed", j->pass ? Py_True : Py_False, "models", models(j),
        "error_class", cumsum_error_class_name(j->error_class), "h", j->h, "first",
        finding(call, &j->first), "worst", finding(call, &j->worst), "orders", matches(j), "near",
        near_order(&j->near), "doubt", doubt(call, &j->doubt), "seam",
        (unsigned long long)(j->doubt.reason ? 0 : j->doubt.seam), "power",
        j->power.exact ? Py_True : Py_False, j->power.lost_term, j->power.lost_carry);
}

/* Without coordinates. */
PyObject *python_judgement_of(cumsum_data_type type, const cumsum_judgement *judgement) {
    const judge_call call = {.sum = {.input = {.type = type}}};
    return judgement_dict(&call, judgement);
}

/* The profile by its text, if there is one. False with ValueError. */
static bool read_profile(judge_call *call) {
    cumsum_diagnostic why = {0};
    if (!call->profile)
        return true;
    call->options.profile = &call->profile_values;
    return python_check(
        cumsum_profile_read(call->profile, call->sum.input.type, &call->profile_values, &why),
        &why);
}

static PyObject *judge_described(judge_call *call) {
    array_descriptor descriptor;
    cumsum_diagnostic why = {0};
    cumsum_judgement judgement = {0};
    cumsum_status status;
    if (!array_describe(&call->sum, true, &descriptor) || !read_profile(call))
        return NULL;
    Py_BEGIN_ALLOW_THREADS status = cumsum_judge(
        &descriptor.op, call->sum.input.first, descriptor.buffers[0].total_tensor_size_in_bytes,
        call->sum.output.first, descriptor.buffers[1].total_tensor_size_in_bytes, &call->options,
        NULL, &judgement, &why);
    Py_END_ALLOW_THREADS return python_check(status, &why) ? judgement_dict(call, &judgement)
                                                           : NULL;
}

/* The output is packed first. In other layouts several outputs may share an address, and only the
 * last writer would get a verdict. */
static PyObject *judge_opened(judge_call *call) {
    if (!array_sum_check(&call->sum, call->axis))
        return NULL;
    const cumsum_judgement nothing = {.pass = true};
    if (array_count(&call->sum.input) == 0)
        return judgement_dict(call, &nothing);
    call->dimensions = call->sum.input.dimensions;
    for (int d = 0; d < call->dimensions; d++)
        call->sizes[d] = call->sum.input.sizes[d];
    if (!array_is_packed(&call->sum.output) && !array_pack(&call->sum.output))
        return NULL;
    return judge_described(call);
}

/* Opens both arrays, and calls judge_opened, for sums judge_sums_opened. */
static PyObject *judge(judge_call *call, PyObject *x, PyObject *y,
                       PyObject *(*judge_arrays)(judge_call *call)) {
    if (!array_open(&call->sum.input, x, "x", ARRAY_FOR_ORACLE))
        return NULL;
    PyObject *result = NULL;
    if (array_open(&call->sum.output, y, "y", ARRAY_FOR_ORACLE)) {
        if (call->x_bits && call->sum.input.type == CUMSUM_DATA_TYPE_UINT16)
            call->sum.input.type = CUMSUM_DATA_TYPE_BFLOAT16;
        if (call->y_bits && call->sum.output.type == CUMSUM_DATA_TYPE_UINT16)
            call->sum.output.type = CUMSUM_DATA_TYPE_BFLOAT16;
        result = judge_arrays(call);
        array_release(&call->sum.output);
    }
    array_release(&call->sum.input);
    return result;
}

PyObject *python_judge(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *x, *y;
    const char *profile;
    int axis, decreasing, exclusive, order, accumulator, store, denormals;
    int strict_zero, strict, promised, all_orders, no_orders, reachable, doubtful, x_bits, y_bits;
    if (!PyArg_ParseTuple(arguments, "OOipp(iiii)(ppppppp)(pp)z", &x, &y, &axis, &decreasing,
                          &exclusive, &order, &accumulator, &store, &denormals, &strict_zero,
                          &strict, &promised, &all_orders, &no_orders, &reachable, &doubtful,
                          &x_bits, &y_bits, &profile))
        return NULL;
    judge_call call = {
        .sum = {.decreasing = decreasing != 0, .exclusive = exclusive != 0},
        .profile = profile,
        .x_bits = x_bits,
        .y_bits = y_bits,
        .axis = axis,
        .options = {.strict_zero = strict_zero != 0,
                    .strict = strict != 0,
                    .reachable = reachable != 0,
                    .promised = promised != 0,
                    .all_orders = all_orders != 0,
                    .no_orders = no_orders != 0,
                    .near_order = no_orders == 0,
                    .accept_doubtful = doubtful != 0,
                    .power = true,
                    .composed_orders = no_orders == 0,
                    .numerics = {(cumsum_order)order, (cumsum_half_accumulator)accumulator,
                                 (cumsum_half_store)store, (cumsum_denormals)denormals}}};
    return judge(&call, x, y, judge_opened);
}

/* The output has the shape of the input, with 1 in the summed axes. */
static bool shape_output(judge_call *call) {
    array_view *output = &call->sum.output;
    const array_view *input = &call->sum.input;
    if (array_count(output) != 0 && !array_is_packed(output) && !array_pack(output))
        return false;
    output->dimensions = call->dimensions = input->dimensions;
    for (int d = 0; d < input->dimensions; d++)
        output->sizes[d] = call->sizes[d] = call->axes >> d & 1 ? 1 : input->sizes[d];
    array_pack_strides(output);
    return true;
}

static PyObject *judge_sums_opened(judge_call *call) {
    uint32_t sizes[2][CUMSUM_MAX_DIMENSIONS], strides[2][CUMSUM_MAX_DIMENSIONS];
    uint32_t axes[CUMSUM_MAX_DIMENSIONS], count = 0;
    cumsum_buffer_tensor_desc buffers[2];
    cumsum_diagnostic why = {0};
    cumsum_sums_judgement judgement = {0};
    cumsum_status status;
    if (!read_profile(call) ||
        !array_describe_alone(&call->sum.input, sizes[0], strides[0], &buffers[0]) ||
        !shape_output(call) ||
        !array_describe_alone(&call->sum.output, sizes[1], strides[1], &buffers[1]))
        return NULL;
    for (uint32_t d = 0; d < CUMSUM_MAX_DIMENSIONS; d++)
        if (call->axes >> d & 1)
            axes[count++] = d;
    const cumsum_tensor_desc tensors[2] = {{CUMSUM_TENSOR_TYPE_BUFFER, &buffers[0]},
                                           {CUMSUM_TENSOR_TYPE_BUFFER, &buffers[1]}};
    const cumsum_sums_desc desc = {&tensors[0], &tensors[1], count, axes};
    static const unsigned char nothing[8];
    const void *first[2] = {call->sum.input.first, call->sum.output.first};
    Py_BEGIN_ALLOW_THREADS status = cumsum_judge_sums(
        &desc, first[0] ? first[0] : nothing, buffers[0].total_tensor_size_in_bytes,
        first[1] ? first[1] : nothing, buffers[1].total_tensor_size_in_bytes, &call->options, NULL,
        &judgement, &why);
    Py_END_ALLOW_THREADS if (!python_check(status, &why)) return NULL;
    return Py_BuildValue("NK", judgement_dict(call, &judgement.judgement),
                         (unsigned long long)judgement.closer);
}

PyObject *python_judge_sum(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *x, *y;
    const char *profile;
    int axes, order, accumulator, store, denormals;
    int strict_zero, strict, promised, all_orders, no_orders, reachable, doubtful, x_bits, y_bits;
    if (!PyArg_ParseTuple(arguments, "OOi(iiii)(ppppppp)(pp)z", &x, &y, &axes, &order, &accumulator,
                          &store, &denormals, &strict_zero, &strict, &promised, &all_orders,
                          &no_orders, &reachable, &doubtful, &x_bits, &y_bits, &profile))
        return NULL;
    judge_call call = {
        .profile = profile,
        .x_bits = x_bits,
        .y_bits = y_bits,
        .axes = (uint32_t)axes,
        .options = {.strict_zero = strict_zero != 0,
                    .strict = strict != 0,
                    .reachable = reachable != 0,
                    .promised = promised != 0,
                    .all_orders = all_orders != 0,
                    .no_orders = no_orders != 0,
                    .accept_doubtful = doubtful != 0,
                    .numerics = {(cumsum_order)order, (cumsum_half_accumulator)accumulator,
                                 (cumsum_half_store)store, (cumsum_denormals)denormals}}};
    return judge(&call, x, y, judge_sums_opened);
}
