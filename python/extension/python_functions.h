/* SPDX-License-Identifier: MIT */
#ifndef CUMSUM_PYTHON_PYTHON_FUNCTIONS_H
#define CUMSUM_PYTHON_PYTHON_FUNCTIONS_H

/* The functions of the module _cumsum. Users call those of the package's Python files, which check
 * the arguments and turn words into the enumerations of cumsum/cumsum.h. */

#include "python_api.h"

#include <cumsum/oracle.h>

/* scan(x, out, axis, decreasing, exclusive, (order, accumulator, store, denormals), kernel,
 *      threads, carry=None) -> None. With a carry that is not None, x is the next piece of its
 * lines, and out may be None. */
PyObject *python_scan(PyObject *module, PyObject *arguments);

/* Carries are capsules. A `kind` is (data type, lines, decreasing, numerics), as numbers.
 * carry_new(kind, position, length) -> capsule: a carry, or a total of so many elements of each
 * line if the position is not None. carry_load(kind, bytes) -> capsule; carry_save(carry) -> bytes;
 * carry_append(carry, total) -> None carry_extent(carry) -> (begin, end, size in bytes) */
PyObject *python_carry_new(PyObject *module, PyObject *arguments);
PyObject *python_carry_load(PyObject *module, PyObject *arguments);
PyObject *python_carry_save(PyObject *module, PyObject *capsule);
PyObject *python_carry_append(PyObject *module, PyObject *arguments);
PyObject *python_carry_extent(PyObject *module, PyObject *capsule);

/* judge(x, y, axis, decreasing, exclusive, numerics, (strict_zero, strict, promised, all_orders,
 *       no_orders, reachable, doubtful), (x_bits, y_bits), profile) -> dict. The profile is a text
 * or None. */
PyObject *python_judge(PyObject *module, PyObject *arguments);

/* What judge() returns, without coordinates. */
PyObject *python_judgement_of(cumsum_data_type type, const cumsum_judgement *judgement);

/* Appends the item, which may be NULL, and takes it over. On failure the list is freed, and NULL.
 */
void python_append(PyObject **list, PyObject *item);

/* Judgements in pieces are capsules. A `kind` is (data type, outer, inner, decreasing, exclusive,
 * length, numerics, options of judge, profile): pieces are packed arrays of outer x n x inner
 * elements, in objects with the buffer protocol. judging_new(kind) -> capsule;
 * judging_feed(judging, n, x, y) -> None; judging_end(judging) -> (dict as that of judge, names of
 * the orders that were not tried, first, worst), with the coordinates of both. */
PyObject *python_judging_new(PyObject *module, PyObject *kind);
PyObject *python_judging_feed(PyObject *module, PyObject *arguments);
PyObject *python_judging_end(PyObject *module, PyObject *capsule);

/* judge_sum(x, y, axes, numerics, options, bits, profile) -> (dict, closer), with the options, bits
 * and profile of judge. Bit d of axes is set if dimension d is summed; y has as many elements as
 * there are sums. */
PyObject *python_judge_sum(PyObject *module, PyObject *arguments);

/* validate(input, output, axis, direction, exclusive, level) -> None, or a dict that says which
 * rule is broken. A tensor is None or (type, data type, flags, dimension count, sizes, strides,
 * total size in bytes, alignment). The sizes and the strides may be None, and so may the total
 * size, which is then computed. */
PyObject *python_validate(PyObject *module, PyObject *arguments);

/* type_of(x, judged=False, name="x") -> (data type, sizes) of an array. An exception, which says
 * the name, if the operator, or with judged the oracle, cannot take it. */
PyObject *python_type_of(PyObject *module, PyObject *arguments);

#endif
