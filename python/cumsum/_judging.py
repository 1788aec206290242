# SPDX-License-Identifier: MIT
"""Judgements of lines in pieces, and one judgement of those of all lines, for cumsum.dask."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Sequence, get_args

from . import _cumsum
from ._judgement import ErrorClass, Judgement, judgement_of
from ._words import TYPE_NUMBERS

# From the best to the worst.
_CLASSES = (*get_args(ErrorClass), "FAIL")

# From the strongest to the weakest.
_REASONS = ("not-by-neighbours", "error-jumps", "nothing-known")


class Kind(NamedTuple):
    """What the pieces of a judgement have in common: what the extension takes."""

    data_type: int
    outer: int  # lines are numbered by two indices, that before the axis and that behind it
    inner: int
    decreasing: bool
    exclusive: bool
    length: int
    numerics: tuple[int, int, int, int]
    options: tuple[bool, bool, bool, bool, bool, bool, bool]
    profile: str | None


class Judging:
    """A judgement of some lines that has not ended. Pieces are NumPy arrays of the whole length in
    all dimensions but the axis, in traversal order."""

    __slots__ = ("_kind", "_state")

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._state = _cumsum.judging_new(kind)

    def feed(self, x: Any, y: Any) -> None:
        """Judges the next piece."""
        import numpy

        size = x.size // (self._kind.outer * self._kind.inner)
        if y.shape != x.shape or y.dtype != x.dtype:
            raise ValueError(
                f"a chunk of y is {y.dtype} of shape {y.shape}, but that of x is {x.dtype} of shape "
                f"{x.shape}"
            )
        if TYPE_NUMBERS.get(x.dtype.name) != self._kind.data_type or not x.dtype.isnative:
            raise TypeError(f"a chunk of x has type {x.dtype}, which is not that of the whole array")
        # Chunks that came over a network may lie at odd addresses.
        packed = [numpy.require(a, requirements=["C", "A"]) for a in (x, y)]
        _cumsum.judging_feed(self._state, size, *packed)

    def end(self, origin: tuple[int, ...], sizes: tuple[int, ...], axis: int) -> Found:
        """The verdicts, for lines whose block begins at `origin` of the whole array and has these
        sizes."""
        said, not_tried, undoubted, *points = _cumsum.judging_end(self._state)
        floats = said["data_type"].startswith("FLOAT")
        said["not_tried"] = not_tried if floats and not self._kind.options[4] else []
        return Found(said, undoubted, *(_place(at, origin, sizes, axis) for at in points))


class Found(NamedTuple):
    """The verdicts on some lines of an array, and the indices in the array that they point to."""

    said: dict[str, Any]
    undoubted: dict[str, int]  # what the doubtful outputs would count as
    first: tuple[int, ...]
    worst: tuple[int, ...]
    doubt: tuple[int, ...]


def _unravel(number: int, sizes: Sequence[int]) -> list[int]:
    indices = []
    for size in reversed(sizes):
        number, index = divmod(number, size)
        indices.append(index)
    return indices[::-1]


def _place(
    at: tuple[int, int, int], origin: tuple[int, ...], sizes: tuple[int, ...], axis: int
) -> tuple[int, ...]:
    outer, along, inner = at
    within = [*_unravel(outer, sizes[:axis]), along, *_unravel(inner, sizes[axis + 1 :])]
    return tuple(a + b for a, b in zip(origin, within))


def _severity(said: dict[str, Any]) -> int:
    counts = said["counts"]
    if counts["FAIL"]:
        return 3
    if counts["DOUBTFUL"] and not said["passed"]:
        return 2
    return int(counts["overflow-indeterminate"] > 0)


def _without_doubt(part: Found) -> Found:
    """Of arrays with an output that fails no doubt is looked for."""
    counts = {**part.said["counts"], "DOUBTFUL": 0}
    for verdict, count in part.undoubted.items():
        counts[verdict] += count
    return part._replace(said={**part.said, "counts": counts, "doubt": None, "seam": 0})


def join(
    parts: list[Found], axis: int, reverse: bool, orders: str
) -> Judgement:
    """The judgement of an array, from those of its lines. Of equals the first one counts, as if the
    lines had been judged one after the other."""

    def rank(place: tuple[int, ...]) -> tuple[int, ...]:
        along = -place[axis] if reverse else place[axis]
        return (*place[:axis], *place[axis + 1 :], along)

    def strength(part: Found) -> tuple[int, tuple[int, ...]]:
        return _REASONS.index(part.said["doubt"]["reason"]), rank(part.doubt)

    severity = max(_severity(part.said) for part in parts)
    if severity == 3:
        parts = [_without_doubt(part) for part in parts]
    gravest = [part for part in parts if _severity(part.said) == severity]
    doubts = sorted((part for part in parts if part.said["doubt"]), key=strength)
    notes = sorted((part for part in parts if part.said["seam"]), key=lambda part: rank(part.doubt))
    said = dict(parts[0].said)
    if severity == 2:
        first = worst = doubts[0]
    elif severity:
        first = min(gravest, key=lambda part: part.first)
        order = [(-part.said["worst"]["ulps"], rank(part.worst)) for part in gravest]
        worst = gravest[order.index(min(order))]
    else:
        order = [(-part.said["h"], rank(part.first)) for part in gravest]
        first = worst = gravest[order.index(min(order))]
    said["first"] = {**first.said["first"], "coordinates": first.first}
    said["worst"] = {**worst.said["worst"], "coordinates": worst.worst}
    said["doubt"], said["seam"] = None, notes[0].said["seam"] if notes and not doubts else 0
    if doubts:
        said["doubt"] = {**doubts[0].said["doubt"], "coordinates": doubts[0].doubt}
        for count in ("outputs", "lines"):
            said["doubt"][count] = sum(part.said["doubt"][count] for part in doubts)
    others = [part.said for part in parts]
    said["outputs"] = sum(other["outputs"] for other in others)
    said["counts"] = {
        verdict: sum(other["counts"][verdict] for other in others) for verdict in said["counts"]
    }
    said["models"] = [
        model for model in said["models"] if all(model in other["models"] for other in others)
    ]
    said["orders"] = [
        order for order in said["orders"] if all(order in other["orders"] for other in others)
    ]
    if orders == "first":
        said["orders"] = said["orders"][:1]
    said["passed"] = all(other["passed"] for other in others)
    said["h"] = max(other["h"] for other in others)
    said["error_class"] = max((other["error_class"] for other in others), key=_CLASSES.index)
    said["not_tried"] = tuple(said["not_tried"])
    return judgement_of(said)


def lines_of(sizes: Sequence[int], axis: int) -> tuple[int, int]:
    """The lines of a block, before the axis and behind it."""
    return math.prod(sizes[:axis]), math.prod(sizes[axis + 1 :])
