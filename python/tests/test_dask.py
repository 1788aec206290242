# SPDX-License-Identifier: MIT
"""Sums of dask's arrays: the bits of one call, whatever the chunks and the scheduler."""

import cumsum
import numpy
import pytest
from array_samples import TYPES, check_refused, hard_values, random_edges, same_bits

dask = pytest.importorskip("dask", reason="dask is missing (python3-dask)")

import cumsum.dask
import dask.callbacks

ORDERS = ["exact", "blocked", "sequential"]


def random_chunks(rng, length, aligned):
    """Sizes that sum to the length: some empty, and if aligned, each a multiple of 1024."""
    return tuple(numpy.diff(random_edges(rng, length, 1024 if aligned else 1)).tolist())


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_any_chunks_have_the_bits_of_one_call(dtype, order):
    rng = numpy.random.default_rng([5, TYPES.index(dtype), ORDERS.index(order)])
    for axis in (0, 1, -1):
        for reread in (False, True):
            shape = [3, 2, 4]
            shape[axis] = 5000
            x = hard_values(rng, shape, dtype)
            chunks = [random_chunks(rng, n, n == 5000 and rng.integers(2)) for n in shape]
            options = {"order": order, "reverse": bool(rng.integers(2))}
            options["exclusive"] = bool(rng.integers(2))
            source = dask.array.from_array(x, chunks)
            y = cumsum.dask.cumsum(source, axis, reread=reread, **options)
            assert y.chunks == tuple(chunks) and y.dtype == dtype
            scheduler = str(rng.choice(["threads", "sync"]))
            assert same_bits(y.compute(scheduler=scheduler), cumsum.cumsum(x, axis, **options))


def test_it_is_lazy_and_reads_once():
    """Nothing is read before compute(); then each chunk is read once, or twice with reread."""
    reads = []

    def read(block_info=None):
        reads.append(block_info[None]["chunk-location"])
        return numpy.ones(10, "float32")

    for reread, times in ((False, 1), (True, 2)):
        chunks, meta = ((10,) * 4,), numpy.ones(0, "float32")
        x = dask.array.map_blocks(read, chunks=chunks, dtype="float32", meta=meta)
        reads.clear()
        y = cumsum.dask.cumsum(x, reread=reread)
        assert reads == []
        assert y.compute(scheduler="sync")[-1] == 40
        # The total of the last chunk is not needed.
        assert len(reads) == 4 * times - (times - 1)


def sources(values):
    """The same array, from graphs of many kinds."""
    x = dask.array.from_array(values, (2, 70))
    delayed = dask.delayed(values)
    yield x
    yield x.rechunk((3, 99))  # a chunk is made of several others
    yield dask.array.from_array(values[:, ::-1], (2, 70))[:, ::-1]
    yield x + x.sum() * 0  # all chunks need all others
    yield x.map_overlap(lambda block: block, depth=1, boundary="none")
    yield x.persist(scheduler="sync")
    yield dask.array.from_delayed(delayed, values.shape, values.dtype).rechunk((6, 100))
    yield dask.array.from_array(values, values.shape)  # in one chunk
    yield dask.array.concatenate([x[:2], x[:2], x[4:]]) - dask.array.concatenate(
        [x[:2] * 0, x[:2] - x[2:4], x[4:] * 0]
    )


def test_reread_of_every_source():
    values = numpy.random.default_rng(9).integers(-99, 99, (6, 500)).astype("float32")
    for x in sources(values):
        for order in ("exact", "sequential"):
            y = cumsum.dask.cumsum(x, 1, order=order, reread=True)
            assert same_bits(y.compute(scheduler="sync"), cumsum.cumsum(values, 1, order=order))
            last = (y[:, -1] + y[:, 3]).compute(scheduler="sync")
            assert (last == values.sum(1) + values[:, :4].sum(1)).all()
        for given, passes in ((y, True), (x, False)):  # x's own chunks are used twice
            judgement = cumsum.dask.judge(x, given, 1).compute(scheduler="sync")
            assert bool(judgement) == passes
            arrays = (a.compute(scheduler="sync") for a in (x, given))
            packed = [dask.array.from_array(a, x.chunks) for a in arrays]
            assert judgement == cumsum.dask.judge(*packed, 1).compute(scheduler="sync")


