/* SPDX-License-Identifier: MIT */
/* Packed copies of arrays whose layout a descriptor cannot have. */
#include "array_pack.h"

#include <stdlib.h>
#include <string.h>

static void copy_line(unsigned char *to, const unsigned char *from, int64_t step, int64_t count,
                      size_t element_size) {
    for (int64_t k = 0; k < count; k++)
        memcpy(to + (size_t)k * element_size, from + k * step, element_size);
}

/* The address of the next line along the last dimension, or NULL after the last one. `at` has the
 * indices of the other dimensions, which count up. */
static const unsigned char *next_line(const array_view *view, int64_t *at,
                                      const unsigned char *line) {
    for (int d = view->dimensions - 2; d >= 0; d--) {
        line += view->strides[d];
        if (++at[d] < view->sizes[d])
            return line;
        line -= view->strides[d] * view->sizes[d];
        at[d] = 0;
    }
    return NULL;
}

static void copy_all(unsigned char *to, const array_view *view) {
    const int last = view->dimensions - 1;
    const size_t size = (size_t)view->element_size;
    int64_t at[ARRAY_MAX_DIMENSIONS] = {0};
    for (const unsigned char *line = view->first; line; line = next_line(view, at, line)) {
        copy_line(to, line, view->strides[last], view->sizes[last], size);
        to += (size_t)view->sizes[last] * size;
    }
}

bool array_pack(array_view *view) {
    const size_t bytes = (size_t)array_count(view) * (size_t)view->element_size;
    unsigned char *copy = malloc(bytes);
    if (!copy) {
        PyErr_NoMemory();
        return false;
    }
    Py_BEGIN_ALLOW_THREADS copy_all(copy, view);
    Py_END_ALLOW_THREADS free(view->copy);
    view->copy = view->first = copy;
    array_pack_strides(view);
    view->below = 0;
    view->above = (int64_t)bytes;
    return true;
}

bool array_is_packed(const array_view *view) {
    int64_t packed = view->element_size;
    for (int d = view->dimensions - 1; d >= 0; d--) {
        if (view->sizes[d] != 1 && view->strides[d] != packed)
            return false;
        packed *= view->sizes[d];
    }
    return (uintptr_t)view->first % (uintptr_t)view->element_size == 0;
}
