# SPDX-License-Identifier: MIT
"""test_protocol.py COMMAND: does an implementation, plug.c or plug.py, keep to docs/exec.md?

The test plays the tool, a well-behaved one and then a faulty one."""

import itertools
import shlex
import struct
import subprocess
import sys
import tempfile

from driver import *

COMMAND = shlex.split(sys.argv[1])
PYTHON = COMMAND[-1].endswith(".py")


def plug(manner=None, **how):
    return Implementation(COMMAND + ([manner] if manner else []), **how)


def test_ready():
    with plug() as p:
        ready = p.greet(more=b"a later version")
        assert ready["protocol"] == 1 and ready["name"] == 'a "plug"'
        assert ready["version"] == "1\t2" and ready["ranks"] == [1, 8]
        assert ready["strides"] is True and ready["deterministic"] is True
        assert set(ready["types"]) >= set(TYPES) - {"FLOAT16", "FLOAT64"}
        assert "halfStore" not in ready
        assert ready["sums"] == ["INCLUSIVE", "EXCLUSIVE", "TOTAL"] and ready["profile"] == "ieee"
    with plug("little") as p:
        ready = p.greet(1, 7)
        assert ready["types"] == ["FLOAT32", "INT32"] and ready["ranks"] == [2, 3]
        assert ready["directions"] == ["INCREASING"] and ready["sums"] == ["INCLUSIVE"]
        assert ready["halfAccumulator"] == "FLOAT16" and ready["halfStore"] == "IEEE"
        assert ready["denormals"] == "FLUSH" and ready["deterministic"] is False
        assert not ready.get("strides") and not ready.get("inPlace") and "profile" not in ready


def test_sums():
    with plug() as p:
        p.greet()
        for type in set(TYPES) - (set() if PYTHON else {"FLOAT16", "FLOAT64"}):
            for flags in (0, EXCLUSIVE, DECREASING, EXCLUSIVE | DECREASING):
                check(p, type, [2, 5, 3], 1, flags)
        for axis in range(8):
            check(p, "INT32", [2, 1, 3, 1, 2, 1, 2, 3], axis, DECREASING)
        check(p, "UINT8", [1], 0)
        for size in (1, 100_000, 7, 1_000_000):  # buffers grow and stay
            assert p.scan("UINT64", [size], 0, [1] * size)[-1] == size


def total(p, sizes, axes, values, flags=0, **other):
    """The answer to a request for totals of UINT32 over some axes."""
    kept = [1 if d in axes else size for d, size in enumerate(sizes)]
    fields = {"output_bytes": 4 * extent(kept, packed(kept)), **other}
    axis = fields.pop("axis", sum(1 << d for d in axes))
    head = request("UINT32", sizes, axis, TOTAL | flags, None, packed(kept), **fields)
    return p.ask(head + struct.pack(f"<{len(values)}I", *values))


def test_totals():
    values = list(range(24))
    over = {
        (0,): [sum(values[k::12]) for k in range(12)],
        (1,): [sum(values[12 * a + b : 12 * a + 12 : 4]) for a in range(2) for b in range(4)],
        (2,): [sum(values[k : k + 4]) for k in range(0, 24, 4)],
        (0, 2): [sum(values[4 * k : 4 * k + 4] + values[12 + 4 * k :][:4]) for k in range(3)],
        (0, 1, 2): [sum(values)],
    }
    with plug() as p:
        p.greet()
        for axes, expected in over.items():
            kind, payload = total(p, [2, 3, 4], axes, values)
            if len(axes) > 1 and not PYTHON:
                assert kind == UNSUPPORTED and b"several axes" in payload
            else:
                assert (kind, payload) == (SUMS, struct.pack(f"<{len(expected)}I", *expected))
        assert total(p, [1], [0], [7]) == (SUMS, struct.pack("<I", 7))
        assert total(p, [100], [0], [1] * 100) == (SUMS, struct.pack("<I", 100))


