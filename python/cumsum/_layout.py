# SPDX-License-Identifier: MIT
"""Two arrays as the operands of an operator's descriptor, whose strides are not negative and which has
at most eight dimensions: dimensions are reversed and merged, or the input is copied."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence

from ._library import MAX_DIMENSIONS, MOST_ELEMENTS, OperatorDesc, tensor_of

_OVERLAP = "out overlaps x, but its elements are not in the same places"


class Layout(NamedTuple):
    """Where the elements of two arrays are. Strides are in elements, offsets in bytes."""

    sizes: tuple[int, ...]
    x_strides: tuple[int, ...]
    y_strides: tuple[int, ...]
    axis: int
    decreasing: bool
    x_offset: int  # of the element with all indices 0 from the array's own
    y_offset: int
    copied: tuple[slice, ...] | None  # what of x must be copied, packed; None: nothing

    def describe(self, data_type: int, exclusive: bool) -> OperatorDesc:
        strides = self.x_strides, self.y_strides
        tensors = [tensor_of(data_type, self.sizes, steps) for steps in strides]
        return OperatorDesc(*tensors, self.axis, self.decreasing, exclusive)


def packed(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """The strides of packed elements of so many bytes."""
    strides = []
    for n in reversed(shape):
        strides.append(size)
        size *= max(n, 1)
    return tuple(reversed(strides))


def address(values: Any) -> int:
    at: int = values.__array_interface__["data"][0]
    return at


def span(values: Any) -> tuple[int, int]:
    """The addresses from the first byte to the last one, and one more."""
    low = high = address(values)
    for n, stride in zip(values.shape, values.strides):
        low += min(stride * (n - 1), 0)
        high += max(stride * (n - 1), 0)
    return low, high + values.itemsize


def are_apart(x: Any, y: Any) -> bool:
    """Whether the memory of one, from its lowest to its highest element, is beside the other's. Raises
    ValueError if it is not, and the elements do not lie on each other."""
    (x_low, x_high), (y_low, y_high) = span(x), span(y)
    if x_high <= y_low or y_high <= x_low:
        return True
    steps = zip(x.shape, x.strides, y.strides)
    if address(x) != address(y) or any(a != b for n, a, b in steps if n != 1):
        raise ValueError(_OVERLAP)
    return False


def copy_of(x: Any, copied: tuple[slice, ...], apart: bool) -> Any:
    """What a layout says must be copied. Which overlaps are allowed must not depend on whether that is
    so: ValueError if x and y are not apart."""
    if not apart:
        raise ValueError(_OVERLAP)
    return x[copied].copy("C")


class _Dimension(NamedTuple):
    size: int
    x: int  # strides in bytes
    y: int


def _is_describable(size: int, sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether a descriptor can have this layout: strides that are whole elements and not negative, and
    an extent of less than 2^32 elements."""
    steps = [(n - 1, stride) for n, stride in zip(sizes, strides) if n != 1]
    whole = all(stride >= 0 and stride % size == 0 for _, stride in steps)
    return whole and sum(n * stride for n, stride in steps) // size < MOST_ELEMENTS


def is_describable(values: Any) -> bool:
    """Whether a descriptor can have the layout of an array."""
    aligned: bool = values.flags.aligned
    return aligned and _is_describable(values.itemsize, values.shape, values.strides)


def _few(dimensions: list[_Dimension], axis: int) -> tuple[list[_Dimension], int]:
    """If there are too many: drops dimensions of size 1, and merges neighbours that are one run in both
    arrays. Returns what is left, and where the axis is."""
    if len(dimensions) <= MAX_DIMENSIONS:
        return dimensions, axis
    kept: list[_Dimension] = []
    place = -1
    for d, (size, x, y) in enumerate(dimensions):
        if d == axis:
            place = len(kept)
        elif size == 1:
            continue
        if kept and d != axis and place != len(kept) - 1:
            outer = kept[-1]
            if (outer.x, outer.y) == (x * size, y * size):
                kept[-1] = _Dimension(outer.size * size, x, y)
                continue
        kept.append(_Dimension(size, x, y))
    return kept, place


def layout_of(
    shape: Sequence[int],
    x_strides: Sequence[int],
    y_strides: Sequence[int],
    size: int,
    axis: int,
    decreasing: bool,
    aligned: tuple[bool, bool] = (True, True),
    in_pieces: bool = False,
    name: str = "out",
) -> Layout:
    """The layout of a sum of at least one element. Strides are in bytes; aligned says whether the
    elements of x and y are. With in_pieces the order of lines and the direction stay, since a carry has
    them. Raises ValueError, in which `name` is y, for a y that no descriptor has."""
    dimensions = [
        _Dimension(n, 0, 0) if n == 1 else _Dimension(n, x, y)
        for n, x, y in zip(shape, x_strides, y_strides)
    ]
    x_offset = y_offset = 0
    direction = decreasing
    steps = [1] * len(dimensions)
    for d, (n, x, y) in enumerate(dimensions):
        if y >= 0:
            continue
        if in_pieces:
            raise ValueError(f"{name} runs backwards in a dimension, which a carry does not allow")
        x_offset, y_offset = x_offset + x * (n - 1), y_offset + y * (n - 1)
        dimensions[d], steps[d] = _Dimension(n, -x, -y), -1
        direction ^= d == axis
    sizes = [n for n, _, _ in dimensions]
    if not aligned[1] or not _is_describable(size, sizes, [y for _, _, y in dimensions]):
        raise ValueError(
            f"{name} has a layout that a descriptor cannot have: its elements must be aligned, whole "
            "elements apart, and the last at most 4294967294 elements from the first"
        )
    copies = not aligned[0] or not _is_describable(size, sizes, [x for _, x, _ in dimensions])
    merged, place = (dimensions, axis) if copies else _few(dimensions, axis)
    if copies or len(merged) > MAX_DIMENSIONS:
        x_offset, copies = 0, True
        columns = zip(sizes, packed(sizes, size), (y for _, _, y in dimensions))
        merged, place = _few([_Dimension(*column) for column in columns], axis)
    if len(merged) > MAX_DIMENSIONS:
        raise ValueError(
            f"{name} has more than 8 dimensions, and its strides do not let them be merged"
        )
    return Layout(
        tuple(n for n, _, _ in merged),
        tuple(x // size for _, x, _ in merged),
        tuple(y // size for _, _, y in merged),
        place,
        direction,
        x_offset,
        y_offset,
        tuple(slice(None, None, step) for step in steps) if copies else None,
    )


def unmerged(index: Sequence[int], sizes: Sequence[int], shape: Sequence[int]) -> tuple[int, ...]:
    """The indices in an array of an output that the library numbers by the sizes of a layout."""
    number = 0
    for i, size in zip(index, sizes):
        number = number * size + i
    indices = []
    for size in reversed(shape):
        number, i = divmod(number, max(size, 1))
        indices.append(i)
    return tuple(reversed(indices))
