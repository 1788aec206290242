# SPDX-License-Identifier: MIT
"""Sums of dask's arrays by processes, some of which are killed while they work: the same bits."""

import os
import signal
import time

import cumsum
import numpy
import pytest
from array_samples import same_bits
from test_carry import hard_values

distributed = pytest.importorskip("distributed", reason="python3-distributed is missing")

import cumsum.dask
import dask.array

LINES, CHUNK, CHUNKS = 2, 6000, 30  # in the blocked order every 64th chunk begins at a tile
X = hard_values(numpy.random.default_rng(6), (LINES, CHUNK * CHUNKS), numpy.dtype("float32"))
X[0, X.shape[1] // 2 :] = 1e-3  # one line is not lost to infinity or NaN
X[0] = numpy.nan_to_num(X[0], nan=0, posinf=1, neginf=-1) / 2**20


def slow_source(chunk):
    """X in chunks, each of which takes a moment to read."""

    def read(block):
        time.sleep(0.05)
        return block

    return dask.array.from_array(X, (1, chunk)).map_blocks(read, dtype=X.dtype)


def kill_two(client, futures):
    """Kills a worker, and after a while another one. Returns how many died before the end."""
    killed = 0
    while killed < 2 and not all(future.done() for future in futures):
        time.sleep(0.7)
        alive = list(client.run(os.getpid).values())
        if alive and not all(future.done() for future in futures):
            os.kill(alive[0], signal.SIGKILL)
            killed += 1
    return killed


def test_workers_that_die():
    """The sums are those of one call, and the judgements those of one process, fault and all."""
    cases = [("exact", CHUNK, False), ("exact", CHUNK, True), ("blocked", 6144, False)]
    cases += [("blocked", CHUNK, False), ("sequential", CHUNK, False)]
    sums = [
        cumsum.dask.cumsum(slow_source(chunk), 1, order=order, reread=reread)
        for order, chunk, reread in cases
    ]
    wrong = cumsum.cumsum(X, 1, order="blocked")
    place = CHUNK * 21 + 7
    wrong[0, place] = 4 * numpy.abs(X[0]).sum(dtype="f8")
    y = dask.array.from_array(wrong, (1, CHUNK * 4))
    sources = slow_source(CHUNK), slow_source(CHUNK).rechunk((1, CHUNK * 3 // 2))
    judgements = [cumsum.dask.judge(x, y, 1) for x in sources]
    one_each = dict(n_workers=2, threads_per_worker=1, processes=True)
    with distributed.LocalCluster(**one_each, dashboard_address=None, silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            futures = client.compute([*sums, *judgements])
            assert kill_two(client, futures)
            *results, first, second = client.gather(futures)
    for (order, _, _), result in zip(cases, results):
        wanted = cumsum.cumsum(X, 1, order=order)
        assert numpy.isfinite(wanted[0]).all() and same_bits(result, wanted)
    alone = judgements[0].compute(scheduler="sync")
    assert first == second == alone
    assert alone.counts["FAIL"] == 1 and alone.first.coordinates == (0, place)


def test_processes_of_dask():
    """dask's own processes, without a cluster."""
    y = cumsum.dask.cumsum(dask.array.from_array(X, (1, CHUNK * 4)), 1)
    assert same_bits(y.compute(scheduler="processes"), cumsum.cumsum(X, 1, order="exact"))
