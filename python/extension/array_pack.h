/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_PACK_H
#define CUMSUM_PYTHON_ARRAY_PACK_H

#include "array_view.h"

/* Copies the elements, packed and row-major, and lets the view refer to the copy, which it owns.
 * The view must have at least one dimension and one element. False, with MemoryError, if memory is
 * short. */
bool array_pack(array_view *view);

/* Whether the view's elements are packed, row-major and aligned. */
bool array_is_packed(const array_view *view);

#endif
