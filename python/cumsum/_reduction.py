# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""judge_sum(): the oracle's verdict on a sum over axes that something else computed, and
assert_sum(), which raises it."""

from __future__ import annotations

from ctypes import byref, pointer
from dataclasses import dataclass
from typing import Sequence, SupportsIndex, Tuple, Union, Unpack

import numpy

from . import _library
from ._arrays import Array, judged, type_name, widened
from ._cuda import on_host
from ._judgement import AtMost, JudgeOptions, Judgement, Orders
from ._judgement import check_class, judgement_of, options_of
from ._layout import address, in_elements, packed
from ._library import bytes_of, call, library, tensor_of
from ._words import axis_within, flag, names_successors

Axes = Union[SupportsIndex, Tuple[SupportsIndex, ...], None]


@dataclass(frozen=True, repr=False)
class SumJudgement(Judgement):
    """The verdict on sums. It is true if they pass, so a test can assert it. No near order is
    looked for, and power is not known."""

    closer: int
    """The number of outputs that fail although they are no farther from the exact sum than the
    worst order: a compensated or binned sum, say."""


def _axes_of(dimensions: int, axis: Axes) -> tuple[int, ...]:
    """The axes as numbers from 0 on. None means all of them."""
    if axis is None:
        return tuple(range(dimensions))
    axes: list[int] = []
    for one in axis if isinstance(axis, tuple) else (axis,):
        axes.append(axis_within(dimensions, one))
        if axes.count(axes[-1]) > 1:
            raise ValueError(f"axis {one} is given twice")
    return tuple(axes)


@names_successors(JudgeOptions)
def judge_sum(
    x: Array,
    y: Array,
    axis: Axes = None,
    *,
    orders: Orders = "first",
    measure: bool = False,
    **options: Unpack[JudgeOptions],
) -> SumJudgement:
    """Can y be the sum of x over axes, added in any order?

    x: an array as judge() accepts it, of at most 8 dimensions. It may be empty: an empty sum is 0.
    y: the sums, with the summed axes as dimensions of size 1 or without them. Its type is that of
        x, or a wider one that holds every value of x: x is then converted first.
    axis: one axis, several as a tuple, or None for all.
    orders, measure, options: as in judge(). With rules="zero=signed" a sum may be -0 only if all of
        its terms are.

    Use it in a test:

        assert cumsum.judge_sum(x, y, axis=1)

    Raises ValueError for axes and shapes that do not match; otherwise what judge() raises.
    """
    x, y = on_host("x", x), on_host("y", y)
    source, x_type = judged("x", widened(x, y))
    actual, y_type = judged("y", y)
    axes, measure = _axes_of(source.ndim, axis), flag("measure", measure)
    kept = tuple(1 if d in axes else size for d, size in enumerate(source.shape))
    dropped = tuple(size for d, size in enumerate(source.shape) if d not in axes)
    if actual.shape not in (kept, dropped):
        raise ValueError(
            f"y has the shape {actual.shape}, and the sums of x have the shape {dropped} or {kept}"
        )
    if x_type != y_type:
        raise TypeError(f"y has type {type_name(y_type)}, but x has type {type_name(x_type)}")
    how = options_of(x_type, orders, options)
    places = [d for d in range(source.ndim) if actual.shape == kept or d not in axes]
    source, actual = numpy.atleast_1d(source), numpy.require(actual, requirements=["C", "A"])
    sizes = kept or (1,)
    steps = in_elements(source.shape, source.strides, source.itemsize, source.flags.aligned)
    if steps is None or not source.size:
        source, steps = source.copy(), packed(source.shape)
    tensors = tensor_of(x_type, source.shape, steps), tensor_of(x_type, sizes, packed(sizes))
    desc = _library.SumsDesc(*tensors, len(axes), _library.numbers(axes))
    found = _library.SumsJudgement()
    memory = address(source), bytes_of(tensors[0]), address(actual), bytes_of(tensors[1])
    call(library.cumsum_judge_sums, byref(desc), *memory, byref(how), None, byref(found))
    said = _library.Judged(
        None,
        pointer(desc),
        x_type,
        0,
        *memory,
        options=pointer(how),
        judgement=pointer(found.judgement),
        closer=found.closer,
        profile=how.name,
        measure=measure,
    )

    def place(coordinates: Sequence[int]) -> tuple[int, ...]:
        return tuple(coordinates[d] for d in places)

    judgement = judgement_of(said, type_name(x_type), place=place)
    return SumJudgement(**vars(judgement), closer=found.closer)


@names_successors(JudgeOptions)
def assert_sum(
    x: Array,
    y: Array,
    axis: Axes = None,
    *,
    at_most: AtMost = "worst-case",
    **options: Unpack[JudgeOptions],
) -> None:
    """Asserts that y is a sum of x over axes, and a good one.

    at_most: the worst class of errors that is accepted, as in assert_cumsum().
    options: those of judge_sum(), but orders.

    Raises AssertionError with the verdict; otherwise what judge_sum() raises.
    """
    __tracebackhide__ = True  # pytest shows the test instead of this function
    check_class(judge_sum(x, y, axis, **options), at_most)
