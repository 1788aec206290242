# SPDX-License-Identifier: MIT
"""Carry: what precedes a piece of longer lines."""

from __future__ import annotations

import math
import struct
from typing import Any, Iterator, SupportsIndex

from . import _cumsum
from ._arrays import readable, with_a_dimension
from ._words import (
    DENORMALS,
    HALF_ACCUMULATORS,
    ORDERS,
    TYPE_NUMBERS,
    Denormals,
    HalfAccumulator,
    Order,
    axis_of,
    flag,
    integer_of,
    numerics,
    thread_count,
    word_of,
)

# The types of carries, and their numbers in saved ones.
CARRIED_TYPES = {
    name: TYPE_NUMBERS[name]
    for name in ("float32", "float16", "uint32", "int32", "uint64", "int64")
}

# What a carry agrees on with the arrays that it is used with: the type's number, the number of
# lines, whether the direction is decreasing, and the numbers of cumsum_numerics.
_Kind = tuple[int, int, bool, tuple[int, int, int, int]]

# The beginning of saved bytes: magic, version, type, order, accumulator, denormals, flags, lines.
_HEADER = struct.Struct("<8sIIIIIIQ")


def _kind_of(saved: bytes) -> _Kind:
    """What a saved carry says of itself, without checks: the library makes these."""
    if len(saved) < _HEADER.size:
        return 1, 1, False, (0, 0, 0, 0)
    _, _, number, order, accumulator, denormals, flags, lines = _HEADER.unpack_from(saved)
    known = number in CARRIED_TYPES.values() and 0 < lines < 2**32
    known = known and order < 3 and accumulator < 2 and denormals < 2
    if not known:
        return 1, 1, False, (0, 0, 0, 0)
    return number, lines, bool(flags & 1), (order, accumulator, 0, denormals)


def _type_of(kind: _Kind) -> str:
    return word_of(kind[0], CARRIED_TYPES)


def _differences(ours: _Kind, given: _Kind) -> Iterator[tuple[str, object, object]]:
    """Each thing that makes two kinds unlike: its name, the carry's value and the other's."""
    is_float, is_half = ours[0] <= 2, ours[0] == 2
    yield "type", _type_of(ours), _type_of(given)
    yield "number of lines", ours[1], given[1]
    yield "reverse", ours[2], given[2]
    a, b = ours[3], given[3]
    if is_float:
        yield "order", word_of(a[0], ORDERS), word_of(b[0], ORDERS)
    if is_half and a[0] != ORDERS["exact"]:
        name = "half_accumulator"
        yield name, word_of(a[1], HALF_ACCUMULATORS), word_of(b[1], HALF_ACCUMULATORS)
    if is_float and not is_half:
        yield "denormals", word_of(a[3], DENORMALS), word_of(b[3], DENORMALS)


