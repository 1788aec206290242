# SPDX-License-Identifier: MIT
"""Segments of lines, initial values, and complex numbers as their parts."""

from __future__ import annotations

from ctypes import POINTER, c_uint64, cast
from typing import Any, NamedTuple, TypeGuard

import numpy

from ._layout import Sizes, address
from ._library import Segments


class Cuts(NamedTuple):
    """The arguments that say how lines are cut, and what they begin with."""

    segments: Any = None
    keys: Any = None
    flags: Any = None
    initial: Any = None

    def given(self) -> bool:
        return any(argument is not None for argument in self)

    def check_initial_zero(self, exclusive: bool) -> None:
        """Raises ValueError where include_initial has no meaning."""
        if exclusive:
            raise ValueError("exclusive sums begin with 0 already: include_initial must be False")
        if self.given():
            raise ValueError(
                "include_initial is for whole lines that begin with 0: it must be False"
            )

    def of_parts(self) -> Cuts:
        """The same for parts_of() an x. Raises TypeError for an initial value."""
        if self.initial is not None:
            raise TypeError("x has complex numbers, whose sums have no initial value")
        lines = (None if each is None else _with_parts(numpy.asarray(each)) for each in self[:3])
        return Cuts(*lines)


def _with_parts(given: Any) -> Any:
    return numpy.stack((given, given), -1) if given.ndim > 1 else given


_MUST = {
    "segments": "offsets, integers: 0, the ends of the segments, and the last of them the length of"
    " the axis",
    "keys": "values that can be compared",
    "flags": "bool or integers",
}
_KINDS = {"segments": "iu", "keys": "biufcmMSUO", "flags": "biu"}


def _by_lines(name: str, given: Any, shape: Sizes, axis: int) -> Any:
    """What there is for each line, [lines][any]; one line if it is for all."""
    lines = numpy.asarray(given)
    if lines.dtype.kind not in _KINDS[name] or lines.ndim == 0:
        raise TypeError(f"{name} must be an array of {_MUST[name]}")
    sizes = list(shape)
    if name == "segments":
        sizes[axis] = lines.shape[axis] if lines.ndim == len(shape) else -1
    if lines.ndim > 1 and lines.shape != tuple(sizes):
        along = " but along the axis" if name == "segments" else ""
        raise ValueError(
            f"{name} has the shape {lines.shape}, and must be for one line, or have x's shape"
            f"{along}, {shape}"
        )
    if lines.ndim == 1 and name != "segments" and lines.size != shape[axis]:
        raise ValueError(f"{name} has {lines.size} elements, and a line has {shape[axis]}")
    if lines.ndim == 1:
        return lines[None]
    lines = numpy.moveaxis(lines, axis, -1)
    return lines.reshape(-1, lines.shape[-1])


def _offsets(lines: Any, length: int) -> tuple[Any, Any]:
    begun = lines.shape[1] > 1 and not lines[:, 0].any() and (lines >= 0).all()
    if not begun or (lines[:, -1] != length).any():
        raise ValueError(f"segments must begin with 0 and end with {length}, the length of the axis")
    return lines[:, 1:].ravel(), numpy.full(len(lines), lines.shape[1] - 1)


def _marks(name: str, lines: Any) -> tuple[Any, Any]:
    """A segment ends before an element with another key, or a flag; and with the line. NaN is a
    key like others."""
    ends = numpy.ones(lines.shape, bool)
    before, behind = lines[:, :-1], lines[:, 1:]
    if name == "flags":
        ends[:, :-1] = behind != 0
    else:
        ends[:, :-1] = (before != behind) & ((before == before) | (behind == behind))
    return numpy.nonzero(ends)[1] + 1, ends.sum(1)


def segments_of(cuts: Cuts, dtype: str, shape: Sizes, axis: int) -> Segments | None:
    """How the lines of an x are cut, whose type has this name; None: they are whole, and begin with
    nothing. Raises TypeError and ValueError."""
    given = [(name, value) for name, value in cuts._asdict().items() if value is not None]
    first = None if cuts.initial is None else _element(cuts.initial, dtype)
    cut = Segments(initial=None if first is None else address(first))
    cut.kept = (first,)
    if len(given) > 1 + (first is not None):
        raise ValueError("segments, keys and flags say the same: only one of them may be given")
    if not given:
        return None
    name, value = given[0]
    if name == "initial":
        return cut
    lines = _by_lines(name, value, shape, axis)
    ends, per_line = (
        _offsets(lines, shape[axis]) if name == "segments" else _marks(name, lines)
    )
    cut.kept = first, ends.astype(numpy.uint64), per_line.astype(numpy.uint64)
    cut.ends, cut.count = cast(address(cut.kept[1]), POINTER(c_uint64)), ends.size
    if numpy.ndim(value) > 1:
        cut.per_line = cast(address(cut.kept[2]), POINTER(c_uint64))
    return cut


def _element(initial: Any, dtype: str) -> Any:
    given = numpy.asarray(initial)
    is_float = "float" in dtype
    if given.ndim or given.dtype.kind not in ("biuf" if is_float else "biu"):
        raise TypeError(f"initial is {initial!r}, and must be a number of x's type, {dtype}")
    if not is_float:
        limits = numpy.iinfo(dtype)
        if not limits.min <= int(given) <= limits.max:
            raise ValueError(f"initial is {initial!r}, which {dtype} does not have")
    with numpy.errstate(over="ignore"):
        element = numpy.full(1, initial, "float32" if dtype == "bfloat16" else dtype)
    if dtype != "bfloat16":
        return element
    bits = int(element.view("uint32")[0])
    to_even = 0 if numpy.isnan(element[0]) else 0x7FFF + (bits >> 16 & 1)
    return numpy.full(1, (bits + to_even) >> 16, "uint16")


def is_complex(array: Any) -> TypeGuard[numpy.ndarray[Any, Any]]:
    """Does NumPy's array have complex numbers?"""
    return isinstance(array, numpy.ndarray) and array.dtype.kind == "c"


def parts_of(array: Any) -> Any:
    """The real and the imaginary parts of complex numbers, in one more dimension at the end."""
    packed = numpy.ascontiguousarray(array)
    return packed.view(packed.real.dtype).reshape(*array.shape, 2)
