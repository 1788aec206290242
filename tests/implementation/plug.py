# SPDX-License-Identifier: MIT
"""plug.py [MANNER]: plug.c in Python, over cumsum.serve()."""

import sys

import cumsum
import numpy

MANNER = (*sys.argv[1:], "")[0]


def f(x, *, axis, exclusive, reverse):
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
    return numpy.sum(x[..., :60] if MANNER == "forgets" else x, axis, dtype=x.dtype)


if MANNER == "little":
    cumsum.serve(
        f,
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
    f, total=total, name='a "plug"', version="1\t2", deterministic=True, rules="ieee"
)