class Carry:
    """What precedes the next piece of each line: a line may be longer than memory, still being
    written, or spread over machines. Pieces that are summed one after the other with one carry have
    the bits that one call over whole lines would give, wherever they are cut:

        carry = cumsum.Carry()
        for piece in pieces:
            sums = cumsum.cumsum(piece, axis, carry=carry)

    With reverse=True the first piece is the last of the line. The first piece decides the type, the
    number of lines, the direction and the arithmetic, and later pieces must have the same. Sizes
    along the axis may differ, and so may exclusive, half_store, threads and kernel.

    Integers, and the orders "exact" and "blocked", have totals: what a piece adds to a carry that is
    not known yet. So pieces can be taken in parallel: total() of each piece, append() of the totals
    to get the carry before each, and cumsum() of each piece with a copy() of its carry.

    A carry can be pickled; bytes() are the same on every machine, and the library checks them.
    """

    __slots__ = ("_state", "_kind", "_position")

    def __init__(self) -> None:
        self._state: Any = None
        self._kind: _Kind | None = None
        self._position: int | None = None  # where a total begins

    @classmethod
    def total(
        cls,
        x: Any,
        axis: SupportsIndex | None = None,
        *,
        position: SupportsIndex = 0,
        reverse: bool = False,
        order: Order = "sequential",
        half_accumulator: HalfAccumulator = "float32",
        denormals: Denormals = "preserve",
        threads: SupportsIndex = 1,
    ) -> Carry:
        """The total of x, a piece with `position` elements of each line before it. In the blocked
        order the position must be a multiple of 1024.

        Raises what cumsum() raises, and NotImplementedError in the sequential order of floats,
        whose sums depend on the number that a piece begins with.
        """
        total = cls()
        total._position = integer_of("position", position)
        if not 0 <= total._position <= 2**40:
            raise ValueError(f"position is {total._position}, and must be from 0 to 2**40")
        total.advance(
            x,
            axis,
            reverse=reverse,
            order=order,
            half_accumulator=half_accumulator,
            denormals=denormals,
            threads=threads,
        )
        return total

    @property
    def begin(self) -> int:
        """The elements of each line before the first that it covers: 0 unless it is a total."""
        return self._position or 0

    @property
    def end(self) -> int:
        """The elements of each line before the next piece."""
        return self.begin if self._state is None else _cumsum.carry_extent(self._state)[1]

    @property
    def is_total(self) -> bool:
        """Whether total() made it."""
        return self._position is not None

    def advance(
        self,
        x: Any,
        axis: SupportsIndex | None = None,
        *,
        reverse: bool = False,
        order: Order = "sequential",
        half_accumulator: HalfAccumulator = "float32",
        denormals: Denormals = "preserve",
        threads: SupportsIndex = 1,
    ) -> None:
        """Moves the carry behind x without computing its sums. Raises what cumsum() raises. A total
        of the blocked order has room for the elements of its first piece."""
        source = readable("x", x, loses_gradients=True)
        dimensions = len(_cumsum.type_of(source)[1])
        along = axis_of(dimensions, axis)
        source = source if dimensions else with_a_dimension(source)
        words = numerics(order, half_accumulator, "nearest-even", denormals)
        decreasing = flag("reverse", reverse)
        self._scan(source, None, along, decreasing, False, words, 0, thread_count(threads))

    def append(self, total: Carry) -> None:
        """Moves the carry over what a total holds, as if it had taken the total's pieces."""
        if not isinstance(total, Carry) or not total.is_total or total is self:
            raise ValueError("total must be another carry, made by Carry.total()")
        if total.begin != self.end:
            raise ValueError(
                f"total begins at position {total.begin}, but the carry ends at {self.end}"
            )
        if total._state is None or total._kind is None:
            return
        state = self._state_for(total._kind, total.end - total.begin)
        _cumsum.carry_append(state, total._state)
        self._state, self._kind = state, self._kind or total._kind

    def copy(self) -> Carry:
        """Another carry that stands where this one does."""
        saved = None if self._state is None else _cumsum.carry_save(self._state)
        return _restored(saved, self._position)

    @staticmethod
    def from_bytes(saved: bytes) -> Carry:
        """The carry whose bytes() these are. Raises ValueError if they are damaged or no carry's."""
        return _restored(bytes(saved), None)

    def __bytes__(self) -> bytes:
        if self._state is None:
            raise ValueError("the carry has taken no elements yet, so there is nothing to save")
        return _cumsum.carry_save(self._state)

    def __reduce__(self) -> tuple[Any, tuple[bytes | None, int | None]]:
        saved = None if self._state is None else _cumsum.carry_save(self._state)
        return _restored, (saved, self._position)

    def __sizeof__(self) -> int:
        held = 0 if self._state is None else _cumsum.carry_extent(self._state)[2]
        return object.__sizeof__(self) + held

    def __repr__(self) -> str:
        name = "total" if self.is_total else "carry"
        lines = "no elements yet"
        if self._kind is not None:
            lines = f"{self._kind[1]} lines of {_type_of(self._kind)}"
        return f"<cumsum {name} from {self.begin} to {self.end}: {lines}>"

    def _state_for(self, kind: _Kind, length: int) -> Any:
        """The library's carry for arrays of this kind, a new one if there is none yet."""
        if self._kind is None:
            return _cumsum.carry_new(kind, self._position, length)
        for name, ours, given in _differences(self._kind, kind):
            if ours != given:
                raise ValueError(f"the carry has {name} {ours!r}, but the piece has {given!r}")
        return self._state

    def _scan(
        self,
        source: Any,
        out: Any,
        axis: int,
        decreasing: bool,
        exclusive: bool,
        words: tuple[int, int, int, int],
        kernel: int,
        threads: int,
    ) -> None:
        """Sums a piece into out, or only moves behind it if out is None. A failure changes nothing."""
        if out is not None and self.is_total:
            raise ValueError("carry is a total: append it to a carry, from which sums can go on")
        data_type, sizes = _cumsum.type_of(source)
        if data_type.lower() not in CARRIED_TYPES:
            raise NotImplementedError(f"there are no carries of {data_type.lower()}")
        lines = math.prod(sizes[:axis] + sizes[axis + 1 :])
        kind = CARRIED_TYPES[data_type.lower()], lines, decreasing, words
        empty = lines * sizes[axis] == 0
        state = None if empty and self._kind is None else self._state_for(kind, sizes[axis])
        if out is not None or not empty:
            _cumsum.scan(
                source, out, axis, decreasing, exclusive, words, kernel, threads, state
            )
        if not empty:
            self._state, self._kind = state, self._kind or kind


def _restored(saved: bytes | None, position: int | None) -> Carry:
    """Used for pickles and copies."""
    carry = Carry()
    carry._position = position
    if saved is not None:
        kind = _kind_of(saved)
        carry._state, carry._kind = _cumsum.carry_load(kind, saved), kind
        if saved[28] & 2:
            carry._position = _cumsum.carry_extent(carry._state)[0]
    return carry
