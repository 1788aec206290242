/* SPDX-License-Identifier: MIT */
/* Operations on a view that do not depend on how it was opened: release, number of elements, packed
 * strides. */
#include "array_view.h"

#include <stdlib.h>

void array_release(array_view *view) {
    if (view->buffer.obj)
        PyBuffer_Release(&view->buffer);
    array_release_dlpack(view);
    free(view->copy);
    *view = (array_view){.name = view->name};
}

int64_t array_count(const array_view *view) {
    int64_t count = 1;
    bool too_many = false;
    for (int d = 0; d < view->dimensions; d++) {
        if (view->sizes[d] == 0)
            return 0;
        too_many = too_many || count > INT64_MAX / view->element_size / view->sizes[d];
        count = too_many ? 1 : count * view->sizes[d];
    }
    return too_many ? -1 : count;
}

void array_pack_strides(array_view *view) {
    int64_t packed = view->element_size;
    for (int d = view->dimensions - 1; d >= 0; d--) {
        const int64_t size = view->sizes[d] ? view->sizes[d] : 1;
        view->strides[d] = packed;
        packed = packed > INT64_MAX / size ? INT64_MAX : packed * size;
    }
}
