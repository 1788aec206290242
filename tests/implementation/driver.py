# SPDX-License-Identifier: MIT
"""The tool's side of the protocol of docs/exec.md, for tests of implementations."""

import json
import signal
import struct
import subprocess
import sys

if sys.byteorder != "little":
    print("SKIPPED: the protocol needs a little-endian machine")
    sys.exit(77)

HELLO, READY, SCAN, SUMS, UNSUPPORTED, ERROR, LOST, LATE, CUTS = range(1, 10)
EXCLUSIVE, DECREASING, IN_PLACE, PREFILLED = 1, 2, 4, 8
BLOCKED, HALF_SUMS, TOWARD_ZERO, IEEE, FLUSH, EXACT, TOTAL = 32, 64, 128, 256, 512, 1024, 2048
SEGMENTS, INITIAL = 4096, 8192
# Numbers of the types, and how Python's struct writes their elements.
TYPES = {
    "FLOAT32": (1, "f"),
    "FLOAT16": (2, "e"),
    "UINT32": (3, "I"),
    "UINT16": (4, "H"),
    "UINT8": (5, "B"),
    "INT32": (6, "i"),
    "INT16": (7, "h"),
    "INT8": (8, "b"),
    "FLOAT64": (9, "d"),
    "UINT64": (10, "Q"),
    "INT64": (11, "q"),
}
PATIENCE = 60


def packed(sizes):
    strides = [1] * len(sizes)
    for d in reversed(range(len(sizes) - 1)):
        strides[d] = strides[d + 1] * sizes[d + 1]
    return strides


def extent(sizes, strides):
    return 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides))


def elements(sizes, strides):
    """The offset of each element, in the order of the indices."""
    offsets = [0]
    for size, stride in zip(sizes, strides):
        offsets = [offset + i * stride for offset in offsets for i in range(size)]
    return offsets


def request(type, sizes, axis, flags=0, strides=None, output_strides=None, at=(0, 0), **other):
    """The 144 bytes of a request. other: members to falsify."""
    strides = strides or packed(sizes)
    output_strides = output_strides or packed(sizes)
    number, code = TYPES.get(type, (type, "f"))
    size = struct.calcsize(code)
    rest = [0] * (8 - len(sizes))
    fields = {
        "type": number,
        "rank": len(sizes),
        "axis": axis,
        "flags": flags,
        "input_bytes": extent(sizes, strides) * size,
        "output_bytes": extent(sizes, output_strides) * size,
        "input_at": at[0],
        "output_at": at[1],
        **other,
    }
    four = [fields[name] for name in ("type", "rank", "axis", "flags")]
    last = [fields[name] for name in ("input_bytes", "output_bytes", "input_at", "output_at")]
    arrays = [*sizes, *rest, *strides, *rest, *output_strides, *rest]
    return struct.pack("<4I24I4Q", *four, *arrays, *last)


class Unsupported(Exception):
    """The implementation cannot do it."""


class Implementation:
    """A process that answers. Used as a context, it must end by itself with the given status."""

    def __init__(self, command, status=0, stderr=None):
        self.status = status
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
        )

    def __enter__(self):
        # A test that hangs ends with an exception.
        signal.alarm(PATIENCE)
        return self

    def __exit__(self, kind, *_):
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        if kind:
            self.process.kill()
        left = self.process.stdout.read()
        ended = self.process.wait()
        self.process.stdout.close()
        signal.alarm(0)
        if not kind:
            assert left == b"", f"after the last answer came {left[:60]!r}"
            assert ended == self.status, f"exit status {ended}, expected {self.status}"

    def send(self, kind, payload, magic=b"CSUM", length=None):
        header = struct.pack("<4sIQ", magic, kind, len(payload) if length is None else length)
        self.process.stdin.write(header + payload)
        self.process.stdin.flush()

    def receive(self):
        header = self.process.stdout.read(16)
        assert len(header) == 16, f"the implementation ended: {header!r}"
        magic, kind, length = struct.unpack("<4sIQ", header)
        assert magic == b"CSUM", f"no frame: {header!r}"
        payload = self.process.stdout.read(length)
        assert len(payload) == length
        return kind, payload

    def greet(self, least=1, greatest=1, more=b""):
        self.send(HELLO, struct.pack("<IIi", least, greatest, -1) + more)
        kind, payload = self.receive()
        assert kind == READY, payload
        self.ready = json.loads(payload)
        return self.ready

    def ask(self, payload):
        self.send(SCAN, payload)
        return self.receive()

    def scan(self, type, sizes, axis, values, flags=0, fill=None, **layout):
        """The output's elements, packed or not, of an input with these elements."""
        code = TYPES[type][1]
        head = request(type, sizes, axis, flags, **layout)
        body = struct.pack(f"<{len(values)}{code}", *values)
        if fill is not None:
            body += struct.pack(f"<{len(fill)}{code}", *fill)
        kind, payload = self.ask(head + body)
        if kind == UNSUPPORTED:
            raise Unsupported(payload.decode())
        assert kind == SUMS, payload
        return list(struct.unpack(f"<{len(payload) // struct.calcsize(code)}{code}", payload))


def sums(sizes, axis, values, flags, strides):
    """The output's elements in the order of the indices, by the definition."""
    offsets = elements(sizes, strides)
    step = packed(sizes)[axis]
    sums = []
    for k in range(len(offsets)):
        i = k // step % sizes[axis]
        terms = range(i, sizes[axis]) if flags & DECREASING else range(i + 1)
        sums.append(sum(values[offsets[k + (j - i) * step]] for j in terms))
        if flags & EXCLUSIVE:
            sums[-1] -= values[offsets[k]]
    return sums


def check(p, type, sizes, axis, flags=0, strides=None, output_strides=None, prefill=False):
    """Asks for a sum and compares all elements, and what lies between them."""
    strides = strides or packed(sizes)
    output_strides = output_strides or packed(sizes)
    values = [1 + k % 3 for k in range(extent(sizes, strides))]
    fill = [5] * extent(sizes, output_strides) if prefill else None
    got = p.scan(
        type,
        sizes,
        axis,
        values,
        flags | (PREFILLED if prefill else 0),
        fill,
        strides=strides,
        output_strides=output_strides,
    )
    offsets = elements(sizes, output_strides)
    expected = sums(sizes, axis, values, flags, strides)
    if "INT" in type:
        modulus = 1 << 8 * struct.calcsize(TYPES[type][1])
        got = [element % modulus for element in got]
        expected = [element % modulus for element in expected]
    assert [got[offset] for offset in offsets] == expected, (type, sizes, axis, flags)
    before = values if flags & IN_PLACE else fill
    for k in set(range(len(got))) - set(offsets) if before else ():
        assert got[k] == before[k], "a byte between the elements has changed"
