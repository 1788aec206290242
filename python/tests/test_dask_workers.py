# SPDX-License-Identifier: MIT
"""Sums and judgements of dask's arrays by processes: those of one call. Tasks leave their arguments
as they are (test_dask.py), so that one whose worker died can be done again."""

import cumsum
import numpy
import pytest
from array_samples import hard_values, same_bits

distributed = pytest.importorskip("distributed", reason="python3-distributed is missing")

import cumsum.dask
import dask.array

LINES, CHUNK, CHUNKS = 2, 6000, 30  # in the blocked order every 64th chunk begins at a tile
X = hard_values(numpy.random.default_rng(6), (LINES, CHUNK * CHUNKS), numpy.dtype("float32"))
X[0, X.shape[1] // 2 :] = 1e-3  # one line is not lost to infinity or NaN
X[0] = numpy.nan_to_num(X[0], nan=0, posinf=1, neginf=-1) / 2**20


def source(chunk):
    return dask.array.from_array(X, (1, chunk)).map_blocks(numpy.positive, dtype=X.dtype)


@pytest.fixture(params=["cluster", "processes"])
def compute(request):
    if request.param == "processes":
        yield lambda *arrays: dask.compute(*arrays, scheduler="processes")
        return
    how = dict(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with distributed.LocalCluster(**how, silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            yield lambda *arrays: client.gather(client.compute(list(arrays)))


def test_workers(compute):
    cases = [("exact", CHUNK, False), ("exact", CHUNK, True), ("blocked", 6144, False)]
    cases += [("blocked", CHUNK, False), ("sequential", CHUNK, False)]
    sums = [cumsum.dask.cumsum(source(chunk), 1, order=order, reread=reread)
            for order, chunk, reread in cases]  # fmt: skip
    wrong = cumsum.cumsum(X, 1, order="blocked")
    place = CHUNK * 21 + 7
    wrong[0, place] = 4 * numpy.abs(X[0]).sum(dtype="f8")
    y = dask.array.from_array(wrong, (1, CHUNK * 4))
    of_pieces = source(CHUNK), source(CHUNK).rechunk((1, CHUNK * 3 // 2))
    *results, first, second = compute(*sums, *(cumsum.dask.judge(x, y, 1) for x in of_pieces))
    for (order, _, _), result in zip(cases, results):
        assert same_bits(result, cumsum.cumsum(X, 1, order=order)) and numpy.isfinite(result[0]).all()
    assert first == second == cumsum.dask.judge(of_pieces[0], y, 1).compute(scheduler="sync")
    assert first.counts["FAIL"] == 1 and first.first.coordinates == (0, place)
