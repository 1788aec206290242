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

try:
    import dask.array
    import dask.config
    import distributed
except ImportError:
    pytest.skip("dask or distributed is missing (python3-distributed)", allow_module_level=True)

import cumsum.dask

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


def processes():
    return distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs=50,
    )


def test_workers_that_die():
    cases = [("exact", CHUNK, False), ("exact", CHUNK, True), ("blocked", 6144, False)]
    cases += [("blocked", CHUNK, False), ("sequential", CHUNK, False)]
    sums = [
        cumsum.dask.cumsum(slow_source(chunk), 1, order=order, reread=reread)
        for order, chunk, reread in cases
    ]
    with processes() as cluster, distributed.Client(cluster) as client:
        futures = client.compute(sums)
        assert kill_two(client, futures)
        results = client.gather(futures)
    for (order, _, _), y in zip(cases, results):
        wanted = cumsum.cumsum(X, 1, order=order)
        assert numpy.isfinite(wanted[0]).all() and same_bits(y, wanted)


def test_verdicts_of_workers_that_die():
    """The judgement is that of a single process, fault and all."""
    y = cumsum.cumsum(X, 1, order="blocked")
    place = CHUNK * 21 + 7
    y[0, place] = 4 * numpy.abs(X[0]).sum(dtype="f8")
    sources = slow_source(CHUNK), slow_source(CHUNK).rechunk((1, CHUNK * 3 // 2))
    judgements = [
        cumsum.dask.judge(x, dask.array.from_array(y, (1, CHUNK * 4)), 1) for x in sources
    ]
    with processes() as cluster, distributed.Client(cluster) as client:
        futures = client.compute(judgements)
        assert kill_two(client, futures)
        results = client.gather(futures)
    alone = judgements[0].compute(scheduler="sync")
    assert results == [alone, alone]
    assert alone.counts["FAIL"] == 1 and alone.first.coordinates == (0, place)


def test_processes_of_dask():
    """dask's own processes, without a cluster."""
    y = cumsum.dask.cumsum(dask.array.from_array(X, (1, CHUNK * 4)), 1)
    assert same_bits(y.compute(scheduler="processes"), cumsum.cumsum(X, 1, order="exact"))