def test_faulty_totals():
    """An axis too many, none, an output of another size, flags of scans: an error."""
    with plug(stderr=subprocess.DEVNULL) as p:
        p.greet()
        for axes, other in (((), {}), ((0,), {"axis": 5}), ((0,), {"axis": 1 << 31})):
            assert total(p, [2, 3], axes, [1] * 6, **other)[0] == ERROR
        if not PYTHON:
            assert total(p, [2, 3], (0,), [1] * 6, output_bytes=24)[0] == ERROR
            for flag in (EXCLUSIVE, DECREASING, IN_PLACE, PREFILLED, BLOCKED):
                assert total(p, [2, 3], (0,), [1] * 6, flag)[0] == ERROR
        check(p, "INT32", [2, 3], 1)
    with plug("little") as p:
        p.greet()
        assert total(p, [2, 3], (0,), [1] * 6)[0] == UNSUPPORTED
    if PYTHON:
        with plug("totals", stderr=subprocess.DEVNULL) as p:
            ready = p.greet()
            assert ready["sums"] == ["TOTAL"] and ready["profile"] == "rounding=toward-zero"
            assert ready["name"] == "total"
            kind, text = p.ask(request("INT32", [2], 0) + bytes(8))
            assert kind == UNSUPPORTED and b"totals only" in text
            kind, text = total(p, [1, 1, 1, 2], (0, 1, 2, 3), [1, 2])
            assert kind == ERROR and b"must return uint32 of shape ()" in text, text


def cuts(lists, initial=0, **other):
    """What CUTS has. lists: of ends, one for all lines or one for each; other: to falsify."""
    first = [sum(map(len, lists[:i])) for i in range(len(lists) + 1)]
    ends = [end for one in lists for end in one]
    count = [initial, len(lists) if lists else 0, len(ends)]
    numbers = [*count, *(first if lists else []), *ends]
    for place, number in other.items():
        numbers[int(place[1:])] = number
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def ask_cut(p, cut, flags=SEGMENTS):
    """Sums of three lines of five ones."""
    p.send(CUTS, cut)
    return p.ask(request("INT32", [3, 5], 1, flags) + struct.pack("<15i", *[1] * 15))


def test_cuts():
    """Segments and initial values, which CUTS says before a request. segments.sh has more sums."""
    each = [[5], [0, 1, 1, 5, 5], [2, 3, 5]]
    all = SEGMENTS | INITIAL | EXCLUSIVE | DECREASING
    asked = [
        (cuts([[2, 5]]), SEGMENTS, [1, 2, 1, 2, 3] * 3),
        (cuts(each), SEGMENTS, [1, 2, 3, 4, 5, 1, 1, 2, 3, 4, 1, 2, 1, 1, 2]),
        (cuts(each, 7), all, [11, 10, 9, 8, 7, 7, 10, 9, 8, 7, 8, 7, 7, 8, 7]),
        (cuts([], 7), INITIAL, [8, 9, 10, 11, 12] * 3),
    ]
    with plug() as p:
        ready = p.greet()
        assert ready["segments"] is True and ready["initial"] is True
        for cut, flags, expected in asked:
            assert ask_cut(p, cut, flags) == (SUMS, struct.pack("<15i", *expected))
        check(p, "INT32", [2, 5], 1)  # the next request is of whole lines
    with plug(stderr=subprocess.DEVNULL) as p:
        p.greet()
        wrong = [b"", cuts([])[:20], cuts([[5]])[:-8], cuts([[5]]) + bytes(8), cuts([])]
        wrong += [cuts([[5]], _1=2), cuts([[5]], _1=1 << 63), cuts([[5]], _2=7)]
        if not PYTHON:  # a function gets what it gets
            wrong += [cuts([[4]]), cuts([[6]]), cuts([[3, 2, 5]]), cuts([[5], [5]])]
            wrong += [cuts([[5], [5], []]), cuts(each, _4=6), cuts(each, _3=1)]
        for fault in wrong:
            kind, text = ask_cut(p, fault)
            assert kind == ERROR and text, (fault, kind, text)
            check(p, "INT32", [2, 3], 1)
        p.send(CUTS, cuts(each))
        check(p, "INT32", [2, 3], 1)  # it has no flag, and CUTS is for no other request
        for flag in (SEGMENTS, INITIAL):
            kind, text = p.ask(request("INT32", [3, 5], 1, flag) + bytes(60))
            assert kind == ERROR and b"no CUTS came" in text, text
    if not PYTHON:
        with plug("little", stderr=subprocess.DEVNULL, status=1) as p:
            assert not {"segments", "initial"} & set(p.greet())
            assert p.ask(request("INT32", [3, 5], 1, SEGMENTS) + bytes(60))[0] == ERROR
            p.send(CUTS, cuts([[5]]))


def test_layouts():
    layouts = (([9, 3], [9, 3]), ([1, 4], [7, 2]), ([0, 1], None), (None, [1, 5]))
    with plug() as p:
        p.greet()
        for (strides, output), flags in itertools.product(layouts, (0, DECREASING)):
            for prefill in (False, True):
                check(p, "INT16", [3, 2], 0, flags, strides, output, prefill)
        if not PYTHON:
            check(p, "FLOAT32", [4, 3], 1, IN_PLACE)
        check(p, "INT64", [4, 3], 0, IN_PLACE | DECREASING, [7, 2], [7, 2])


