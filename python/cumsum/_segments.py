# SPDX-License-Identifier: MIT
"""Segments of lines, initial values, and complex numbers as their parts."""

from __future__ import annotations

from ctypes import POINTER, Structure, c_uint64, c_void_p, cast
from typing import Any, TypeGuard

import numpy

from ._layout import address


class Segments(Structure):
    """include/cumsum/segments.h. It refers to the arrays `kept`."""

    _fields_ = [
        ("ends", POINTER(c_uint64)),
        ("count", c_uint64),
        ("per_line", POINTER(c_uint64)),
        ("initial", c_void_p),
    ]
    kept: tuple[Any, ...]


def segments_of(segments: Any, initial: Any, dtype: Any, length: int) -> Segments | None:
    """How lines of this length and type are cut; None: they are whole, and begin with nothing.
    Raises TypeError and ValueError."""
    if segments is None and initial is None:
        return None
    ends = numpy.empty(0, numpy.uint64)
    if segments is not None:
        offsets = numpy.asarray(segments)
        if offsets.ndim != 1 or offsets.dtype.kind not in "iu":
            raise TypeError(
                "segments must be offsets: one line of integers, 0, the ends of the segments, the "
                "last of which is the length of the axis"
            )
        if offsets.size < 2 or offsets[0] != 0 or offsets[-1] != length or (offsets < 0).any():
            raise ValueError(
                f"segments must begin with 0 and end with {length}, the length of the axis"
            )
        ends = offsets[1:].astype(numpy.uint64)
    first = None if initial is None else _element(initial, dtype)
    cut = Segments(count=ends.size)
    if segments is not None:
        cut.ends = cast(address(ends), POINTER(c_uint64))
    if first is not None:
        cut.initial = address(first)
    cut.kept = ends, first
    return cut


def _element(initial: Any, dtype: Any) -> Any:
    given = numpy.asarray(initial)
    if given.ndim or not numpy.can_cast(given.dtype, dtype, "same_kind"):
        raise TypeError(f"initial is {initial!r}, and must be a number of x's type, {dtype}")
    try:
        return numpy.full(1, initial, dtype)
    except OverflowError:
        raise ValueError(f"initial is {initial!r}, which {dtype} does not have") from None


def is_complex(array: Any) -> TypeGuard[numpy.ndarray[Any, Any]]:
    """Does NumPy's array have complex numbers?"""
    return isinstance(array, numpy.ndarray) and array.dtype.kind == "c"


def parts_of(array: Any) -> Any:
    """The real and the imaginary parts of complex numbers, in one more dimension at the end."""
    packed = numpy.ascontiguousarray(array)
    return packed.view(packed.real.dtype).reshape(*array.shape, 2)
