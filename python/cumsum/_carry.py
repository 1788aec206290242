# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""Carry: what precedes a piece of longer lines."""

from __future__ import annotations

import contextlib
import math
import struct
import threading
from ctypes import create_string_buffer
from typing import Any, Iterator, NamedTuple, SupportsIndex, TypedDict, Unpack

from . import _words
from ._arrays import operand
from ._library import Handle, call, library
from ._scan import Options, Plan, scan
from ._words import Denormals, HalfAccumulator, Order, word_of

# The types of carries, and their numbers in saved ones.
CARRIED_TYPES = {name: n for name, n in _words.TYPE_NUMBERS.items() if n in (1, 2, 3, 6, 10, 11)}


class _Kind(NamedTuple):
    """What a carry agrees on with the pieces that it takes. Words without effect are the
    default."""

    type: str = "float32"
    lines: int = 1
    reverse: bool = False
    order: Order = "sequential"
    half_accumulator: HalfAccumulator = "float32"
    denormals: Denormals = "preserve"

    def plan(self, length: int) -> Plan:
        """A plan of packed lines, which a carry is made from."""
        words = _words.numerics(self.order, self.half_accumulator, "nearest-even", self.denormals)
        options, strides = Options(1, self.reverse, False, words, 0, 1), (length, 1)
        number = CARRIED_TYPES[self.type]
        return Plan(number, options, (self.lines, length), (strides, strides))


def _kind_of(
    data_type: int, lines: int, reverse: bool, numerics: tuple[int, int, int, int]
) -> _Kind:
    """The kind of pieces of a type. Raises StopIteration for numbers without words."""
    name = word_of(data_type, CARRIED_TYPES)
    order, accumulator, _, denormals = numerics
    if not name.startswith("float"):
        return _Kind(name, lines, reverse)
    added = word_of(order, _words.ORDERS)
    kept = 0 if name == "float32" or added == "exact" else accumulator
    flushed = denormals if name == "float32" else 0
    words = word_of(kept, _words.HALF_ACCUMULATORS), word_of(flushed, _words.DENORMALS)
    return _Kind(name, lines, reverse, added, *words)


# The beginning of saved bytes: magic, version, type, order, accumulator, denormals, flags, lines.
_HEADER = struct.Struct("<8sIIIIIIQ")


def _kind_of_saved(saved: bytes) -> _Kind:
    """What a saved carry says of itself. The library checks the bytes, and refuses damaged ones,
    for which any kind will do."""
    try:
        _, _, number, order, accumulator, denormals, flags, lines = _HEADER.unpack_from(saved)
        kind = _kind_of(number, lines, bool(flags & 1), (order, accumulator, 0, denormals))
    except (struct.error, StopIteration):
        return _Kind()
    return kind if 0 < lines < 2**32 else _Kind()


class _State(Handle):
    """The library's carry, which one thread at a time may use: a computation is not waited for, and
    what takes no time is."""

    __slots__ = ("kind", "lock", "busy")

    def __init__(self, kind: _Kind, length: int, create: Any, *arguments: Any) -> None:
        plan = kind.plan(length)
        self.kind, self.lock, self.busy = kind, threading.Lock(), False
        super().__init__(create, library.cumsum_carry_destroy, plan.pointer, *arguments)

    def __enter__(self) -> Any:
        self.lock.acquire()
        if not self.busy:
            return self.pointer
        self.lock.release()
        raise RuntimeError(
            "another thread computes with this carry; pieces of one line are taken one after the "
            "other"
        )

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


