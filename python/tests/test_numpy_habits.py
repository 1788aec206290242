# SPDX-License-Identifier: MIT
"""What users of NumPy, PyTorch and the array API try first: widened sums, dtype as in NumPy, dim,
include_initial, objects that only NumPy can read."""

import array

import cumsum
import numpy
import pytest
from array_samples import same_bits

X = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)


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


def test_widened_sums_of_buffers():
    """They have no dtype."""
    x = array.array("i", [2**31 - 1, 7])
    assert cumsum.judge(x, numpy.cumsum(numpy.asarray(x)))
    assert cumsum.judge(memoryview(b"\1\0\1").cast("?"), array.array("q", [1, 1, 2]))


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


def test_pandas_and_dask():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    series = pandas.Series([1.5, 2.0, -1.0])
    assert cumsum.judge(series, series.cumsum())
    assert cumsum.cumsum(series).tolist() == series.cumsum().tolist()
