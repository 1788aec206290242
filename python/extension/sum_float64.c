/* SPDX-License-Identifier: MIT */
#include "sum_float64.h"

#include "array_pack.h"
#include "python_error.h"

#include <cumsum/oracle.h>
#include <fenv.h>
#include <string.h>

/* Lines beside each other that are summed together, so that columns are read row by row. */
#define TOGETHER 64

/* The lines that a walk is at. `across` is the dimension along which lines are summed together, or
 * -1; `at` has the indices of the dimensions other than it and the axis. */
typedef struct walk {
    const array_sum *sum;
    int across;
    int64_t at[ARRAY_MAX_DIMENSIONS];
    const unsigned char *x;
    unsigned char *y;
} walk;

static int64_t magnitude(int64_t stride) {
    return stride < 0 ? -stride : stride;
}

/* The dimension whose elements lie closest together, unless that is the axis. */
static int closest_dimension(const array_sum *sum) {
    const array_view *x = &sum->input;
    int closest = -1;
    for (int d = 0; d < x->dimensions; d++)
        if (d != sum->axis && x->sizes[d] > 1 &&
            (closest < 0 || magnitude(x->strides[d]) <= magnitude(x->strides[closest])))
            closest = d;
    if (closest >= 0 && magnitude(x->strides[closest]) > magnitude(x->strides[sum->axis]))
        return -1;
    return closest;
}

/* `count` lines, whose next one begins the walk's strides further on. */
static void sum_lines(const walk *w, int64_t first, int64_t count) {
    const array_view *x = &w->sum->input, *y = &w->sum->output;
    const int axis = w->sum->axis;
    const int64_t n = x->sizes[axis];
    const int64_t x_across = w->across < 0 ? 0 : x->strides[w->across];
    const int64_t y_across = w->across < 0 ? 0 : y->strides[w->across];
    double sums[TOGETHER] = {0}, element;
    for (int64_t k = 0; k < n; k++) {
        const int64_t index = w->sum->decreasing ? n - 1 - k : k;
        const unsigned char *from = w->x + index * x->strides[axis] + first * x_across;
        unsigned char *to = w->y + index * y->strides[axis] + first * y_across;
        for (int64_t line = 0; line < count; line++, from += x_across, to += y_across) {
            memcpy(&element, from, sizeof element);
            const double before = sums[line];
            sums[line] = before + element;
            memcpy(to, w->sum->exclusive ? &before : &sums[line], sizeof element);
        }
    }
}

/* Moves on along the other dimensions. False after the last lines. */
static bool next_lines(walk *w) {
    const array_view *x = &w->sum->input, *y = &w->sum->output;
    for (int d = x->dimensions - 1; d >= 0; d--) {
        if (d == w->across || d == w->sum->axis)
            continue;
        w->x += x->strides[d];
        w->y += y->strides[d];
        if (++w->at[d] < x->sizes[d])
            return true;
        w->x -= x->strides[d] * x->sizes[d];
        w->y -= y->strides[d] * x->sizes[d];
        w->at[d] = 0;
    }
    return false;
}

/* In the default floating-point mode: the caller's may round in another direction. */
static void sum_in_sequence(const array_sum *sum) {
    walk w = {.sum = sum,
              .across = closest_dimension(sum),
              .x = sum->input.first,
              .y = sum->output.first};
    const int64_t lines = w.across < 0 ? 1 : sum->input.sizes[w.across];
    fenv_t found;
    (void)fegetenv(&found);
    (void)fesetenv(FE_DFL_ENV);
    do {
        for (int64_t first = 0; first < lines; first += TOGETHER)
            sum_lines(&w, first, lines - first < TOGETHER ? lines - first : TOGETHER);
    } while (next_lines(&w));
    (void)fesetenv(&found);
}

static bool sum_exactly(array_sum *sum) {
    array_descriptor descriptor;
    cumsum_diagnostic why = {0};
    cumsum_status status;
    /* The oracle's input and output may not overlap. */
    if ((!array_apart(sum) && !array_pack(&sum->input)) || !array_describe(sum, true, &descriptor))
        return false;
    Py_BEGIN_ALLOW_THREADS status = cumsum_exact_sums(
        &descriptor.op, sum->input.first, descriptor.buffers[0].total_tensor_size_in_bytes,
        sum->output.first, descriptor.buffers[1].total_tensor_size_in_bytes, &why);
    Py_END_ALLOW_THREADS return python_check(status, &why);
}

static bool refuse_numerics(const char *what) {
    PyErr_Format(PyExc_NotImplementedError,
                 "%s is not there for float64, which DirectML's operator does not have: its sums "
                 "are 'sequential' or 'exact', by the kernel 'reference', with denormals preserved",
                 what);
    return false;
}

bool sum_float64(array_sum *sum, const cumsum_plan_options *options) {
    if (options->numerics.denormals != CUMSUM_DENORMALS_PRESERVE)
        return refuse_numerics("denormals='flush'");
    if (options->kernel != CUMSUM_KERNEL_AUTO && options->kernel != CUMSUM_KERNEL_REFERENCE)
        return refuse_numerics("this kernel");
    if (options->numerics.order == CUMSUM_ORDER_EXACT)
        return sum_exactly(sum);
    if (options->numerics.order != CUMSUM_ORDER_SEQUENTIAL)
        return refuse_numerics("order='blocked'");
    Py_BEGIN_ALLOW_THREADS sum_in_sequence(sum);
    Py_END_ALLOW_THREADS return true;
}