class _Options(TypedDict, total=False):
    """The options of Carry.advance()."""

    reverse: bool
    order: Order
    half_accumulator: HalfAccumulator
    denormals: Denormals
    threads: SupportsIndex


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

    Integers, and the orders "exact" and "blocked", have totals: what a piece adds to a carry that
    is not known yet. So pieces can be taken in parallel: total() of each piece, append() of the
    totals to get the carry before each, and cumsum() of each piece with a copy() of its carry.

    A carry can be pickled; bytes() are the same on every machine, and the library checks them.
    """

    __slots__ = ("_state", "_position")

    def __init__(self) -> None:
        self._state: _State | None = None
        self._position: int | None = None  # where a total begins

    @classmethod
    def total(
        cls,
        x: Any,
        axis: SupportsIndex | None = None,
        *,
        position: SupportsIndex = 0,
        **options: Unpack[_Options],
    ) -> Carry:
        """The total of x, a piece with `position` elements of each line before it. In the blocked
        order the position must be a multiple of 1024. options: those of advance().

        Raises what cumsum() raises, and NotImplementedError in the sequential order of floats,
        whose sums depend on the number that a piece begins with.
        """
        total = cls()
        total._position = _words.integer_of("position", position)
        if not 0 <= total._position <= 2**40:
            raise ValueError(f"position is {total._position}, and must be from 0 to 2**40")
        total.advance(x, axis, **options)
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
        along = _words.axis_of(source.ndim, axis)
        words = _words.numerics(order, half_accumulator, "nearest-even", denormals)
        decreasing, count = _words.flag("reverse", reverse), _words.thread_count(threads)
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
        if total._state is None:
            return
        state = self._state_for(total._state.kind, total.end - total.begin)
        # In one sequence, so that two threads do not wait for each other.
        one, other = sorted((state, total._state), key=id)
        with one, other:
            call(library.cumsum_carry_append, state.pointer, total._state.pointer)
        self._state = state

    def copy(self) -> Carry:
        """Another carry that stands where this one does."""
        return _restored(*self.__reduce__()[1])

    @staticmethod
    def from_bytes(saved: bytes) -> Carry:
        """The carry whose bytes() these are. Raises ValueError if they are damaged or no
        carry's."""
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
        kind = self._state.kind if self._state else None
        lines = f"{kind.lines} lines of {kind.type}" if kind else "no elements yet"
        return f"<cumsum {name} from {self.begin} to {self.end}: {lines}>"

    def _state_for(self, kind: _Kind, length: int) -> _State:
        """The library's carry for arrays of this kind, a new one if there is none yet."""
        if self._state is not None:
            for member, ours, given in zip(_Kind._fields, self._state.kind, kind):
                if ours != given:
                    name = "number of lines" if member == "lines" else member
                    raise ValueError(f"the carry has {name} {ours!r}, but the piece has {given!r}")
            return self._state
        if self._position is None:
            return _State(kind, length, library.cumsum_carry_create)
        return _State(kind, length, library.cumsum_carry_create_total, self._position)

    def _scan(self, x: Any, data_type: int, out: Any, options: Options) -> None:
        """Sums a piece into out, or only moves behind it if out is None. A failure changes
        nothing."""
        if out is not None and self.is_total:
            raise ValueError("carry is a total: append it to a carry, from which sums can go on")
        if data_type not in CARRIED_TYPES.values():
            raise NotImplementedError("there are no carries of float64")
        if x.size == 0 and self._state is None:
            return
        length = x.shape[options.axis]
        lines = math.prod(x.shape[: options.axis] + x.shape[options.axis + 1 :])
        kind = _kind_of(data_type, lines, options.decreasing, options.numerics)
        state = self._state_for(kind, length)
        if x.size == 0:
            return
        with state.computing() as carry:
            scan(x, data_type, out, options, carry)
        self._state = state


def _restored(saved: bytes | None, position: int | None) -> Carry:
    """Used for pickles and copies."""
    carry = Carry()
    carry._position = position
    if saved is not None:
        load = library.cumsum_carry_load
        carry._state = _State(_kind_of_saved(saved), 1, load, saved, len(saved))
        if saved[28] & 2:
            with carry._state as pointer:
                carry._position = library.cumsum_carry_begin(pointer)
    return carry
