# SPDX-License-Identifier: MIT
"""judge_sum(): the oracle's verdict on a sum over axes that something else computed, and
assert_sum(), which raises it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, SupportsIndex, Tuple, TypeVar, Union, get_args

from . import _cumsum
from ._arrays import Array, judged, widened
from ._judgement import Doubt, ErrorClass, Finding, Judgement, details, judgement_of
from ._words import HalfAccumulator, HalfStore, flag, integer_of, numerics, word_in

Axes = Union[SupportsIndex, Tuple[SupportsIndex, ...], None]

_MOST_DIMENSIONS = 8
_Placed = TypeVar("_Placed", Finding, Doubt)


@dataclass(frozen=True)
class SumJudgement(Judgement):
    """The verdict on sums. It is true if they pass, so a test can assert it. No near order is looked
    for, and power is not known."""

    closer: int
    """The number of outputs that fail although they are no farther from the exact sum than the worst
    order: a compensated or binned sum, say."""

    def __str__(self) -> str:
        text = super().__str__()
        if self.closer:
            text += f"; {self.closer} of them are closer than some orders, but none gives them"
        return text

    def __repr__(self) -> str:
        return str(self)


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


def _shape(name: str, array: Any) -> tuple[int, ...]:
    if hasattr(array, "shape"):
        return tuple(array.shape)
    try:
        return tuple(memoryview(array).shape or ())
    except TypeError:
        _cumsum.type_of(array, True, name)  # says what an array is
        raise


def _without(found: _Placed | None, axes: tuple[int, ...]) -> _Placed | None:
    """The same output in an array that lacks the summed axes."""
    if found is None:
        return None
    kept = tuple(index for d, index in enumerate(found.coordinates) if d not in axes)
    return replace(found, coordinates=kept)


def judge_sum(
    x: Array,
    y: Array,
    axis: Axes = None,
    *,
    strict: bool = False,
    strict_zero: bool = False,
    reachable: bool = False,
    orders: Literal["first", "all", "none"] = "first",
    half_accumulator: HalfAccumulator | None = None,
    half_store: HalfStore | None = None,
    doubtful: bool = False,
    profile: str | None = None,
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
    x, x_bits = judged("x", widened(x, y))
    y, y_bits = judged("y", y)
    sizes, found = _shape("x", x), _shape("y", y)
    axes = _axes_of(len(sizes), axis)
    kept = tuple(1 if d in axes else size for d, size in enumerate(sizes))
    dropped = tuple(size for d, size in enumerate(sizes) if d not in axes)
    if found not in (kept, dropped):
        raise ValueError(
            f"y has the shape {found}, and the sums of x have the shape {dropped} or {kept}"
        )
    word_in("orders", orders, ("first", "all", "none"))
    promised = half_accumulator is not None or half_store is not None
    said, closer = _cumsum.judge_sum(
        x,
        y,
        sum(1 << d for d in axes),
        numerics(
            "sequential",
            "float32" if half_accumulator is None else half_accumulator,
            "nearest-even" if half_store is None else half_store,
            "preserve",
        ),
        (
            flag("strict_zero", strict_zero),
            flag("strict", strict),
            promised,
            orders == "all",
            orders == "none",
            flag("reachable", reachable),
            flag("doubtful", doubtful),
        ),
        (x_bits, y_bits),
        profile,
    )
    judgement = judgement_of(said)
    members = dict(vars(judgement), closer=closer)
    if found != kept:
        for name in ("first", "worst", "doubt"):
            members[name] = _without(members[name], axes)
    return SumJudgement(**members)


def assert_sum(
    x: Array,
    y: Array,
    axis: Axes = None,
    *,
    at_most: ErrorClass = "any-order",
    strict: bool = False,
    strict_zero: bool = False,
    reachable: bool = False,
    half_accumulator: HalfAccumulator | None = None,
    half_store: HalfStore | None = None,
    doubtful: bool = False,
    profile: str | None = None,
) -> None:
    """Asserts that y is a sum of x over axes, and a good one.

    at_most: the worst class of errors that is accepted, as in assert_cumsum().
    Other arguments: as in judge_sum().

    Raises AssertionError with the verdict; otherwise what judge_sum() raises.
    """
    __tracebackhide__ = True  # pytest shows the test instead of this function
    classes: tuple[str, ...] = get_args(ErrorClass)
    word_in("at_most", at_most, classes)
    judgement = judge_sum(
        x,
        y,
        axis,
        strict=strict,
        strict_zero=strict_zero,
        reachable=reachable,
        half_accumulator=half_accumulator,
        half_store=half_store,
        doubtful=doubtful,
        profile=profile,
    )
    if not judgement:
        raise AssertionError(details(judgement))
    if judgement.error_class not in classes[: classes.index(at_most) + 1]:
        raise AssertionError(
            f"the class is {judgement.error_class} (h={judgement.h:.3g}), and must be {at_most} or "
            f"better\n{details(judgement)}"
        )
