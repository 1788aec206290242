# SPDX-License-Identifier: MIT
"""The protocol of docs/exec.md, for an implementation that is a function of NumPy arrays."""

from __future__ import annotations

import json
import os
import struct
import traceback
from typing import Any, BinaryIO, Callable, NamedTuple

import numpy

_HELLO, _READY, _SCAN, _SUMS, _UNSUPPORTED, _ERROR = range(1, 7)
_CUTS = 9
_EXCLUSIVE, _DECREASING, _IN_PLACE, _PREFILLED, _TOTAL = 1, 2, 4, 8, 2048
_SEGMENTS, _INITIAL = 4096, 8192
_HEADER = struct.Struct("<4sIQ")
_GREETING = struct.Struct("<II4x")
_REQUEST = struct.Struct("<4I8I8I8I4Q")


class Implementation(NamedTuple):
    """A function of scans, one of totals, and what READY says of them."""

    f: Callable[..., Any] | None
    total: Callable[..., Any] | None
    dtypes: dict[int, Any]
    ready: dict[str, Any]


def _read(source: BinaryIO, size: int) -> bytearray:
    """Reads size bytes. Uses at most twice the memory of what was read, whatever size claims."""
    data = bytearray(source.read(min(size, 1 << 20)))
    while len(data) < size:
        more = source.read(min(size - len(data), 1 << 20))
        if not more:
            raise EOFError("standard input ended in a frame")
        data += more
    return data


def _send(target: int, kind: int, payload: Any) -> None:
    size = len(payload)
    sent = os.writev(target, (_HEADER.pack(b"CSUM", kind, size), payload))
    if sent < 16 + size:  # a large answer; a header is never cut, for it fits into a pipe
        rest = memoryview(payload)[sent - 16 :]
        while rest:
            rest = rest[os.write(target, rest) :]


def _array_of(y: Any) -> Any:
    if type(y) is not numpy.ndarray:
        if hasattr(y, "__dlpack__") and not hasattr(y, "__array__"):
            y = numpy.from_dlpack(y)
        y = numpy.asarray(y)
    return y


def sums_of(x: Any, y: Any) -> Any:
    """What a function returned for x, as an array of NumPy of x's type and shape."""
    y = _array_of(y)
    if y.dtype != x.dtype or y.shape != x.shape:
        raise ValueError(
            f"the function returned {y.dtype} of shape {y.shape} for {x.dtype} of shape "
            f"{x.shape}, and must return the same type and shape"
        )
    return y


def _totals_of(x: Any, y: Any, axes: tuple[int, ...]) -> Any:
    """What a function of totals returned for x: an array of x's type, with the size 1 in the
    axes."""
    y = _array_of(y)
    kept = tuple(1 if d in axes else size for d, size in enumerate(x.shape))
    left = tuple(size for d, size in enumerate(x.shape) if d not in axes)
    if y.dtype != x.dtype or y.shape not in (kept, left):
        raise ValueError(
            f"the function returned {y.dtype} of shape {y.shape} for the totals of {x.dtype} of "
            f"shape {x.shape} over {axes}, and must return {x.dtype} of shape {left} or {kept}"
        )
    return y.reshape(kept)


def _segments_of(numbers: Any, lists: int, ends: int) -> Any:
    """Offsets for all lines, or a list of them for each line, from what CUTS has."""
    if lists == 0 or numbers.size != lists + 1 + ends or numbers[lists] != ends:
        raise ValueError("CUTS has another number of lists or ends than it says")
    each = numpy.split(numbers[lists + 1 :], numbers[1:lists])
    cut = [numpy.array([0, *one], numpy.int64) for one in each]
    return cut[0] if lists == 1 else cut


