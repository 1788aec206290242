# SPDX-License-Identifier: MIT
"""Lines in pieces: the bits of one call, whatever the cuts, and what a carry refuses."""

import copy
import functools
import pickle
import tracemalloc

import cumsum
import numpy
import pytest
from array_samples import TYPES, check_refused, hard_values, random_edges, random_view, same_bits

ORDERS = ["sequential", "blocked", "exact"]


def along(axis, begin, end):
    return (*(slice(None),) * axis, slice(begin, end))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_any_cut_has_the_bits_of_one_call(dtype, order):
    rng = numpy.random.default_rng([1, TYPES.index(dtype), len(order)])
    for axis in (0, 1, 2):
        shape = [3, 2, 4]
        shape[axis] = int(rng.choice([7, 2500]))
        x = random_view(rng, shape, dtype)
        x[...] = hard_values(rng, shape, dtype)
        options = {"order": order, "exclusive": bool(rng.integers(2))}
        options["reverse"] = bool(rng.integers(2))
        whole = cumsum.cumsum(x, axis, **options)
        carry, y = cumsum.Carry(), numpy.empty_like(whole)
        edges = random_edges(rng, shape[axis])
        cuts = list(zip(edges, edges[1:]))
        for begin, end in cuts[::-1] if options["reverse"] else cuts:
            carry = rng.choice([lambda c: c, copy.deepcopy, loads_of_dumps])(carry)
            piece = along(axis, begin, end)
            target = y[piece] if rng.integers(2) else numpy.flip(numpy.empty_like(y[piece]))
            y[piece] = cumsum.cumsum(x[piece], axis, out=target, carry=carry, **options)
        assert same_bits(y, whole)
        assert carry.end == shape[axis] and not carry.is_total


def loads_of_dumps(carry):
    return pickle.loads(pickle.dumps(carry))


def test_bytes():
    """The format of docs/numerics.md, which other machines read."""
    carry = cumsum.Carry()
    cumsum.cumsum(numpy.array([[1, 2], [3, 4]], "int32"), 1, carry=carry)
    saved = bytes(carry)
    numbers = numpy.frombuffer(saved[8:32], "<u4").tolist()
    assert saved[:8] == b"CUMCARRY" and numbers == [1, 6, 0, 0, 0, 0]
    assert numpy.frombuffer(saved[32:56], "<u8").tolist() == [2, 0, 2]
    assert numpy.frombuffer(saved[56:64], "<i4").tolist() == [3, 7]
    again = cumsum.Carry.from_bytes(saved)
    assert bytes(again) == saved and again.__sizeof__() > len(saved)
    assert repr(again) == "<cumsum carry from 0 to 2: 2 lines of int32>"
    for place in range(len(saved)):
        damaged = bytearray(saved)
        damaged[place] ^= 1
        with pytest.raises(ValueError):
            cumsum.Carry.from_bytes(damaged)


X = numpy.ones((3, 4), "float32")
LONG = numpy.ones(3000, "float32")
TOTAL = cumsum.Carry.total(LONG, position=10, order="exact")


def test_what_must_agree():
    carry = cumsum.Carry()
    cumsum.cumsum(X, 1, carry=carry, order="exact")
    saved = bytes(carry)
    for change, reason in [
        ({"x": X[:2]}, "number of lines 3, but the piece has 2"),
        ({"x": X[:0]}, "number of lines 3, but the piece has 0"),
        ({"x": X.astype("float16")}, "type 'float32', but the piece has 'float16'"),
        ({"order": "blocked"}, "order 'exact', but the piece has 'blocked'"),
        ({"reverse": True}, "reverse False, but the piece has True"),
        ({"denormals": "flush"}, "denormals 'preserve', but the piece has 'flush'"),
    ]:
        arguments = {"x": X, "axis": 1, "order": "exact", **change}
        for call in (carry.advance, functools.partial(cumsum.cumsum, carry=carry)):
            with pytest.raises(ValueError, match=reason):
                call(**arguments)
    assert bytes(carry) == saved
    # Sizes along the axis may differ, also 0, and so may what is written.
    cumsum.cumsum(X[:, :0], 1, carry=carry, order="exact")
    assert bytes(carry) == saved
    assert cumsum.cumsum(X[:, :2], 1, carry=carry, order="exact", exclusive=True)[0, 0] == 4


def sum_with(carry, **others):
    return lambda: cumsum.cumsum(**{"x": X, "axis": 1, "carry": carry, **others})


