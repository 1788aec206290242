/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_CAPSULE_H
#define CUMSUM_PYTHON_ARRAY_CAPSULE_H

#include "array_view.h"

#include <dlpack/dlpack.h>

/* Asks an object for its tensor, which the view then holds until array_release_dlpack. NULL with an
 * exception where there is none that can be read; the view may hold something all the same. */
const DLTensor *array_take_capsule(array_view *view, PyObject *object);

#endif
