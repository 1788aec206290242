# SPDX-License-Identifier: MIT
"""Random calls, also with numbers and bools of NumPy, and layouts that need a copy: the sums are
those of NumPy, and judge() finds the place of a fault in them."""

import mmap
import sys

import cumsum
import numpy
import pytest
from array_samples import TYPES, numpy_sum, random_shape, random_values, random_view, same_bits

# The value on Linux. Python names it from 3.13 on.
MAP_NORESERVE = 0x4000
ALL = [*TYPES, numpy.dtype("float64")]


def misaligned(rng, shape, dtype):
    memory = numpy.zeros(int(numpy.prod(shape)) * dtype.itemsize + 1, "u1")
    return memory[1:].view(dtype).reshape(shape)


def random_array(rng, shape, dtype):
    """An array of any layout, some of which no descriptor has."""
    array = rng.choice([random_view, random_view, misaligned])(rng, shape, dtype)
    array[...] = random_values(rng, shape, dtype)
    return array


def random_options(rng, dtype):
    """Those of scans, and those of sums alone."""
    initial = bool(rng.random() < 0.2)
    scan = {"reverse": rng.choice([False, True]), "include_initial": initial}
    scan["exclusive"] = not initial and rng.choice([False, True])
    kernels = ["auto"] if dtype == "float64" else cumsum.kernels()
    return scan, {"kernel": str(rng.choice(kernels)), "threads": rng.integers(3)}


def expected_sum(x, axis, reverse, exclusive, include_initial):
    sums = numpy_sum(x, axis, exclusive, reverse)
    if not include_initial:
        return sums
    zeros = numpy.zeros_like(x.sum(axis, keepdims=True), x.dtype)
    return numpy.concatenate([sums, zeros] if reverse else [zeros, sums], axis)


@pytest.mark.parametrize("dtype", ALL, ids=str)
def test_random_calls(dtype):
    """A new array, one of another layout, and x itself get the sums; what lies between elements
    stays. Some elements of x repeat."""
    for seed in range(100):
        rng = numpy.random.default_rng(seed)
        dimensions = int(rng.integers(1, 7)) if seed % 10 else 9 + seed % 3
        shape = random_shape(rng, dimensions, 5 if dimensions < 9 else 2)
        axis, named = rng.integers(-dimensions, dimensions), str(rng.choice(["axis", "dim"]))
        x, (scan, others) = random_array(rng, shape, dtype), random_options(rng, dtype)
        if rng.random() < 0.2:
            x = numpy.broadcast_to(x[:1], shape)
        kept, expected = x.copy(), expected_sum(x, axis, **scan)

        y = cumsum.cumsum(x, **{named: axis}, **scan, **others)
        assert y.flags.c_contiguous and same_bits(y, expected), seed
        out = random_array(rng, y.shape, dtype)
        memory, old = out.base.copy(), out.copy()
        assert cumsum.cumsum(x, axis, out=out, **scan, **others) is out
        assert same_bits(out, expected) and same_bits(x, kept), seed
        judgement = cumsum.judge(x, out, **{named: axis}, **scan)
        assert judgement and judgement.outputs == out.size == sum(judgement.counts.values()), seed
        place = tuple(int(rng.integers(n)) for n in out.shape)
        out[place] = 1000 if out[place] != 1000 else 0
        judgement = cumsum.judge(x, out, axis, orders="none", **scan)
        assert not judgement and judgement.first.coordinates == place, seed
        out[...] = old
        assert same_bits(out.base, memory), seed
        if x.flags.writeable and not scan["include_initial"]:
            cumsum.cumsum(x, axis, out=x, **scan, **others)
            assert same_bits(x, expected), seed


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reserves no memory for a map")
@pytest.mark.skipif(sys.maxsize < 2**33, reason="32-bit addresses have no room for it")
def test_elements_too_far_apart_are_copied():
    """A stride that a descriptor cannot have. Only two pages of the memory are ever touched."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
    memory = numpy.frombuffer(mmap.mmap(-1, 2**34, flags), numpy.int32)
    x = numpy.lib.stride_tricks.as_strided(memory, (2,), (2**34 - 4,))
    x[:] = 5, 6
    assert cumsum.cumsum(x).tolist() == [5, 11]
    cumsum.cumsum(numpy.full(2, 7, numpy.int32), out=x[::-1])
    assert x.tolist() == [14, 7]


@pytest.mark.parametrize("shape", [(0,), (3, 0), (0, 3), (2, 0, 4)])
def test_nothing_to_sum(shape):
    x = numpy.empty(shape, numpy.float32)
    y = cumsum.cumsum(x, -1)
    assert y.shape == shape and y.dtype == numpy.float32
    judgement = cumsum.judge(x, y.astype("float64"), -1)
    assert str(judgement).startswith("PASS: ") and judgement.outputs == 0 and not judgement.counts
