/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_CAPSULE_H
#define CUMSUM_PYTHON_ARRAY_CAPSULE_H

/* DLPack's capsules, through which objects hand over their tensors. */

#include "array_view.h"

#include <dlpack/dlpack.h>

/* Calls the object's __dlpack__ and takes its tensor, which the view owns until
 * array_release_dlpack. NULL with an exception if that fails; the view may own a tensor even then.
 */
const DLTensor *array_take_capsule(array_view *view, PyObject *object);

#endif
