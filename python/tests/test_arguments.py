# SPDX-License-Identifier: MIT
"""Which arguments functions take, and what users of NumPy, PyTorch and the array API try first;
test_rejections.py has what is refused."""

import array
import ctypes
import itertools

import cumsum
import numpy
import pytest
from array_samples import same_bits

X = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)


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
        if len(x) + 1 == len(out):
            for reverse in (False, True):
                given = memory.copy()
                expected = cumsum.cumsum(memory[source], include_initial=True, reverse=reverse)
                x, out = given[source], given[target]
                cumsum.cumsum(x, out=out, include_initial=True, reverse=reverse)
                assert same_bits(out, expected)


def test_refused_out_stays():
    out = numpy.full(10, 9, numpy.int32)
    with pytest.raises(TypeError, match="out has type int32, but x has type float32"):
        cumsum.cumsum(numpy.ones(9, numpy.float32), out=out, include_initial=True)
    assert (out == 9).all()


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
    """They have no dtype; those of ctypes have sizes but no strides."""
    assert cumsum.cumsum(memoryview(X), 1).tolist() == [[0, 1, 3], [3, 7, 12]]
    out = array.array("i", [0, 0, 0])
    assert cumsum.cumsum(array.array("i", [1, 2, 3]), out=out) is out and out.tolist() == [1, 3, 6]
    x = ((ctypes.c_float * 3) * 2)((1, 2, 3), (10, 20, 30))
    y = cumsum.cumsum(x, 1)
    assert isinstance(y, numpy.ndarray) and y.tolist() == [[1, 3, 6], [10, 30, 60]]
    out = (ctypes.c_int64 * 4)()
    assert cumsum.cumsum((ctypes.c_int64 * 4)(1, 2, 3, 4), reverse=True, out=out) is out
    assert list(out) == [10, 9, 7, 4] and cumsum.cumsum((ctypes.c_uint32 * 0)()).shape == (0,)
    assert cumsum.judge((ctypes.c_int64 * 4)(1, 2, 3, 4), out, reverse=True)
    wide = array.array("i", [2**31 - 1, 7])
    assert cumsum.judge(wide, numpy.cumsum(numpy.asarray(wide)))
    assert cumsum.judge(memoryview(b"\1\0\1").cast("?"), array.array("q", [1, 1, 2]))
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


WIDENED = [
    ("int32", "int64"), ("int8", "int64"), ("int16", "int32"), ("uint8", "uint64"),
    ("uint32", "uint64"), ("bool", "int64"), ("uint8", "int64"), ("float16", "float32"),
    ("float32", "float64"), ("float16", "float64"), ("bool", "float16"), ("uint8", "float32"),
    ("int16", "float32"), ("int32", "float64"), ("uint32", "float64"),
]  # fmt: skip


@pytest.mark.parametrize("narrow, wide", WIDENED)
def test_widened_sums(narrow, wide):
    x = (numpy.random.default_rng(3).standard_normal((6, 70)) * 100).astype(narrow)
    y = numpy.cumsum(x, 1, dtype=wide)
    judgement = cumsum.judge(x, y, 1)
    assert judgement and judgement.outputs == x.size
    cumsum.assert_cumsum(x.T, y.T, dim=0)
    y[3, 40] += 16
    judgement = cumsum.judge(x, y, 1)
    assert not judgement and judgement.first.coordinates == (3, 40)
    assert judgement.first.dtype == wide


def test_sums_that_were_narrow():
    """Widened only afterwards: they are no sums of the wider type."""
    x = numpy.full(300, 100, "int8")
    assert not cumsum.judge(x, numpy.cumsum(x, dtype="int8").astype("int64"))
    x = numpy.full(300, 0.1, "float32")
    assert not cumsum.judge(x, numpy.cumsum(x, dtype="float32").astype("float64"))
    for narrow, other in [
        ("int64", "int32"), ("int32", "uint64"), ("float64", "float32"), ("int64", "float64"),
        ("int32", "float32"), ("uint16", "float16"),
    ]:  # fmt: skip
        with pytest.raises(TypeError, match=f"y has type {other}, but x has type {narrow}"):
            cumsum.judge(x.astype(narrow), numpy.ones(300, other))


def test_types_as_in_numpy():
    for dtype, name in [
        ("f4", "float32"), (int, "int64"), (float, "float64"), ("i8", "int64"), ("=f8", "float64"),
        (numpy.float16, "float16"), (numpy.dtype("u4"), "uint32"), ("float64", "float64"),
    ]:  # fmt: skip
        for x in (X, X.astype("f8"), X.astype("?"), X.astype(">i2"), memoryview(X)):
            result = cumsum.cumsum(x, 1, dtype)
            assert same_bits(result, numpy.cumsum(x, 1, dtype=name))
            assert same_bits(cumsum.cumulative_sum(x, axis=1, dtype=dtype), result)
    out = numpy.empty((2, 3), numpy.float16)
    assert cumsum.cumsum(X, 1, dtype=numpy.float16, out=out) is out
    assert out.tolist() == [[0, 1, 3], [3, 7, 12]]


class OnlyArray:
    """What pandas, xarray and dask have: __array__ alone."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array if dtype is None else self.array.astype(dtype)


def test_objects_that_numpy_reads():
    x = OnlyArray(X)
    y = cumsum.cumsum(x, 1)
    assert isinstance(y, numpy.ndarray) and same_bits(y, numpy.cumsum(X, 1))
    assert cumsum.judge(x, OnlyArray(y), 1)
    assert cumsum.cumsum(x, 0, "int64").dtype == numpy.int64
    with pytest.raises(TypeError, match="out must be an array of NumPy, PyTorch or"):
        cumsum.cumsum(x, 1, out=OnlyArray(X.copy()))
