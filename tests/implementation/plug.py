# SPDX-License-Identifier: MIT
"""plug.py [MANNER]: plug.c in Python, over cumsum.serve()."""

import sys

import cumsum
import numpy

MANNER = (*sys.argv[1:], "")[0]


def cut_sums(x, axis, exclusive, reverse, segments, initial):
    y = numpy.empty_like(x)
    lines, sums = numpy.moveaxis(x, axis, -1), numpy.moveaxis(y, axis, -1)
    for number, line in enumerate(numpy.ndindex(lines.shape[:-1])):
        own = segments[number] if isinstance(segments, list) else segments
        own = [0, x.shape[axis]] if own is None else own
        for begin, end in zip(own, own[1:]):
            part = lines[line][begin:end][:: -1 if reverse else 1]
            sum = numpy.cumsum(part, dtype=x.dtype) + (initial or x.dtype.type(0))
            sums[line][begin:end] = (sum - part if exclusive else sum)[:: -1 if reverse else 1]
    return y


def f(x, *, axis, exclusive, reverse, segments, initial):
    if segments is not None or initial is not None:
        return cut_sums(x, axis, exclusive, reverse, segments, initial)
    if MANNER == "talks":
        print(x.ndim, "dimensions", flush=True)
    if MANNER == "other":
        return x.astype("float64")[None]
    if x.ndim == 5:
        raise NotImplementedError("five dimensions")
    if x.ndim == 6:
        raise RuntimeError("Gerät lost")
    x = numpy.flip(x, axis) if reverse else x
    y = numpy.cumsum(x, axis, dtype=x.dtype)
    if MANNER == "forgets" and x.shape[axis] > 60:  # the carry
        y.flat[-1] -= 1
    y = y - x if exclusive else y  # exact: the tests' sums are small integers
    return numpy.flip(y, axis) if reverse else y


def total(x, *, axis):
    if len(axis) == 4:
        return x  # of another shape
    return numpy.sum(x, axis, dtype=x.dtype)


if MANNER == "little":
    cumsum.serve(
        lambda x, **how: f(x, segments=None, initial=None, **how),
        name="little",
        types=("float32", "int32"),
        ranks=(2, 3),
        strides=False,
        directions=["increasing"],
        sums=["inclusive"],
        deterministic=False,
        half_accumulator="float16",
        half_store="ieee",
        denormals="flush",
    )
if MANNER == "totals":
    cumsum.serve(None, total=total, rules="rounding=toward-zero")
cumsum.serve(
    f,
    total=total,
    name='a "plug"',
    version="1\t2",
    deterministic=True,
    rules="ieee",
    segments=True,
    initial=True,
)
