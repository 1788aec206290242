/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_FUNCTIONS_H
#define CUMSUM_PYTHON_PYTHON_FUNCTIONS_H

/* What the module _cumsum has; the functions that users call are in the package's Python files,
 * which turn words into these numbers. Enumerations are those of cumsum/cumsum.h. */

#include "python_api.h"

/* scan(x, out, axis, decreasing, exclusive, (order, accumulator, store, denormals), kernel,
 *      threads) -> None */
PyObject *python_scan(PyObject *module, PyObject *arguments);

/* judge(x, y, axis, decreasing, exclusive, numerics, (strict_zero, strict, promised, all_orders,
 *       no_orders)) -> dict */
PyObject *python_judge(PyObject *module, PyObject *arguments);

/* validate(input, output, axis, direction, exclusive, level) -> None, or a dict that says which
 * rule is broken. A tensor is None or (type, data type, flags, dimension count, sizes, strides,
 * total size in bytes, alignment), where the sizes, the strides, the total size (it is then
 * computed) or all of it may be None. */
PyObject *python_validate(PyObject *module, PyObject *arguments);

/* type_of(x) -> (data type, sizes): what an array is, as far as the operator is concerned. */
PyObject *python_type_of(PyObject *module, PyObject *x);

#endif
