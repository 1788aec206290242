# SPDX-License-Identifier: MIT
"""Carry: what precedes a piece of longer lines."""

from __future__ import annotations

import contextlib
import math
import struct
import threading
from ctypes import create_string_buffer
from typing import Any, Iterator, SupportsIndex

from ._arrays import operand
from ._library import Handle, call, library
from ._scan import Options, plan_of_lines, scan
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


class _State(Handle):
    """The library's carry, which one thread at a time may use: a computation is not waited for, and what
    takes no time is."""

    __slots__ = ("lock", "busy")

    def __init__(self, kind: _Kind, length: int, create: Any, *arguments: Any) -> None:
        number, lines, decreasing, words = kind
        plan = plan_of_lines(number, lines, length, decreasing, words)
        self.lock, self.busy = threading.Lock(), False
        super().__init__(create, library.cumsum_carry_destroy, plan.pointer, *arguments)

    def _check(self) -> None:
        if self.busy:
            raise RuntimeError(
                "another thread computes with this carry; pieces of one line are taken one after the "
                "other"
            )

    def __enter__(self) -> Any:
        self.lock.acquire()
        try:
            self._check()
        except RuntimeError:
            self.lock.release()
            raise
        return self.pointer

    def __exit__(self, *failure: object) -> None:
        self.lock.release()

    @contextlib.contextmanager
    def computing(self) -> Iterator[Any]:
        with self as carry:
            self.busy = True
        try:
            yield carry
        finally:
            self.busy = False

    def save(self) -> bytes:
        with self as carry:
            size = library.cumsum_carry_size(carry)
            saved = create_string_buffer(size)
            call(library.cumsum_carry_save, carry, saved, size)
        return saved.raw


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
        self._state: _State | None = None
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
        if self._state is None:
            return self.begin
        with self._state as carry:
            end: int = library.cumsum_carry_end(carry)
        return end

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
        source, data_type = operand("x", x, loses_gradients=True)
        along = axis_of(source.ndim, axis)
        words = numerics(order, half_accumulator, "nearest-even", denormals)
        decreasing, count = flag("reverse", reverse), thread_count(threads)
        options = Options(along, decreasing, False, words, 0, count)
        self._scan(source if source.ndim else source.reshape(1), data_type, None, options)

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
        one, other = sorted((state, total._state), key=id)  # so that two threads do not wait in turn
        with one, other:
            call(library.cumsum_carry_append, state.pointer, total._state.pointer)
        self._state, self._kind = state, self._kind or total._kind

    def copy(self) -> Carry:
        """Another carry that stands where this one does."""
        saved = None if self._state is None else self._state.save()
        return _restored(saved, self._position)

    @staticmethod
    def from_bytes(saved: bytes) -> Carry:
        """The carry whose bytes() these are. Raises ValueError if they are damaged or no carry's."""
        return _restored(bytes(saved), None)

    def __bytes__(self) -> bytes:
        if self._state is None:
            raise ValueError("the carry has taken no elements yet, so there is nothing to save")
        return self._state.save()

    def __reduce__(self) -> tuple[Any, tuple[bytes | None, int | None]]:
        saved = None if self._state is None else self._state.save()
        return _restored, (saved, self._position)

    def __sizeof__(self) -> int:
        if self._state is None:
            return object.__sizeof__(self)
        with self._state as carry:
            return object.__sizeof__(self) + int(library.cumsum_carry_size(carry))

    def __repr__(self) -> str:
        name = "total" if self.is_total else "carry"
        lines = "no elements yet"
        if self._kind is not None:
            lines = f"{self._kind[1]} lines of {_type_of(self._kind)}"
        return f"<cumsum {name} from {self.begin} to {self.end}: {lines}>"

    def _state_for(self, kind: _Kind, length: int) -> _State:
        """The library's carry for arrays of this kind, a new one if there is none yet."""
        if self._kind is not None and self._state is not None:
            for name, ours, given in _differences(self._kind, kind):
                if ours != given:
                    raise ValueError(f"the carry has {name} {ours!r}, but the piece has {given!r}")
            return self._state
        if self._position is None:
            return _State(kind, length, library.cumsum_carry_create)
        return _State(kind, length, library.cumsum_carry_create_total, self._position)

    def _scan(self, x: Any, data_type: int, out: Any, options: Options) -> None:
        """Sums a piece into out, or only moves behind it if out is None. A failure changes nothing."""
        if out is not None and self.is_total:
            raise ValueError("carry is a total: append it to a carry, from which sums can go on")
        if data_type not in CARRIED_TYPES.values():
            raise NotImplementedError("there are no carries of float64")
        if x.size == 0 and self._kind is None:
            return
        length = x.shape[options.axis]
        lines = math.prod(x.shape[: options.axis] + x.shape[options.axis + 1 :])
        kind = data_type, lines, options.decreasing, options.numerics
        state = self._state_for(kind, length)
        if x.size == 0:
            return
        with state.computing() as carry:
            scan(x, data_type, out, options, carry)
        self._state, self._kind = state, self._kind or kind


def _restored(saved: bytes | None, position: int | None) -> Carry:
    """Used for pickles and copies."""
    carry = Carry()
    carry._position = position
    if saved is not None:
        kind = _kind_of(saved)
        load = library.cumsum_carry_load
        carry._state = _State(kind, 1, load, saved, len(saved))
        carry._kind = kind
        if saved[28] & 2:
            with carry._state as pointer:
                carry._position = library.cumsum_carry_begin(pointer)
    return carry