EMPTY, SHARED = cumsum.Carry(), numpy.lib.stride_tricks.as_strided(X.copy(), (3, 4), (0, 0))
REFUSED = [
    (sum_with(EMPTY, include_initial=True), ValueError, "must be False with a carry"),
    (sum_with(EMPTY, x=X.astype("f8")), NotImplementedError, "there are no carries of float64"),
    (sum_with(EMPTY, out=numpy.empty((3, 5), "float32")), ValueError, "out has 5 elements"),
    (sum_with(EMPTY, out=SHARED), (ValueError, NotImplementedError), "out|Output"),
    (sum_with(b"CUMCARRY"), TypeError, "must be a cumsum.Carry"),
    (sum_with(TOTAL, x=LONG, axis=0, order="exact"), ValueError, "carry is a total"),
    (lambda: bytes(EMPTY), ValueError, "nothing to save"),
    (lambda: EMPTY.append(TOTAL), ValueError, "begins at position 10, but the carry ends at 0"),
    *((lambda other=other: TOTAL.append(other), ValueError, "made by Carry.total")
      for other in (TOTAL, EMPTY, 3)),
    *((lambda how=how: cumsum.Carry.total(LONG, **how), error, words) for how, error, words in (
        ({}, NotImplementedError, "a piece has no total"),
        ({"position": 5, "order": "blocked"}, ValueError, "must be a multiple of 1024"),
        ({"position": -1, "order": "exact"}, ValueError, "position is -1, and must be from 0 to 2"),
    )),
    *((lambda saved=saved: cumsum.Carry.from_bytes(saved), ValueError, words) for saved, words in (
        (b"something else that is as long as the bytes of a carry" * 2, "must be those of a carry"),
        (b"", "must be at least that of a carry's header"),
    )),
]  # fmt: skip


def test_refused():
    """A failure changes nothing."""
    check_refused(REFUSED)
    assert repr(EMPTY) == "<cumsum carry from 0 to 0: no elements yet>"


def test_totals_are_saved():
    for piece in (LONG, LONG[:0]):
        total = cumsum.Carry.total(piece, position=10, order="exact")
        assert repr(loads_of_dumps(total)) == repr(total) and loads_of_dumps(total).is_total
    assert cumsum.Carry.from_bytes(bytes(TOTAL)).is_total


def test_totals_of_another_type():
    first = cumsum.Carry.total(LONG[:10].astype("int32"))
    first.append(cumsum.Carry.total(LONG[:0], position=10, order="exact"))  # no elements, any kind
    with pytest.raises(ValueError, match="type 'int32', but the piece has 'float32'"):
        first.append(TOTAL)


def test_layouts_that_are_copied():
    """Totals of arrays that no descriptor has: misaligned, as dask's workers get them, backwards,
    and of nine dimensions. The lines' numbers are those of the indices."""
    x = numpy.random.default_rng(5).standard_normal((3, 50)).astype("float32")
    wanted = bytes(cumsum.Carry.total(x, 1, order="exact"))
    misaligned = numpy.frombuffer(b"." + x.tobytes(), "float32", offset=1).reshape(x.shape)
    backwards = x[::-1, ::-1].copy()[::-1, ::-1]
    deep = x.reshape(1, 1, 3, 1, 1, 1, 1, 1, 50)
    for layout in (misaligned, backwards, deep, x.T.copy().T):
        assert bytes(cumsum.Carry.total(layout, -1, order="exact")) == wanted
        carry = cumsum.Carry()
        sums = cumsum.cumsum(layout, -1, carry=carry, order="exact").reshape(3, 50)
        assert same_bits(sums, cumsum.cumsum(x, 1, order="exact"))


def test_busy(monkeypatch):
    """What another thread asks for while one computes is refused."""
    x = numpy.ones(10, "float32")
    carry, other = cumsum.Carry(), cumsum.Carry.total(x, order="exact", position=10)
    cumsum.cumsum(x, carry=carry, order="exact")
    scan = cumsum._carry.scan

    def meanwhile(*arguments):
        for call in (lambda: carry.end, lambda: bytes(carry), lambda: carry.append(other)):
            with pytest.raises(RuntimeError, match="another thread computes with this carry"):
                call()
        scan(*arguments)

    monkeypatch.setattr(cumsum._carry, "scan", meanwhile)
    carry.advance(x, order="exact")
    assert carry.end == 20


def test_pieces():
    x = numpy.random.default_rng(3).standard_normal(1000).astype("float32")
    carry = cumsum.Carry()
    sums = cumsum.cumsum_pieces((x[i : i + 300] for i in (0, 300, 600, 900)), carry=carry)
    assert same_bits(next(sums), cumsum.cumsum(x)[:300]) and carry.end == 300
    assert same_bits(numpy.concatenate(list(sums)), cumsum.cumsum(x)[300:]) and carry.end == 1000
    sums = cumsum.cumsum_pieces([x[500:], x[:500]], reverse=True, dtype="float16", order="exact")
    assert same_bits(
        numpy.concatenate(list(sums)[::-1]),
        cumsum.cumsum(x, dtype="float16", reverse=True, order="exact"),
    )


def test_mapped_files(tmp_path):
    """Files are summed in windows; Python's memory holds neither copies nor sums."""
    size = 1 << 20
    x = numpy.memmap(tmp_path / "x", "float32", "w+", shape=(2, size))
    x[:] = numpy.random.default_rng(4).standard_normal((2, size))
    x = numpy.memmap(tmp_path / "x", "float32", "r", shape=(2, size))
    y = numpy.memmap(tmp_path / "y", "float32", "w+", shape=(2, size))
    carry = cumsum.Carry()
    tracemalloc.start()
    for i in range(0, size, 300_000):
        cumsum.cumsum(x[:, i : i + 300_000], 1, out=y[:, i : i + 300_000], carry=carry)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100_000
    assert same_bits(y, cumsum.cumsum(x, 1))
