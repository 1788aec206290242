# SPDX-License-Identifier: MIT
"""Verdicts on dask's arrays: those of one call, whatever the chunks and the scheduler."""

import dataclasses
import math
import weakref

import cumsum
import numpy
import pytest
from array_samples import check_refused, hard_values, numpy_sum

dask = pytest.importorskip("dask", reason="dask is missing (python3-dask)")

import cumsum.dask
from cumsum._judging import Judging, Kind, join
from test_dask import random_chunks

TYPES = [numpy.dtype(name) for name in ("f4", "f8", "f2", "i4", "u8", "i1")]
# What needs whole lines.
WHOLE_LINES = {"near", "differing", "power", "orders", "not_tried", "text", "report", "said"}


def differences(ours, theirs, dtype):
    names = [f.name for f in dataclasses.fields(ours) if f.name not in (*WHOLE_LINES, "h")]
    pairs = {name: (getattr(ours, name), getattr(theirs, name)) for name in names}
    if theirs.passed and ours.h == theirs.h:  # of equal errors the one that was fed first is shown
        del pairs["first"], pairs["worst"]
    different = {name: pair for name, pair in pairs.items() if repr(pair[0]) != repr(pair[1])}
    if not math.isclose(ours.h, theirs.h, rel_tol=2**-20):
        different["h"] = (ours.h, theirs.h)
    tried = ("sequential", "exact")
    known = [m for m in theirs.orders if m.order in tried and m.denormals == "preserve"]
    if dtype in ("float32", "float64") and list(ours.orders) != known:
        different["orders"] = (ours.orders, known)
    return different


def outputs(rng, x, axis, reverse, exclusive, fault):
    """Sums in some order, wrong in some places or not."""
    with numpy.errstate(all="ignore"):
        y = numpy.ascontiguousarray(numpy_sum(x, axis, exclusive, reverse))
    for _ in range(fault):
        place = tuple(int(rng.integers(n)) for n in y.shape)
        y[place] = 1 if y[place] == 0 else 0
    return y


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_any_chunks_have_the_judgement_of_one_call(dtype):
    rng = numpy.random.default_rng([9, TYPES.index(dtype)])
    for trial in range(24):
        axis = trial % 3
        shape = [3, 2, 4]
        shape[axis] = int(rng.integers(1, 400))
        hard = dtype.kind == "f" and dtype != "f8" and trial % 4 == 3
        x = rng.standard_normal(shape).astype("f4") * 8
        x = hard_values(rng, shape, dtype) if hard else x.astype(dtype)
        reverse, exclusive = bool(rng.integers(2)), bool(rng.integers(2))
        y = outputs(rng, x, axis, reverse, exclusive, (0, 0, 1, 5)[trial % 4])
        options = {"reverse": reverse, "exclusive": exclusive}
        options["accept"] = str(rng.choice(["conformant", "decided"]))
        theirs = cumsum.judge(x, y, axis, orders="all", **options)
        if theirs.doubt and (hard or dtype == "f2"):  # chunks may doubt less
            continue
        chunks = [random_chunks(rng, n, False) for n in shape]
        sources = dask.array.from_array(x, chunks), dask.array.from_array(y, shape)
        ours = cumsum.dask.judge(*sources, axis, orders="all", **options)
        scheduler = str(rng.choice(["threads", "sync"]))
        assert differences(ours.compute(scheduler=scheduler), theirs, dtype) == {}, (trial, chunks)


def test_doubt_in_some_lines_and_none_where_others_fail():
    x = numpy.random.default_rng(5).standard_normal((3, 65536)).astype("float32")
    y = numpy.cumsum(x, 1, dtype="float32")
    y[1:, 40000:] += 8
    sources = [dask.array.from_array(a, (1, 20000)) for a in (x, y)]
    ours = cumsum.dask.judge(*sources, 1).compute(scheduler="sync")
    theirs = cumsum.judge(x, y, 1)
    assert ours.doubt.lines == 2 and ours.first.coordinates[0] == 1
    assert differences(ours, theirs, "float32") == {}
    y[2, 5] = 1e9
    sources = [dask.array.from_array(a, (1, 20000)) for a in (x, y)]
    ours = cumsum.dask.judge(*sources, 1).compute(scheduler="sync")
    assert ours.verdict == "FAIL" and ours.doubt is None
    assert differences(ours, cumsum.judge(x, y, 1), "float32") == {}


