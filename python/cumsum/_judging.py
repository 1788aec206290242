# SPDX-License-Identifier: MIT
"""Judgements of lines in pieces, and one judgement of those of all lines, for cumsum.dask."""

from __future__ import annotations

import threading
from ctypes import byref, pointer
from typing import Any, NamedTuple, Sequence

import numpy

from . import _library
from ._arrays import JUDGED, type_name
from ._judgement import JudgeOptions, Judgement, judgement_of, options_of
from ._layout import Layout, address, packed
from ._library import (
    MAX_DIMENSIONS,
    NAMED_COMPOSED,
    VERDICT_FAIL,
    VERDICT_MAY_OVERFLOW,
    VERDICT_SUSPECT,
    Handle,
    PiecesJudgement,
    call,
    library,
)


class Kind(NamedTuple):
    """What the pieces of a judgement have in common."""

    data_type: int
    outer: int  # lines are numbered by two indices, that before the axis and that behind it
    inner: int
    decreasing: bool
    exclusive: bool
    length: int
    orders: str
    options: JudgeOptions

    def describe(self, count: int) -> _library.OperatorDesc:
        """A piece of so many elements of each line."""
        sizes = self.outer, count, self.inner
        strides = packed(sizes)
        layout = Layout(sizes, (strides, strides), 1)
        return layout.describe(self.data_type, self.decreasing, self.exclusive)


class Judging:
    """A judgement of some lines that has not ended. Pieces are NumPy arrays of the whole length in
    all dimensions but the axis, in traversal order."""

    __slots__ = ("_kind", "_handle", "_lock")

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._lock = threading.Lock()
        self._handle = Handle(
            library.cumsum_judging_create,
            library.cumsum_judging_destroy,
            byref(kind.describe(1)),
            kind.length,
            byref(options_of(kind.data_type, kind.orders, kind.options)),
        )

    def feed(self, x: Any, y: Any) -> None:
        """Judges the next piece."""
        count = x.size // (self._kind.outer * self._kind.inner)
        if y.shape != x.shape or y.dtype != x.dtype:
            raise ValueError(
                f"a chunk of y is {y.dtype} of shape {y.shape}, but that of x is {x.dtype} of "
                f"shape {x.shape}"
            )
        if JUDGED.get(x.dtype) != self._kind.data_type:
            raise TypeError(f"a chunk of x has type {x.dtype}, which is not the whole array's")
        # Chunks that came over a network may lie at odd addresses.
        x, y = (numpy.require(a, requirements=["C", "A"]) for a in (x, y))
        desc = self._kind.describe(count)
        with self._lock:
            judging = self._handle.pointer
            begun = byref(desc), library.cumsum_judging_position(judging)
            operands = address(x), x.nbytes, address(y), y.nbytes
            call(library.cumsum_judging_feed, judging, *begun, *operands, None)

    def end(self, origin: tuple[int, ...], sizes: tuple[int, ...], axis: int) -> Found:
        """The verdicts, for lines whose block begins at `origin` of the whole array and has these
        sizes."""
        found = PiecesJudgement()
        with self._lock:
            call(library.cumsum_judging_end, self._handle.pointer, byref(found))
        for at in (found.first, found.worst, found.doubt):
            place = _place(at, origin, sizes, axis)
            at[:] = (*place, *[0] * (MAX_DIMENSIONS - len(place)))
        return Found(self._kind, len(origin), bytes(found))


class Found(NamedTuple):
    """The verdicts on some lines of an array."""

    kind: Kind
    rank: int
    judgement: bytes  # the library's structure, whose places are in the whole array


def _place(
    at: Sequence[int], origin: tuple[int, ...], sizes: tuple[int, ...], axis: int
) -> tuple[int, ...]:
    outer, along, inner = at[:3]
    unravel = numpy.unravel_index
    within: list[Any] = [*unravel(outer, sizes[:axis]), along, *unravel(inner, sizes[axis + 1 :])]
    return tuple(a + int(b) for a, b in zip(origin, within))


def _forget_doubt(found: PiecesJudgement) -> None:
    """Of arrays with an output that fails no doubt is looked for."""
    for verdict, count in enumerate(found.undoubted):
        found.judgement.counts[verdict] += count
    found.judgement.counts[VERDICT_SUSPECT] = 0
    found.judgement.doubt = type(found.judgement.doubt)()


def _not_tried(found: PiecesJudgement, kind: Kind) -> tuple[str, ...]:
    """The orders that need whole lines."""
    if kind.orders == "none" or not found.tried:
        return ()
    missing = [number for number in range(NAMED_COMPOSED) if not found.tried >> number & 1]
    return tuple(library.cumsum_named_order_name(number).decode() for number in missing)


def join(parts: list[Found], axis: int, reverse: bool, orders: str) -> Judgement:
    """The judgement of an array, from those of its lines. Of equals the first one counts, as if the
    lines had been judged one after the other."""

    def rank(lines: PiecesJudgement) -> tuple[int, ...]:
        place = list(lines.worst)
        along = place.pop(axis)
        return (*place, -along if reverse else along)

    kind = parts[0].kind
    judged = [PiecesJudgement.from_buffer_copy(part.judgement) for part in parts]
    whole = PiecesJudgement()
    for lines in sorted(judged, key=rank):
        call(library.cumsum_judging_add_lines, byref(whole), byref(lines))
    verdict = whole.judgement.first.verdict
    if verdict in (VERDICT_FAIL, VERDICT_MAY_OVERFLOW):  # the first in row-major order of outputs
        equal = [lines for lines in judged if lines.judgement.first.verdict == verdict]
        first = min(equal, key=lambda lines: list(lines.first))
        whole.judgement.first, whole.first = first.judgement.first, first.first
    if whole.judgement.counts[VERDICT_FAIL]:
        _forget_doubt(whole)
    if orders == "first":
        whole.judgement.match_count = min(whole.judgement.match_count, 1)
    whole_judged = _library.Judged(
        type=kind.data_type,
        rank=parts[0].rank,
        judgement=pointer(whole.judgement),
        profile=options_of(kind.data_type, kind.orders, kind.options).name,
        places=whole.places(),
    )
    return judgement_of(whole_judged, type_name(kind.data_type), not_tried=_not_tried(whole, kind))
