# SPDX-License-Identifier: MIT
"""Layouts: with any strides, the sums are those of NumPy."""

import itertools
import mmap
import sys

import cumsum
import numpy
import pytest
from array_samples import TYPES, numpy_sum, random_shape, random_values, random_view, same_bits

SEEDS = range(40)
# The value on Linux. Python names it from 3.13 on.
MAP_NORESERVE = 0x4000


FLOAT64 = numpy.dtype("float64")  # has one kernel


@pytest.mark.parametrize(
    "dtype, kernel", [*itertools.product(TYPES, cumsum.kernels()), (FLOAT64, "auto")]
)
def test_random_layouts(dtype, kernel):
    for seed in SEEDS:
        rng = numpy.random.default_rng(seed)
        shape = random_shape(rng, int(rng.integers(1, 7)))
        axis = int(rng.integers(-len(shape), len(shape)))
        exclusive, reverse = (bool(bit) for bit in rng.integers(0, 2, 2))
        x = random_view(rng, shape, dtype)
        x[...] = random_values(rng, shape, dtype)
        kept = x.copy()
        out = random_view(rng, shape, dtype)
        expected = numpy_sum(x, axis, exclusive, reverse)
        options = dict(exclusive=exclusive, reverse=reverse, kernel=kernel)

        new = cumsum.cumsum(x, axis, **options)
        assert new.flags.c_contiguous and same_bits(new, expected), seed
        assert cumsum.cumsum(x, axis, out=out, **options) is out
        assert same_bits(out, expected), seed
        assert same_bits(x, kept), seed
        cumsum.cumsum(x, axis, out=x, **options)
        assert same_bits(x, expected), seed


def test_gaps_stay_as_they_are():
    memory = numpy.full((4, 10), 7, numpy.int32)
    out = memory[1:3, 2:9:3]
    cumsum.cumsum(numpy.ones((2, 3), numpy.int32), 1, out=out)
    expected = numpy.full((4, 10), 7, numpy.int32)
    expected[1:3, 2:9:3] = [1, 2, 3]
    assert (memory == expected).all()


def test_repeated_input():
    x = numpy.broadcast_to(numpy.float32(0.1), (3, 50))
    assert cumsum.judge(x, cumsum.cumsum(x, 1), 1).orders[0].order == "sequential"
    assert (cumsum.cumsum(x.astype("int32") + 1, 0)[2] == 3).all()


@pytest.mark.parametrize("dimensions", [9, 12, 32])
def test_more_dimensions_than_a_descriptor_has(dimensions):
    rng = numpy.random.default_rng(dimensions)
    shape = tuple(2 if d < 10 else 1 for d in rng.permutation(dimensions))
    x = random_values(rng, shape, numpy.dtype("int64"))
    for axis in range(dimensions):
        assert same_bits(cumsum.cumsum(x, axis), numpy_sum(x, axis))
        # No dimensions of a transposed array can be merged, so it is copied.
        assert same_bits(cumsum.cumsum(x.T, axis), numpy_sum(x.T, axis))


def test_more_dimensions_than_an_out_has_that_is_not_packed():
    out = numpy.empty([3] * 9, numpy.int32)[tuple([slice(None, None, 2)] * 9)]
    x = random_values(numpy.random.default_rng(1), [2] * 9, out.dtype)
    for axis in (0, 4, 8):
        assert cumsum.cumsum(x, axis, out=out) is out and same_bits(out, numpy_sum(x, axis))


def test_misaligned_arrays_are_copied():
    memory = numpy.zeros(41, numpy.uint8)
    x = memory[1:].view(numpy.float32)
    x[:] = range(10)
    assert not x.flags.aligned
    assert (cumsum.cumsum(x) == numpy.cumsum(x)).all()
    cumsum.cumsum(numpy.ones(10, numpy.float32), out=x)
    assert x.tolist() == list(range(1, 11))


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
    result = cumsum.cumsum(numpy.empty(shape, numpy.float32), -1)
    assert result.shape == shape and result.dtype == numpy.float32