def test_what_was_not_tried_is_named():
    x = dask.array.ones((2, 30), chunks=10, dtype="float32")
    judgement = cumsum.dask.judge(x, x.cumsum(axis=1), 1).compute(scheduler="sync")
    assert judgement.orders[0].order == "sequential"
    assert "hillis-steele" in judgement.not_tried and "exact" not in judgement.not_tried
    judgement = cumsum.dask.judge(x, x.cumsum(axis=1), 1, orders="none").compute(scheduler="sync")
    assert judgement.not_tried == () and judgement.orders == ()


def test_sums_of_a_wider_type():
    x = dask.array.ones((2, 30), chunks=10, dtype="int32")
    y = x.cumsum(axis=1, dtype="int64")
    judgement = cumsum.dask.judge(x, y, 1).compute(scheduler="sync")
    assert judgement and judgement.counts == {"exact": 60}
    assert not cumsum.dask.judge(x, y + 1, 1).compute(scheduler="sync")


def test_no_outputs():
    x = dask.array.ones((0, 30), chunks=10, dtype="float32")
    judgement = cumsum.dask.judge(x, x, 1).compute(scheduler="sync")
    assert judgement and judgement.outputs == 0


def test_it_is_lazy_and_holds_one_chunk_at_a_time():
    """A chunk is made when it is its turn, unless something else uses it as well."""
    made = []

    def read(block_info=None):
        made.append(block_info[None]["chunk-location"])
        chunk = numpy.ones(10, "float32")
        weakref.finalize(chunk, made.append, "gone")
        return chunk

    meta = numpy.ones(0, "float32")
    x = dask.array.map_blocks(read, chunks=((10,) * 4,), dtype="float32", meta=meta)
    y = dask.array.arange(1, 41, chunks=10, dtype="float32")
    judgement = cumsum.dask.judge(x, y, 0)
    assert made == []
    assert judgement.compute(scheduler="sync")
    assert made == [part for k in range(4) for part in ((k,), "gone")]
    made.clear()
    assert cumsum.dask.judge(x, x.cumsum(axis=0), 0).compute(scheduler="sync")
    assert [part for part in made if part != "gone"] == [(k,) for k in range(4)]


def test_what_is_refused():
    x = dask.array.ones((4, 6), chunks=(2, 3), dtype="float32")
    rows = [
        (lambda: cumsum.dask.judge(numpy.ones(3), x, 0), TypeError, "x is a ndarray, and must be"),
        (lambda: cumsum.dask.judge(x, x[:2], 0), ValueError, r"shape \(4, 6\), but y has \(2, 6\)"),
        (lambda: cumsum.dask.judge(x, x.astype("i4"), 0), TypeError, "does not hold its values"),
        (lambda: cumsum.dask.judge(x, x), ValueError, "axis must be given"),
        (lambda: cumsum.dask.judge(x[x > 0], x[x > 0], 0), ValueError, "chunks of unknown sizes"),
        (lambda: cumsum.dask.judge(x, x.astype("c8"), 0), TypeError, "y has type complex64"),
        (lambda: cumsum.dask.judge(x, x, 0, orders="most"), ValueError, "orders is 'most'"),
        (lambda: cumsum.dask.judge(x, x, 0, rules="mars"), ValueError, "mars"),
    ]
    check_refused(rows)


def test_pieces_that_do_not_fit():
    x = numpy.ones(4, "float32")
    y = numpy.cumsum(x, dtype="f4")
    judging = Judging(Kind(1, 1, 1, False, False, 8, "all", {}))
    judging.feed(x, y)
    with pytest.raises(ValueError, match="must not exceed what is left"):
        judging.feed(numpy.ones(5, "float32"), numpy.ones(5, "float32"))
    with pytest.raises(TypeError, match="type float64"):
        judging.feed(x.astype("f8"), y.astype("f8"))
    with pytest.raises(ValueError, match="a chunk of y is float32 of shape"):
        judging.feed(x, y[:3])
    odd = numpy.frombuffer(b"." + (y + 4).tobytes(), "f4", offset=1)  # as from a network
    judging.feed(x, odd)
    assert join([judging.end((0,), (8,), 0)], 0, False, "all")
