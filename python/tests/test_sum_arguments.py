# SPDX-License-Identifier: MIT
"""Which arguments cumsum() takes; test_rejections.py has what it refuses."""

import array
import ctypes
import itertools

import cumsum
import numpy
import pytest
from array_samples import same_bits

X = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)


def test_axis_and_threads():
    assert same_bits(cumsum.cumsum(X, -1), cumsum.cumsum(X, 1))
    assert same_bits(cumsum.cumsum(X, numpy.int64(-2)), cumsum.cumsum(X, dim=0))
    assert cumsum.judge(X, cumsum.cumsum(X, 1), dim=-1)
    assert cumsum.cumsum(X[0]).tolist() == [0, 1, 3]
    assert same_bits(cumsum.cumsum(X, 1, reverse=numpy.True_), cumsum.cumsum(X, 1, reverse=True))
    for threads in (0, 1, 2, 5):
        assert same_bits(cumsum.cumsum(X, 0, threads=threads), cumsum.cumsum(X, 0))


def test_overlap():
    """An x that overlaps out is copied, unless their elements lie on each other."""
    memory = numpy.arange(10, dtype=numpy.int32)
    places = [slice(9), slice(1, 10), slice(None), slice(None, None, -1), slice(3, 7)]
    places += [slice(0, 8, 2), slice(1, 9, 2), slice(4)]
    for source, target in itertools.product(places, places):
        given = memory.copy()
        x, out = given[source], given[target]
        if len(x) == len(out):
            expected = memory.copy()
            expected[target] = numpy.cumsum(memory[source])
            assert cumsum.cumsum(x, out=out) is out and same_bits(given, expected)


def test_no_dimension():
    """One element, as in NumPy."""
    for x in (numpy.float32(3), numpy.array(3, "float32"), memoryview(numpy.array(3, "float32"))):
        for axis in (None, 0, -1):
            assert same_bits(cumsum.cumsum(x, axis), numpy.cumsum(numpy.float32(3), axis))
    assert cumsum.cumsum(numpy.int64(3), include_initial=True).tolist() == [0, 3]
    out = numpy.empty((), "float32")
    assert cumsum.cumsum(numpy.float32(3), out=out) is out and out == 3
    for y in (numpy.float32(3), numpy.cumsum(numpy.float32(3))):
        assert cumsum.judge(numpy.float32(3), y)
        assert cumsum.judge(numpy.float32(3), y, 0).outputs == 1
    assert not cumsum.judge(numpy.float32(3), numpy.float32(4))


def test_buffers_of_other_objects():
    result = cumsum.cumsum(array.array("i", [1, 2, 3]))
    assert isinstance(result, numpy.ndarray) and result.tolist() == [1, 3, 6]
    assert cumsum.cumsum(memoryview(X), 1).tolist() == [[0, 1, 3], [3, 7, 12]]
    out = array.array("i", [0, 0, 0])
    assert cumsum.cumsum(array.array("i", [1, 2, 3]), out=out) is out
    assert out.tolist() == [1, 3, 6]


def test_arrays_of_ctypes():
    """Their buffers have sizes but no strides."""
    x = ((ctypes.c_float * 3) * 2)((1, 2, 3), (10, 20, 30))
    assert cumsum.cumsum(x, 1).tolist() == [[1, 3, 6], [10, 30, 60]]
    out = (ctypes.c_int64 * 4)()
    assert cumsum.cumsum((ctypes.c_int64 * 4)(1, 2, 3, 4), reverse=True, out=out) is out
    assert list(out) == [10, 9, 7, 4]
    assert cumsum.judge((ctypes.c_int64 * 4)(1, 2, 3, 4), out, reverse=True)
    assert cumsum.cumsum((ctypes.c_uint32 * 0)()).shape == (0,)
    for other in ((ctypes.c_float.__ctype_be__ * 2)(), (ctypes.c_bool * 2)()):
        with pytest.raises(TypeError, match="sums are computed of"):
            cumsum.cumsum(other)


def test_arithmetic():
    """Every word arrives; tests/kernels has the bits."""
    x = numpy.full(5000, 0.1, numpy.float32)
    for order in ("sequential", "blocked", "exact"):
        assert cumsum.judge(x, cumsum.cumsum(x, order=order)).orders[0].order == order
    for store, sums in (("nearest-even", [2052, numpy.inf]), ("ieee", [2052, 65504])):
        for x, y in zip(([2048, 3], [65504, 10]), sums):
            assert cumsum.cumsum(numpy.array(x, "float16"), half_store=store)[1] == y
    assert cumsum.cumsum(numpy.array([2048, 3], "float16"), half_store="toward-zero")[1] == 2050
    few = numpy.array([2048] + [1] * 9, numpy.float16)
    assert cumsum.cumsum(few)[-1] == 2056  # 2057 is a tie, which goes to even
    assert cumsum.cumsum(few, half_accumulator="float16")[-1] == 2048
    assert cumsum.cumsum(numpy.full(2, 1e-45, "float32"), denormals="flush").tolist() == [0, 0]


def test_subclasses():
    """Of a subclass the result is a plain array."""
    with pytest.warns(PendingDeprecationWarning):
        x = numpy.matrix(X)
    y = cumsum.cumsum(x, 1)
    assert type(y) is numpy.ndarray and same_bits(y, numpy.cumsum(X, 1))


def test_array_api():
    """The standard's function: short integers are promoted, and a sum may begin with 0."""
    for dtype, promoted in [
        ("f4", "f4"), ("f2", "f2"), ("i8", "i8"), ("u8", "u8"),
        ("f8", "f8"), ("?", "i8"), ("i1", "i8"), ("i2", "i8"), ("i4", "i8"), ("u1", "u8"),
        ("u2", "u8"), ("u4", "u8"),
    ]:  # fmt: skip
        x = X.astype(dtype)
        for axis in (0, 1, -1):
            expected = numpy.cumsum(x, axis, dtype=promoted)
            assert same_bits(cumsum.cumulative_sum(x, axis=axis), expected)
            initial = cumsum.cumulative_sum(x[::-1, ::-1], axis=axis, include_initial=True)
            zeros = numpy.zeros_like(expected).take([0], axis)
            sums = numpy.cumsum(x[::-1, ::-1], axis, dtype=promoted)
            assert same_bits(initial, numpy.concatenate([zeros, sums], axis))
    assert cumsum.cumulative_sum(X[0], dtype=numpy.int32).dtype == numpy.int32
    assert cumsum.cumulative_sum(X[0, :0], include_initial=True).tolist() == [0]
