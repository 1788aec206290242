# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""judge_sum(): the oracle's verdict on a sum over axes that something else computed, and
assert_sum(), which raises it."""

from __future__ import annotations

from ctypes import byref, pointer
from dataclasses import dataclass
from typing import Literal, Sequence, SupportsIndex, Tuple, Union, Unpack, get_args

import numpy

from . import _library
from ._arrays import Array, judged, type_name, widened
from ._judgement import (
    AtMost,
    JudgeOptions,
    Judgement,
    check_class,
    judgement_of,
    options_of,
)
from ._layout import address, is_describable, packed
from ._library import bytes_of, call, library, tensor_of
from ._words import OLD_JUDGING, Accept, HalfAccumulator, HalfStore, integer_of, refuses, word_in

Axes = Union[SupportsIndex, Tuple[SupportsIndex, ...], None]

_MOST_DIMENSIONS = 8


@dataclass(frozen=True)
class SumJudgement(Judgement):
    """The verdict on sums. It is true if they pass, so a test can assert it. No near order is looked
    for, and power is not known."""

    closer: int
    """The number of outputs that fail although they are no farther from the exact sum than the worst
    order: a compensated or binned sum, say."""

def _axes_of(dimensions: int, axis: Axes) -> tuple[int, ...]:
    """The axes as numbers from 0 on. None means all of them."""
    if dimensions > _MOST_DIMENSIONS:
        raise ValueError(
            f"x has {dimensions} dimensions, and the oracle takes at most {_MOST_DIMENSIONS}"
        )
    if axis is None:
        return tuple(range(dimensions))
    axes = []
    for one in axis if isinstance(axis, tuple) else (axis,):
        number = integer_of("axis", one)
        if not -dimensions <= number < dimensions:
            raise ValueError(
                f"axis {number} is out of bounds for an array of dimension {dimensions}"
            )
        if number % dimensions in axes:
            raise ValueError(f"axis {number} is given twice")
        axes.append(number % dimensions)
    return tuple(axes)


@refuses(**OLD_JUDGING)
def judge_sum(
    x: Array,
    y: Array,
    axis: Axes = None,
    *,
    accept: Accept = "conformant",
    strict_zero: bool = False,
    reachable: bool = False,
    orders: Literal["first", "all", "none"] = "first",
    half_accumulator: HalfAccumulator | None = None,
    half_store: HalfStore | None = None,
    rules: str | None = None,
) -> SumJudgement:
    """Can y be the sum of x over axes, added in any order?

    x: an array as judge() accepts it, of at most 8 dimensions. It may be empty: an empty sum is 0.
    y: the sums, with the summed axes as dimensions of size 1 or without them. Its type is that of x,
        or a wider one that holds every value of x: x is then converted first.
    axis: one axis, several as a tuple, or None for all.
    strict_zero: treat +0 and -0 as different. A sum may be -0 only if all of its terms are.
    Other arguments: as in judge().

    Use it in a test:

        assert cumsum.judge_sum(x, y, axis=1)

    Raises ValueError for axes and shapes that do not match; otherwise what judge() raises.
    """
    source, x_type = judged("x", widened(x, y))
    actual, y_type = judged("y", y)
    axes = _axes_of(source.ndim, axis)
    kept = tuple(1 if d in axes else size for d, size in enumerate(source.shape))
    dropped = tuple(size for d, size in enumerate(source.shape) if d not in axes)
    if actual.shape not in (kept, dropped):
        raise ValueError(
            f"y has the shape {actual.shape}, and the sums of x have the shape {dropped} or {kept}"
        )
    if x_type != y_type:
        raise TypeError(f"y has type {type_name(y_type)}, but x has type {type_name(x_type)}")
    options = options_of(
        x_type,
        strict_zero=strict_zero,
        accept=accept,
        orders=orders,
        reachable=reachable,
        half_accumulator=half_accumulator,
        half_store=half_store,
        rules=rules,
    )
    places = [d for d in range(source.ndim) if actual.shape == kept or d not in axes]
    source, actual = numpy.atleast_1d(source), numpy.require(actual, requirements=["C", "A"])
    source = source if source.size and is_describable(source) else source.copy("C")
    sizes = kept or (1,)
    steps = zip(source.shape, source.strides)
    strides = [0 if n == 1 else stride // source.itemsize for n, stride in steps]
    tensors = (
        tensor_of(x_type, source.shape, strides),
        tensor_of(x_type, sizes, packed(sizes, 1)),
    )
    desc = _library.SumsDesc(*tensors, len(axes), _library.numbers(axes))
    found = _library.SumsJudgement()
    memory = address(source), bytes_of(tensors[0]), address(actual), bytes_of(tensors[1])
    call(library.cumsum_judge_sums, byref(desc), *memory, byref(options), None, byref(found))
    said = _library.Judged(
        None,
        pointer(desc),
        x_type,
        0,
        *memory,
        options=pointer(options),
        judgement=pointer(found.judgement),
        closer=found.closer,
        profile=None if rules is None else rules.encode(),
    )

    def place(coordinates: Sequence[int]) -> tuple[int, ...]:
        return tuple(coordinates[d] for d in places)

    judgement = judgement_of(said, type_name(x_type), place=place)
    return SumJudgement(**vars(judgement), closer=found.closer)


@refuses(**OLD_JUDGING, min_class="at_most")
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
    word_in("at_most", at_most, get_args(AtMost))
    check_class(judge_sum(x, y, axis, **options), at_most)