class _Server:
    def __init__(self, implementation: Implementation):
        self.implementation = implementation
        self.reported = ""
        self.cuts: Any = b""

    def _cut(self, dtype: Any, flags: int) -> dict[str, Any]:
        """How the lines of a request are cut and what they begin with, of a function that takes
        that."""
        ready = self.implementation.ready
        how: dict[str, Any] = {name: None for name in ("segments", "initial") if ready.get(name)}
        if flags & (_SEGMENTS | _INITIAL) and len(self.cuts) < 24:
            raise ValueError("no CUTS came before the request")
        if flags & _INITIAL:
            how["initial"] = numpy.frombuffer(self.cuts, dtype, 1)[0]
        if flags & _SEGMENTS:
            numbers = numpy.frombuffer(self.cuts, numpy.uint64)
            how["segments"] = _segments_of(numbers[3:], int(numbers[1]), int(numbers[2]))
        return how

    def _view(self, dtype: Any, sizes: Any, strides: Any, memory: Any, at: int) -> Any:
        """A tensor as an array. NumPy checks that it lies within the memory."""
        size = dtype.itemsize
        return numpy.ndarray(sizes, dtype, memory, at, tuple([size * stride for stride in strides]))

    def _totals(self, x: Any, axes: tuple[int, ...]) -> Any:
        if self.implementation.total is None:
            raise NotImplementedError("totals")
        with numpy.errstate(all="ignore"):
            return _totals_of(x, self.implementation.total(x, axis=axes), axes)

    def _sums(self, x: Any, axis: int, flags: int) -> Any:
        if self.implementation.f is None:
            raise NotImplementedError("it has totals only")
        # Questions have sums that overflow, of which NumPy would warn.
        with numpy.errstate(all="ignore"):
            y = self.implementation.f(
                x,
                axis=axis,
                exclusive=bool(flags & _EXCLUSIVE),
                reverse=bool(flags & _DECREASING),
                **self._cut(x.dtype, flags),
            )
        return sums_of(x, y)

    def _answer(self, payload: Any) -> Any:
        """The payload of SUMS."""
        if len(payload) < _REQUEST.size:
            raise ValueError(f"a SCAN has at least {_REQUEST.size} bytes")
        r = _REQUEST.unpack_from(payload)
        number, rank, axis, flags = r[:4]
        input_bytes, output_bytes = r[28:30]
        dtype = self.implementation.dtypes.get(number)
        if dtype is None:
            raise NotImplementedError("this type")
        if not rank <= 8 or not (0 < axis < 1 << rank if flags & _TOTAL else axis < rank):
            raise ValueError("the request's rank is not from 1 to 8, or its axis not below it")
        sizes = r[4 : 4 + rank]
        axes = tuple(d for d in range(rank) if flags & _TOTAL and axis >> d & 1)
        follows = input_bytes + (output_bytes if flags & _PREFILLED else 0)
        if len(payload) != _REQUEST.size + follows:
            raise ValueError("the frame's length is not that of its request")
        x = self._view(dtype, sizes, r[12 : 12 + rank], payload, _REQUEST.size)
        y = self._totals(x, axes) if axes else self._sums(x, axis, flags)
        if flags & _IN_PLACE:
            target = memoryview(payload)[_REQUEST.size :]
        elif flags & _PREFILLED:
            target = memoryview(payload)[_REQUEST.size + input_bytes :]
        else:
            target = memoryview(bytearray(output_bytes))
        self._view(dtype, y.shape, r[20 : 20 + rank], target, 0)[...] = y
        return target

    def answer(self, payload: Any, target: int) -> None:
        try:
            kind, said = _SUMS, self._answer(payload)
        except NotImplementedError as error:
            kind, said = _UNSUPPORTED, str(error) or "NotImplementedError"
        except Exception as error:
            kind, said = _ERROR, f"{type(error).__name__}: {error}"
            if said != self.reported:  # not once for each case
                self.reported = said
                traceback.print_exc()
        self.cuts = b""
        if kind != _SUMS:
            said = said.encode("utf-8", "replace").replace(b"\0", b" ")[:4000]
        _send(target, kind, said)


def serve_frames(implementation: Implementation, source: BinaryIO, target: int) -> int:
    """Answers frames until the source ends. Returns an exit status."""
    server = None
    while True:
        header = source.read(_HEADER.size)
        if not header:
            return 0
        if len(header) < _HEADER.size or not header.startswith(b"CSUM"):
            raise EOFError("standard input ended in a frame, or is no frame")
        _, kind, size = _HEADER.unpack(header)
        if kind != (_SCAN if server else _HELLO) and not (server and kind == _CUTS):
            raise EOFError(f"a frame of kind {kind}, where {'SCAN' if server else 'HELLO'} belongs")
        payload = _read(source, size)
        if server and kind == _CUTS:
            server.cuts = payload
            continue
        if server:
            server.answer(payload, target)
            continue
        if size < _GREETING.size:
            raise EOFError("HELLO is too short")
        least, greatest = _GREETING.unpack_from(payload)
        if not least <= 1 <= greatest:
            _send(target, _ERROR, b"this implementation speaks protocol 1 only")
            return 1
        server = _Server(implementation)
        _send(target, _READY, json.dumps({"protocol": 1, **implementation.ready}).encode())
