# SPDX-License-Identifier: MIT
"""Lines in pieces: the bits of one call, whatever the cuts, and what a carry refuses."""

import copy
import pickle
import tracemalloc

import cumsum
import numpy
import pytest
from array_samples import TYPES, random_values, random_view, same_bits

ORDERS = ["sequential", "blocked", "exact"]


def hard_values(rng, shape, dtype):
    """Values whose sums round, overflow and are NaN; of integers the whole range."""
    if dtype.kind != "f":
        return random_values(rng, shape, dtype)
    scale = rng.choice([1e-40, 1e-3, 1.0, 1e30] if dtype.itemsize == 4 else [1e-7, 1, 100], shape)
    x = (rng.standard_normal(shape) * scale).astype(dtype)
    x[rng.random(shape) < 0.001] = rng.choice([numpy.inf, -numpy.inf, numpy.nan, -0.0])
    return x


def random_cuts(rng, length, pieces):
    inner = sorted(int(cut) for cut in rng.integers(0, length + 1, pieces - 1))
    edges = [0, *inner, length]
    return list(zip(edges, edges[1:]))


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
        cuts = random_cuts(rng, shape[axis], 6)
        for begin, end in cuts[::-1] if options["reverse"] else cuts:
            carry = rng.choice([lambda c: c, copy.deepcopy, loads_of_dumps])(carry)
            piece = along(axis, begin, end)
            target = y[piece] if rng.integers(2) else numpy.flip(numpy.empty_like(y[piece]))
            y[piece] = cumsum.cumsum(x[piece], axis, out=target, carry=carry, **options)
        assert same_bits(y, whole)
        assert carry.end == shape[axis] and not carry.is_total


def loads_of_dumps(carry):
    return pickle.loads(pickle.dumps(carry))


@pytest.mark.parametrize("order", ["blocked", "exact"])
def test_three_stages(order):
    """Totals of pieces, the carries before them, and the pieces from these, last piece first."""
    rng = numpy.random.default_rng(2)
    x = hard_values(rng, (2, 6000), numpy.dtype("float32"))
    for reverse in (False, True):
        options = {"order": order, "reverse": reverse}
        pieces = [(0, 1024), (1024, 4096), (4096, 4096), (4096, 6000)]
        places = [slice(6000 - e, 6000 - b) if reverse else slice(b, e) for b, e in pieces]
        totals = [
            cumsum.Carry.total(x[:, place], 1, position=begin, **options)
            for place, (begin, _) in zip(places, pieces)
        ]
        assert [(total.begin, total.end) for total in totals] == pieces
        carries = [cumsum.Carry()]
        for total in pickle.loads(pickle.dumps(totals)):
            carries.append(carries[-1].copy())
            carries[-1].append(total)
        y = numpy.empty_like(x)
        for place, carry in list(zip(places, carries))[::-1]:
            cumsum.cumsum(x[:, place], 1, carry=carry, out=y[:, place], **options)
        assert same_bits(y, cumsum.cumsum(x, 1, **options))


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
    with pytest.raises(ValueError, match="must be those of a carry"):
        cumsum.Carry.from_bytes(b"something else that is as long as the bytes of a carry" * 2)
    with pytest.raises(ValueError, match="must be at least that of a carry's header"):
        cumsum.Carry.from_bytes(b"")
    for place in range(len(saved)):
        damaged = bytearray(saved)
        damaged[place] ^= 1
        with pytest.raises(ValueError):
            cumsum.Carry.from_bytes(damaged)
    with pytest.raises(ValueError, match="nothing to save"):
        bytes(cumsum.Carry())


def test_what_must_agree():
    x = numpy.ones((3, 4), "float32")
    carry = cumsum.Carry()
    cumsum.cumsum(x, 1, carry=carry, order="exact")
    saved = bytes(carry)
    for change, reason in [
        ({"x": x[:2]}, "number of lines 3, but the piece has 2"),
        ({"x": x[:0]}, "number of lines 3, but the piece has 0"),
        ({"x": x.astype("float16")}, "type 'float32', but the piece has 'float16'"),
        ({"order": "blocked"}, "order 'exact', but the piece has 'blocked'"),
        ({"reverse": True}, "reverse False, but the piece has True"),
        ({"denormals": "flush"}, "denormals 'preserve', but the piece has 'flush'"),
    ]:
        arguments = {"x": x, "axis": 1, "order": "exact", **change}
        with pytest.raises(ValueError, match=reason):
            cumsum.cumsum(**arguments, carry=carry)
        with pytest.raises(ValueError, match=reason):
            carry.advance(**arguments)
    with pytest.raises(ValueError, match="include_initial must be False with a carry"):
        cumsum.cumsum(x, 1, order="exact", include_initial=True, carry=carry)
    with pytest.raises(NotImplementedError, match="there are no carries of float64"):
        cumsum.cumsum(x.astype("float64"), 1, carry=cumsum.Carry())
    with pytest.raises(TypeError, match="must be a cumsum.Carry"):
        cumsum.cumsum(x, 1, carry=saved)
    assert bytes(carry) == saved
    # Sizes along the axis may differ, also 0, and so may what is written.
    cumsum.cumsum(x[:, :0], 1, carry=carry, order="exact")
    assert bytes(carry) == saved
    assert cumsum.cumsum(x[:, :2], 1, carry=carry, order="exact", exclusive=True)[0, 0] == 4


def test_totals_that_do_not_fit():
    x = numpy.ones(3000, "float32")
    with pytest.raises(NotImplementedError, match="a piece has no total"):
        cumsum.Carry.total(x)
    with pytest.raises(ValueError, match="must be a multiple of 1024"):
        cumsum.Carry.total(x, position=5, order="blocked")
    with pytest.raises(ValueError, match="position is -1, and must be from 0 to 2"):
        cumsum.Carry.total(x, position=-1, order="exact")
    total = cumsum.Carry.total(x, position=10, order="exact")
    with pytest.raises(ValueError, match="total begins at position 10, but the carry ends at 0"):
        cumsum.Carry().append(total)
    for other in (total, cumsum.Carry(), 3):
        with pytest.raises(ValueError, match="made by Carry.total"):
            total.append(other)
    with pytest.raises(ValueError, match="carry is a total"):
        cumsum.cumsum(x, carry=total, order="exact")
    first = cumsum.Carry.total(x[:10].astype("int32"))
    first.append(cumsum.Carry.total(x[:0], position=10, order="exact"))  # no elements, any kind
    with pytest.raises(ValueError, match="type 'int32', but the piece has 'float32'"):
        first.append(total)


def test_a_failure_changes_nothing():
    x = numpy.ones((3, 4), "float32")
    carry = cumsum.Carry()
    for arguments, reason in [
        ({"out": numpy.empty((3, 5), "float32")}, "out has 5 elements"),
        ({"out": numpy.lib.stride_tricks.as_strided(x.copy(), (3, 4), (0, 0))}, "out|Output"),
    ]:
        with pytest.raises((ValueError, NotImplementedError), match=reason):
            cumsum.cumsum(x, 1, carry=carry, **arguments)
    assert repr(carry) == "<cumsum carry from 0 to 0: no elements yet>"


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
