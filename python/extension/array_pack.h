/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_ARRAY_PACK_H
#define CUMSUM_PYTHON_ARRAY_PACK_H

#include "array_view.h"

/* Makes the view one of a packed, row-major copy. It has at least one dimension and one element.
 * False, with MemoryError, where there is no room. */
bool array_pack(array_view *view);

/* Is it packed and row-major as it is, and aligned? */
bool array_is_packed(const array_view *view);

#endif
