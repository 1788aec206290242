#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scale.py [--elements N] [--chunks N...] [--workers N...]: what sums and verdicts of dask's arrays
cost, in processor time, wall time and memory of the workers (docs/scale.md). Needs python3-dask and
python3-distributed, and PYTHONPATH=build/release/python.

A line of float32 is made, summed or judged, and reduced to a digest, chunk by chunk, by worker
processes with one thread each. Processor time is that of all workers; other programs disturb it
less than the wall time. Memory is the peak of the worker that needs most, above what it had before,
in chunks. The digest adds up the bits of the outputs: it is equal where all bits are."""

import argparse
import resource
import time

import dask.array
import distributed
import numpy

import cumsum.dask


STEP = 1 << 18  # numbers that share a random generator, so that they do not depend on the chunks


def make(begin, end):
    y = numpy.empty(end - begin, "f4")
    for block in range(begin // STEP, -(-end // STEP)):
        values = numpy.random.default_rng(block).random(STEP, "f4")
        first, last = max(begin, block * STEP), min(end, (block + 1) * STEP)
        y[first - begin : last - begin] = values[first - block * STEP : last - block * STEP]
    y -= numpy.float32(0.5)
    return y


def count(begin, end):
    """The sums of ones, rounded."""
    y = numpy.empty(end - begin, "f4")
    for first in range(begin, end, STEP):
        last = min(first + STEP, end)
        y[first - begin : last - begin] = numpy.arange(first + 1, last + 1)
    return y


def source(elements, chunks, make=make):
    edges = [elements * k // chunks for k in range(chunks + 1)]
    pairs = list(zip(edges, edges[1:]))
    name = f"{make.__name__}-{elements}-{chunks}"
    tasks = {(name, k): (make, *pair) for k, pair in enumerate(pairs)}
    sizes = tuple(end - begin for begin, end in pairs)
    return dask.array.Array(tasks, name, (sizes,), meta=numpy.ones(0, "f4"))


def digest(y):
    bits = y.map_blocks(lambda block: block.view("u4").sum(dtype="u8", keepdims=True), dtype="u8")
    return bits.sum(dtype="u8")


def judged(x):
    return cumsum.dask.judge(x, x.cumsum(axis=0), 0, orders="none")


def ones(begin, end):
    return numpy.ones(end - begin, "f4")


def counted(x):
    """x has the size and the chunks. Sums whose chunks can be made one without the other, as if they
    were read."""
    x, y = (source(x.size, x.numblocks[0], make) for make in (ones, count))
    return cumsum.dask.judge(x, y, 0, orders="none")


WORK = {
    "the source alone": digest,
    "exact": lambda x: digest(cumsum.dask.cumsum(x)),
    "exact, reread": lambda x: digest(cumsum.dask.cumsum(x, reread=True)),
    "blocked": lambda x: digest(cumsum.dask.cumsum(x, order="blocked")),
    "sequential": lambda x: digest(cumsum.dask.cumsum(x, order="sequential")),
    "dask's sequential": lambda x: digest(x.cumsum(axis=0)),
    "dask's blelloch": lambda x: digest(x.cumsum(axis=0, method="blelloch")),
    "judge (of dask's)": judged,
    "judge (counts)": counted,
}


def memory(reset=False):
    """The process's memory in bytes: its peak since the last reset."""
    if reset:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
            clear.write("5")
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def processor_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(client, work, elements, chunks):
    before, spent = client.run(memory, reset=True), client.run(processor_time)
    started = time.monotonic()
    result = client.compute(work(source(elements, chunks))).result()
    wall = time.monotonic() - started
    peak, total = client.run(memory), client.run(processor_time)
    chunk = -(-elements // chunks) * 4
    return (
        sum(total[worker] - spent[worker] for worker in total),
        wall,
        max(peak[worker] - before[worker] for worker in peak) / chunk,
        f"{int(result):016x}" if isinstance(result, numpy.integer) else result.error_class,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elements", type=int, default=40_000_000)
    parser.add_argument("--chunks", type=int, nargs="+", default=[10, 40])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    print("| what | workers | chunks | processor s | wall s | peak, chunks | digest |")
    print("|---|---|---|---|---|---|---|")
    for workers in options.workers:
        for name, work in WORK.items():
            for chunks in options.chunks:
                with distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    memory_limit=0,
                    dashboard_address=None,
                    silence_logs=50,
                ) as cluster, distributed.Client(cluster) as client:
                    client.wait_for_workers(workers)
                    client.compute(work(source(1000, 2))).result()  # imports
                    spent, wall, peak, result = measure(client, work, options.elements, chunks)
                    row = f"{spent:.2f} | {wall:.2f} | {peak:.1f} | {result}"
                    print(f"| {name} | {workers} | {chunks} | {row} |", flush=True)


if __name__ == "__main__":
    main()