def test_answers_that_are_no_sums():
    with plug(stderr=subprocess.DEVNULL) as p:
        p.greet()
        for rank, kind, text in ((5, UNSUPPORTED, "five dimensions"), (6, ERROR, "Gerät lost")):
            got = p.ask(request("INT32", [1] * rank, 0) + bytes(4))
            assert got[0] == kind and got[1].decode().endswith(text), got
        check(p, "INT32", [3], 0)


def test_print():
    """What is printed goes to standard error, and the frames stay whole."""
    with tempfile.TemporaryFile() as printed:
        with plug("talks", stderr=printed) as p:
            p.greet()
            check(p, "INT32", [2, 2], 1)
        printed.seek(0)
        assert b"2 dimensions" in printed.read()


def test_faulty_requests():
    """A request that contradicts itself is an error, and the next one is answered."""
    good = request("INT32", [2, 3], 1)
    most = [(1 << 32) - 1] * 8
    requests = [
        good,
        good + bytes(20),
        good + bytes(28),
        good[:100],
        b"",
        request("INT32", [2, 3], 1, input_bytes=20) + bytes(24),
        request("INT32", [2, 3], 1, input_bytes=1 << 63, output_bytes=1 << 63) + bytes(24),
        request("INT32", [2, 3], 1, output_bytes=20) + bytes(24),
        request("INT32", [2, 3], 1, rank=0) + bytes(24),
        request("INT32", [2, 3], 1, rank=9) + bytes(24),
        request("INT32", [2, 3], 2) + bytes(24),
        request("INT32", [2, 3], 1, strides=[1 << 31, 1], input_bytes=24) + bytes(24),
        request("INT32", most, 1, 0, most, most, input_bytes=4, output_bytes=4) + bytes(4),
    ]
    with plug(stderr=subprocess.DEVNULL) as p:
        p.greet()
        for wrong in requests:
            kind, text = p.ask(wrong)
            assert kind == ERROR and text, (kind, text)
        kind, text = p.ask(request(12, [2], 0) + bytes(8))
        assert kind == (UNSUPPORTED if PYTHON else ERROR), text
        if not PYTHON:
            empty = request("INT32", [2, 0], 1, input_bytes=4, output_bytes=4)
            assert p.ask(empty + bytes(4))[0] == ERROR
            assert p.ask(request("INT32", [2, 3], 1, 16) + bytes(24))[0] == ERROR
        check(p, "INT32", [2, 3], 1)


def test_faulty_frames():
    """The process ends with status 1 after anything that is no frame, and says why."""
    hello = struct.pack("<IIi", 1, 1, -1)

    def end_of(p):
        p.process.stdin.close()

    def garbage(p):
        p.greet()
        p.send(SCAN, b"", magic=b"CSUN")

    def second_hello(p):
        p.greet()
        p.send(HELLO, hello)

    def cut(p):
        p.greet()
        p.send(SCAN, request("INT32", [1 << 28], 0) + bytes(100), length=(1 << 30) + 144)
        end_of(p)

    def huge(p):
        p.greet()
        p.send(SCAN, b"none of it", length=(1 << 64) - 1)
        end_of(p)

    def cut_header(p):
        p.greet()
        p.process.stdin.write(b"CSUM\3")
        end_of(p)

    faults = [garbage, second_hello, cut, huge, cut_header]
    faults += [lambda p: p.send(SCAN, b""), lambda p: p.send(HELLO, hello[:8])]
    for fault in faults:
        with tempfile.TemporaryFile() as said:
            with plug(status=1, stderr=said) as p:
                fault(p)
                end_of(p)
            said.seek(0)
            assert said.read(), "no message"
    with plug(status=1, stderr=subprocess.DEVNULL) as p:
        p.send(HELLO, struct.pack("<IIi", 2, 3, -1))
        kind, text = p.receive()
        assert kind == ERROR and b"protocol 1" in text
    with plug() as p:  # the tool is gone at once
        pass


def test_what_is_not_offered():
    if PYTHON:
        return  # the tool does not ask for it, and a function may still do it
    asked = [
        ("INT64", [2, 2], 0, 0, {}),
        ("INT32", [2], 0, 0, {}),
        ("INT32", [2, 2], 0, EXCLUSIVE, {}),
        ("INT32", [2, 2], 0, DECREASING, {}),
        ("INT32", [2, 2], 0, IN_PLACE, {}),
        ("INT32", [2, 2], 0, 0, {"strides": [3, 1]}),
    ]
    with plug("little") as p:
        p.greet()
        for type, sizes, axis, flags, layout in asked:
            head = request(type, sizes, axis, flags, **layout)
            (input_bytes,) = struct.unpack_from("<Q", head, 112)
            kind, text = p.ask(head + bytes(input_bytes))
            assert kind == UNSUPPORTED and text, text
        check(p, "INT32", [1, 4], 1, strides=[77, 1])  # the stride of a single index is no matter


