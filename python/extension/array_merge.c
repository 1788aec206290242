/* SPDX-License-Identifier: MIT */
/* Merges dimensions, so that an array of more than eight may fit into a descriptor. */
#include "array_merge.h"

static void move(array_view *view, int to, int from) {
    view->sizes[to] = view->sizes[from];
    view->strides[to] = view->strides[from];
}

/* Moves dimension d of both arrays to number `to`, with to <= d. */
static void keep(array_sum *sum, int to, int d) {
    move(&sum->input, to, d);
    move(&sum->output, to, d);
    if (sum->axis == d)
        sum->axis = to;
}

static void drop_size_one(array_sum *sum) {
    int kept = 0;
    for (int d = 0; d < sum->input.dimensions; d++)
        if (sum->input.sizes[d] != 1 || d == sum->axis)
            keep(sum, kept++, d);
    sum->input.dimensions = sum->output.dimensions = kept;
}

/* Whether one step of the outer dimension is as long as the whole inner one, so that both have one
 * stride. The merged size must fit in uint32_t. */
static bool one_run(const array_view *view, int outer, int inner) {
    return view->strides[inner] <= INT64_MAX / view->sizes[inner] &&
           view->strides[outer] == view->strides[inner] * view->sizes[inner] &&
           view->sizes[outer] <= (int64_t)UINT32_MAX / view->sizes[inner];
}

static bool mergeable(const array_sum *sum, int outer, int inner) {
    return outer != sum->axis && inner != sum->axis && one_run(&sum->input, outer, inner) &&
           one_run(&sum->output, outer, inner);
}

void array_merge(array_sum *sum) {
    drop_size_one(sum);
    int last = 0;
    for (int d = 1; d < sum->input.dimensions; d++) {
        if (mergeable(sum, last, d)) {
            const int64_t size = sum->input.sizes[last] * sum->input.sizes[d];
            keep(sum, last, d);
            sum->input.sizes[last] = sum->output.sizes[last] = size;
        } else {
            keep(sum, ++last, d);
        }
    }
    sum->input.dimensions = sum->output.dimensions = last + 1;
}