def chunks_returned(collection):
    """Computes it. The tasks that return a chunk which another task has to take."""
    keys = []

    def after(key, result, *_):
        if isinstance(result, numpy.ndarray) and not key[0].startswith("cumsum"):
            keys.append(key)

    with dask.callbacks.Callback(posttask=after):
        collection.compute(scheduler="sync")
    return keys


def test_reread_leaves_no_chunk_to_other_tasks():
    x, y = (
        dask.array.full((2, 50), value, chunks=(1, 10), dtype="float32").map_blocks(numpy.square)
        for value in (2, 3)
    )
    assert not chunks_returned(cumsum.dask.cumsum(x, 1, reread=True))
    for sums in (y, x * 2):
        assert not chunks_returned(cumsum.dask.judge(x, sums, 1))
    assert len(chunks_returned(cumsum.dask.cumsum(x, 1))) == 10
    assert len(chunks_returned(cumsum.dask.judge(x, x.cumsum(axis=1), 1))) >= 10


def test_tasks_leave_their_arguments_as_they_are():
    x, carry = numpy.ones(9, "float32"), cumsum.Carry()
    cumsum.cumsum(x, carry=carry, order="exact")
    saved = bytes(carry)
    cumsum.dask._append(carry, cumsum.Carry.total(x, position=9, order="exact"))
    cumsum.dask._step([x], carry, 0, {"order": "exact"})
    assert bytes(carry) == saved


def test_tasks_of_each_order():
    """Orders with totals take no chain of chunks; the blocked order takes one where it must."""
    x = dask.array.ones(4096 * 2, chunks=((1024, 2048, 100, 924, 4096),), dtype="float32")

    def names(order, **options):
        graph = dict(cumsum.dask.cumsum(x, order=order, **options).dask)
        kinds = [key[0].rpartition("-")[0] for key in graph]
        return {kind: kinds.count(kind) for kind in ("cumsum", "cumsum-total", "cumsum-step")}

    assert names("exact") == {"cumsum": 5, "cumsum-total": 4, "cumsum-step": 0}
    assert names("blocked") == {"cumsum": 5, "cumsum-total": 3, "cumsum-step": 1}
    assert names("sequential") == {"cumsum": 5, "cumsum-total": 0, "cumsum-step": 4}
    assert names("exact", reread=True)["cumsum"] == 5
    assert cumsum.dask.cumsum(x).name == cumsum.dask.cumsum(x, order="exact").name


def test_what_is_refused():
    x = dask.array.ones((4, 6), chunks=(2, 3), dtype="float32")
    rows = [
        (lambda: cumsum.dask.cumsum(numpy.ones(3)), TypeError, "must be a dask.array.Array"),
        (lambda: cumsum.dask.cumsum(x), ValueError, "axis must be given"),
        (lambda: cumsum.dask.cumsum(x, 2), ValueError, "axis 2 is out of bounds"),
        (lambda: cumsum.dask.cumsum(x, 0, order="best"), ValueError, "order is 'best'"),
        (lambda: cumsum.dask.cumsum(x, 0, reverse="no"), TypeError, "reverse is 'no'"),
        (lambda: cumsum.dask.cumsum(x.astype("f8"), 0), TypeError, "x has type float64"),
        (lambda: cumsum.dask.cumsum(x.astype(">f4"), 0), TypeError, "byte order"),
        (lambda: cumsum.dask.cumsum(x.sum()), ValueError, "x has 0 dimensions, and must have"),
        (lambda: cumsum.dask.cumsum(x[x > 0]), ValueError, r"x.compute_chunk_sizes\(\) finds them"),
    ]
    check_refused(rows)
    assert cumsum.dask.cumsum(x.astype("f8"), 0, "float32").compute().tolist()[3] == [4] * 6
