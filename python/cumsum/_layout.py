# SPDX-License-Identifier: MIT
"""Two arrays as the operands of an operator's descriptor, which has at most eight dimensions, and
strides of whole elements, none of them negative. Arrays of other layouts are copied."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence

import numpy

from ._library import MAX_DIMENSIONS, MOST_ELEMENTS, OperatorDesc, tensor_of

Sizes = tuple[int, ...]


class Layout(NamedTuple):
    """Where the elements of x and y are. Strides are in elements."""

    sizes: Sizes
    strides: tuple[Sizes, Sizes]
    axis: int
    copied: tuple[bool, bool] = (False, False)
    """Whether x and y have no such layout, so that packed arrays take their places."""

    def describe(self, data_type: int, decreasing: bool, exclusive: bool) -> OperatorDesc:
        tensors = [tensor_of(data_type, self.sizes, strides) for strides in self.strides]
        return OperatorDesc(*tensors, self.axis, decreasing, exclusive)


def packed(shape: Sizes, size: int = 1) -> Sizes:
    """The strides of packed elements of so many bytes, or in elements."""
    return tuple(size * math.prod(shape[d + 1 :]) for d in range(len(shape)))


def address(values: Any) -> int:
    at: int = values.__array_interface__["data"][0]
    return at


def in_elements(shape: Sizes, strides: Sizes, size: int, aligned: bool) -> Sizes | None:
    """The strides of an array in elements, 0 where there is one index only; None if no descriptor
    has this layout."""
    steps = tuple(0 if n == 1 else stride for n, stride in zip(shape, strides))
    extent = sum((n - 1) * step for n, step in zip(shape, steps)) // size
    whole = aligned and all(step >= 0 and step % size == 0 for step in steps)
    return tuple(step // size for step in steps) if whole and extent < MOST_ELEMENTS else None


def layout_of(
    shape: Sizes, strides: tuple[Sizes, Sizes], size: int, axis: int, aligned: tuple[bool, bool]
) -> Layout:
    """The layout of a sum of at least one element. Strides are in bytes; aligned says whether the
    elements of x and y are."""
    steps = [in_elements(shape, own, size, fits) for own, fits in zip(strides, aligned)]
    sizes = shape
    if len(shape) > MAX_DIMENSIONS:  # one dimension before the axis, and one behind it
        sizes = math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])
        whole = tuple(0 if n == 1 else step for n, step in zip(shape, packed(shape)))
        steps = [packed(sizes) if own == whole else None for own in steps]
        axis = 1
    x, y = (packed(sizes) if own is None else own for own in steps)
    return Layout(sizes, (x, y), axis, (steps[0] is None, steps[1] is None))


def are_same_elements(x: Any, y: Any, x_first: int, y_first: int) -> bool:
    """Whether the elements of arrays of one shape, at these addresses, lie on each other."""
    steps = zip(x.shape, x.strides, y.strides)
    return x_first == y_first and all(a == b for n, a, b in steps if n != 1)


def initial_and_sums(
    shape: Sizes, wanted: Sizes, axis: int, reverse: bool
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Where in an out of this shape the sums of nothing stand, and where the others do."""
    if shape != wanted:
        raise ValueError(f"out has the shape {shape}, and must have the shape {wanted}")
    before = (slice(None),) * axis
    first, others = (-1, slice(None, -1)) if reverse else (0, slice(1, None))
    return (*before, first), (*before, others)


def unmerged(index: Sequence[int], sizes: Sizes, shape: Sizes) -> Sizes:
    """The indices in an array of an output that the library numbers by the sizes of a layout."""
    if sizes == shape:
        return tuple(index)
    number = numpy.ravel_multi_index(tuple(index), sizes)
    return tuple(int(i) for i in numpy.unravel_index(number, shape))