def test_manners():
    """Misuse of the header and of serve(): nothing is hidden."""
    if PYTHON:
        with plug("other", stderr=subprocess.DEVNULL) as p:
            p.greet()
            kind, text = p.ask(request("INT32", [2], 0) + bytes(8))
            assert kind == ERROR and b"returned float64 of shape (1, 2) for int32" in text, text
        return
    with plug("lazy") as p:
        p.greet()
        p.scan("FLOAT32", [2], 0, [1, 2])
        assert p.scan("INT32", [2], 0, [1, 2]) == [-1, -1]
    with plug("silent") as p:
        p.greet()
        kind, text = p.ask(request("INT32", [2], 0) + bytes(8))
        assert kind == ERROR and b"no reason" in text
    with tempfile.TemporaryFile() as said:
        with plug("misspelt", status=2, stderr=said) as p:
            pass
        said.seek(0)
        assert b"types is 'FLOAT', and must be words of: FLOAT32" in said.read()


def test_device():
    """What only cumsum/exec.h offers: devices that are opened and lost, whole buffers, numerics."""
    if PYTHON:
        return
    for manner, kind in (("refuses", UNSUPPORTED), ("fails", ERROR)):
        with plug(manner, status=3, stderr=subprocess.DEVNULL) as p:
            p.send(HELLO, struct.pack("<IIi", 1, 1, -1))
            assert p.receive() == (kind, b"no device")
    for rank, kind in ((7, LOST), (8, LATE)):
        with plug("device", status=3, stderr=subprocess.DEVNULL) as p:
            p.greet()
            assert p.ask(request("INT32", [1] * rank, 0) + bytes(4)) == (kind, b"device lost")
    with plug("device", stderr=subprocess.DEVNULL) as p:
        ready = p.greet()
        assert ready["device"] == "Device 1"
        assert all(ready[name] is True for name in ("overlap", "buffers", "numerics", "exact"))
        for flags, said in (
            (BLOCKED | FLUSH, b"order 1, store 0, flush"),
            (EXACT | HALF_SUMS, b"order 2, store 0, half sums"),
            (TOWARD_ZERO, b"order 0, store 1"),
            (IEEE, b"order 0, store 2"),
        ):
            assert p.ask(request("INT32", [1], 0, flags) + bytes(4)) == (ERROR, said)
        assert p.ask(request("INT32", [1], 0, 2048) + bytes(4))[0] == ERROR
        # Buffers: 1 element before and 2 behind the input, 2 before and 1 behind the output.
        around = {"at": (2, 4), "input_bytes": 8, "output_bytes": 6}
        head = request("INT16", [2], 0, PREFILLED, **around)
        body = struct.pack("<5h5h", 9, 1, 2, 8, 8, 5, 6, 7, 7, 7)
        assert p.ask(head + body) == (SUMS, struct.pack("<5h", 5, 6, 1, 3, 7))
        head = request("INT16", [2], 0, IN_PLACE, at=(2, 2), input_bytes=6, output_bytes=6)
        assert p.ask(head + body[:8]) == (SUMS, struct.pack("<4h", 9, 1, 3, 8))
        assert p.ask(request("INT16", [2], 0, at=(1, 0)) + bytes(5))[0] == ERROR
        # Both elements of the output share an address: the last line stays.
        layout = {"strides": [1, 1], "output_strides": [0, 1]}
        assert p.scan("INT32", [2, 1], 1, [3, 4], **layout) == [4]
    with plug() as p:  # what it did not say
        p.greet()
        for flags in (BLOCKED, EXACT):
            assert p.ask(request("INT32", [1], 0, flags) + bytes(4))[0] == ERROR
        assert p.ask(request("INT32", [1], 0, input_bytes=8) + bytes(8))[0] == ERROR
        assert p.scan("INT32", [1], 0, [3], at=(4, 4)) == [3]  # without a meaning, as it was


def test_planted_fault():
    with plug("forgets") as p:
        p.greet()
        try:
            check(p, "INT32", [2, 61], 1)
        except AssertionError:
            return
    raise AssertionError("a wrong sum was not found")


tests = [function for name, function in list(globals().items()) if name.startswith("test_")]
for test in tests:
    print(test.__name__, flush=True)
    test()
print(len(tests), "tests passed")
