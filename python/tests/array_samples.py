# SPDX-License-Identifier: MIT
"""Helpers of several tests: the types, random layouts, sums by NumPy to compare with, and wrong
sums."""

import numpy
import pytest

TYPES = [numpy.dtype(name) for name in "float32 float16 int32 uint32 int64 uint64".split()]


def random_values(rng, shape, dtype):
    """Integers of the whole range, so that sums wrap; for floats small integers, whose sums are
    exact in any order."""
    if dtype.kind == "f":
        return rng.integers(-8, 9, shape).astype(dtype)
    limits = numpy.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)


def hard_values(rng, shape, dtype):
    """Values whose sums round, overflow and are NaN; of integers the whole range."""
    if dtype.kind != "f":
        return random_values(rng, shape, dtype)
    scale = rng.choice([1e-40, 1e-3, 1.0, 1e30] if dtype.itemsize == 4 else [1e-7, 1, 100], shape)
    x = (rng.standard_normal(shape) * scale).astype(dtype)
    x[rng.random(shape) < 0.001] = rng.choice([numpy.inf, -numpy.inf, numpy.nan, -0.0])
    return x


def random_edges(rng, length, unit=1):
    """Where a line is cut: at multiples of a unit, into up to five pieces, some of them empty."""
    cuts = rng.integers(0, length // unit + 1, rng.integers(5)) * unit
    return [0, *sorted(cuts.tolist()), length]


def random_shape(rng, dimensions, most=5):
    return tuple(int(size) for size in rng.integers(1, most + 1, dimensions))


def random_view(rng, shape, dtype):
    """An array of this shape with a random layout: the order of the dimensions in memory, reversed
    dimensions and gaps between elements."""
    order = rng.permutation(len(shape))
    steps = rng.integers(1, 4, len(shape))
    memory = numpy.zeros([shape[d] * steps[d] for d in order], dtype)
    view = memory.transpose(numpy.argsort(order))
    view = view[tuple(slice(None, None, int(step)) for step in steps)]
    directions = rng.integers(0, 2, len(shape)) * -2 + 1
    view = view[tuple(slice(None, None, int(step)) for step in directions)]
    assert view.shape == tuple(shape)
    return view


def numpy_sum(x, axis, exclusive=False, reverse=False):
    """The scan by NumPy's cumsum, in x's own type."""
    reversed_x = numpy.flip(x, axis) if reverse else x
    total = numpy.cumsum(reversed_x, axis, dtype=x.dtype)
    if exclusive:
        zero = numpy.zeros_like(numpy.take(total, [0], axis))
        total = numpy.concatenate(
            [zero, numpy.delete(total, total.shape[axis] - 1, axis)], axis=axis
        )
    return numpy.flip(total, axis) if reverse else total


def same_bits(a, b):
    """Whether all bits are equal; any NaN equals any NaN."""
    a, b = numpy.asarray(a), numpy.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    bits = f"u{a.dtype.itemsize}"
    same = numpy.ascontiguousarray(a).view(bits) == numpy.ascontiguousarray(b).view(bits)
    if a.dtype.kind == "f":
        same |= numpy.isnan(a) & numpy.isnan(b)
    return bool(same.all())


def lost_carry():
    """Numbers, and sums of which the second half starts anew. The line is so long that the bound of
    any order accepts them."""
    x = numpy.random.default_rng(5).standard_normal(1 << 18).astype("float32")
    halves = [numpy.cumsum(half, dtype="float32") for half in numpy.split(x, 2)]
    return x, numpy.concatenate(halves)


def check_refused(rows):
    """Calls, each with its exception and words of it."""
    for call, error, words in rows:
        with pytest.raises(error, match=words):
            call()
