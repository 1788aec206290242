# SPDX-License-Identifier: MIT
"""Which arguments cumsum() takes and refuses, and the messages of its exceptions."""

import sys
import array
import ctypes

import cumsum
import numpy
import pytest
from array_samples import TYPES, same_bits

X = numpy.arange(6, dtype=numpy.float32).reshape(2, 3)


def test_axis():
    assert same_bits(cumsum.cumsum(X, -1), cumsum.cumsum(X, 1))
    assert same_bits(cumsum.cumsum(X, numpy.int64(-2)), cumsum.cumsum(X, axis=0))
    assert cumsum.cumsum(X[0]).tolist() == [0, 1, 3]
    for axis in (2, -3, 2**70, -(2**70)):
        with pytest.raises(ValueError, match=f"axis {axis} is out of bounds"):
            cumsum.cumsum(X, axis)
    with pytest.raises(ValueError, match="axis must be given, since x has 2 dimensions"):
        cumsum.cumsum(X)
    for axis in (0.5, "1", (0, 1), True, numpy.True_, numpy.array(1.0), [1]):
        with pytest.raises(TypeError, match="axis is .*, and must be an integer"):
            cumsum.cumsum(X, axis)


def test_no_dimension():
    """One element, as in NumPy."""
    for x in (numpy.float32(3), numpy.array(3, "float32"), memoryview(numpy.array(3, "float32"))):
        for axis in (None, 0, -1):
            assert same_bits(cumsum.cumsum(x, axis), numpy.cumsum(numpy.float32(3), axis))
        with pytest.raises(ValueError, match="axis 1 is out of bounds"):
            cumsum.cumsum(x, 1)
    assert cumsum.cumsum(numpy.int64(3), include_initial=True).tolist() == [0, 3]
    out = numpy.empty((), "float32")
    assert cumsum.cumsum(numpy.float32(3), out=out) is out and out == 3
    for y in (numpy.float32(3), numpy.cumsum(numpy.float32(3))):
        assert cumsum.judge(numpy.float32(3), y) and cumsum.judge(numpy.float32(3), y, 0).outputs == 1
    assert not cumsum.judge(numpy.float32(3), numpy.float32(4))


@pytest.mark.parametrize(
    "dtype, name",
    [(name, name) for name in "int8 uint8 int16 uint16 bool complex64 complex128 float128".split()]
    + [(">f4", ">f4"), (">i8", ">i8"), ("M8[s]", None), ("S3", "bytes"), ("O", "object")],
)
def test_other_types(dtype, name):
    message = "sums are computed of float64, float32, float16, int32, uint32, int64 and uint64"
    with pytest.raises(TypeError, match=message) as raised:
        cumsum.cumsum(numpy.zeros(3, dtype), 0)
    assert name is None or f"x has elements of type {name};" in str(raised.value)
    if dtype in ("bool", "int8", "uint16"):
        assert str(raised.value).endswith("; dtype='int64' converts x")
        x = numpy.ones(3, dtype)
        assert cumsum.cumsum(x, 0, "int64").tolist() == [1, 2, 3]


@pytest.mark.parametrize("x", [[1, 2], 3.0, None, "text"])
def test_no_array(x):
    with pytest.raises(TypeError, match="x must be an array"):
        cumsum.cumsum(x, 0)


def test_buffers_of_other_objects():
    result = cumsum.cumsum(array.array("i", [1, 2, 3]))
    assert isinstance(result, numpy.ndarray) and result.tolist() == [1, 3, 6]
    assert cumsum.cumsum(memoryview(X), 1).tolist() == [[0, 1, 3], [3, 7, 12]]
    out = array.array("i", [0, 0, 0])
    assert cumsum.cumsum(array.array("i", [1, 2, 3]), out=out) is out
    assert out.tolist() == [1, 3, 6]


def test_masked_elements():
    """NumPy's own sum skips them. The buffer has their values, so they would be added here."""
    x = numpy.ma.array(X, mask=X == 4)
    with pytest.raises(TypeError, match="x has masked elements.* x.filled"):
        cumsum.cumsum(x, 1)
    with pytest.raises(TypeError, match="out has masked elements"):
        cumsum.cumsum(X, 1, out=x.copy())
    with pytest.raises(TypeError, match="y has masked elements"):
        cumsum.judge(X, x, 1)
    assert same_bits(cumsum.cumsum(x.filled(0), 1), numpy.cumsum(x, 1).data)
    assert same_bits(cumsum.cumsum(numpy.ma.array(X), 1), cumsum.cumsum(X, 1))


def test_arrays_of_ctypes():
    """Their buffers have sizes but no strides."""
    x = ((ctypes.c_float * 3) * 2)((1, 2, 3), (10, 20, 30))
    assert cumsum.cumsum(x, 1).tolist() == [[1, 3, 6], [10, 30, 60]]
    out = (ctypes.c_int64 * 4)()
    assert cumsum.cumsum((ctypes.c_int64 * 4)(1, 2, 3, 4), reverse=True, out=out) is out
    assert list(out) == [10, 9, 7, 4]
    assert cumsum.judge((ctypes.c_int64 * 4)(1, 2, 3, 4), out, reverse=True)
    assert cumsum.cumsum((ctypes.c_uint32 * 0)()).shape == (0,)
    for x in ((ctypes.c_float.__ctype_be__ * 2)(), (ctypes.c_bool * 2)()):
        with pytest.raises(TypeError, match="sums are computed of"):
            cumsum.cumsum(x)


def test_out_must_fit():
    with pytest.raises(TypeError, match="out has type int32, but x has type float32"):
        cumsum.cumsum(X, 0, out=numpy.empty((2, 3), numpy.int32))
    with pytest.raises(ValueError, match="out has 1 dimensions"):
        cumsum.cumsum(X, 0, out=numpy.empty(6, numpy.float32))
    with pytest.raises(ValueError, match="out has 4 elements in dimension 1"):
        cumsum.cumsum(X, 0, out=numpy.empty((2, 4), numpy.float32))
    with pytest.raises(TypeError, match="out must be an array"):
        cumsum.cumsum(X, 0, out=[0])


def test_out_must_be_writable():
    out = numpy.zeros_like(X)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        cumsum.cumsum(X, 0, out=out)
    assert not out.any()
    with pytest.raises(ValueError, match="out is read-only"):
        cumsum.cumsum(X[0], out=bytes(12) and numpy.frombuffer(bytes(12), numpy.float32))


def test_read_only_input():
    x = X.copy()
    x.flags.writeable = False
    assert same_bits(cumsum.cumsum(x, 0), cumsum.cumsum(X, 0))


def test_overlap():
    """x and out must be the same elements or apart, whether or not x would have to be copied."""
    memory = numpy.arange(10, dtype=numpy.int32)
    for x, out in [
        (memory[:9], memory[1:]),
        (memory[::-1], memory),
        (memory[:4], memory[3:7]),
        (memory[0:8:2], memory[:4]),
    ]:
        with pytest.raises(ValueError, match="out overlaps x, but"):
            cumsum.cumsum(x, out=out)
    assert memory.tolist() == list(range(10))
    cumsum.cumsum(memory[::-1], out=memory[::-1])
    assert memory.tolist() == [45, 45, 44, 42, 39, 35, 30, 24, 17, 9]


def test_out_that_repeats_is_refused():
    out = numpy.lib.stride_tricks.as_strided(numpy.zeros(1, numpy.float32), (2, 3), (0, 0))
    with pytest.raises(ValueError, match="out has elements that share memory"):
        cumsum.cumsum(X, 0, out=out)


@pytest.mark.parametrize(
    "option", ["order", "half_accumulator", "half_store", "denormals", "kernel"]
)
def test_unknown_words(option):
    with pytest.raises(ValueError, match=f"{option} is 'no such word', and must be one of '"):
        cumsum.cumsum(X, 0, **{option: "no such word"})


def test_kernels_that_are_missing():
    missing = {"reference", "portable", "avx2", "avx512", "neon"} - set(cumsum.kernels())
    assert missing  # no processor has both avx2 and neon
    for kernel in missing:
        with pytest.raises(NotImplementedError, match=kernel):
            cumsum.cumsum(X, 0, kernel=kernel)


def test_threads():
    for threads in (0, 1, 2, 5):
        assert same_bits(cumsum.cumsum(X, 0, threads=threads), cumsum.cumsum(X, 0))
    for threads in (-1, 1025, 2**70):
        with pytest.raises(ValueError, match=f"threads is {threads}, and must be a number from 0"):
            cumsum.cumsum(X, 0, threads=threads)
    for threads in (1.5, None, True):
        with pytest.raises(TypeError, match=f"threads is {threads}, and must be an integer"):
            cumsum.cumsum(X, 0, threads=threads)


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_result(dtype):
    result = cumsum.cumsum(X.astype(dtype), 1)
    assert type(result) is numpy.ndarray and result.dtype == dtype
    assert result.tolist() == [[0, 1, 3], [3, 7, 12]]


def test_orders():
    """Adding 1 to 2**24 loses it in one order but not in the other. With 0.1 all three orders
    differ."""
    x = numpy.full(5000, 0.1, numpy.float32)
    results = {order: cumsum.cumsum(x, order=order) for order in ("sequential", "blocked", "exact")}
    for order, result in results.items():
        assert cumsum.judge(x, result).orders[0].order == order
    assert same_bits(results["sequential"], numpy.cumsum(x, dtype=numpy.float32))


def test_half_precision():
    x = numpy.array([65504, 10], numpy.float16)
    assert cumsum.cumsum(x).tolist() == [65504, numpy.inf]
    assert cumsum.cumsum(x, half_store="ieee").tolist() == [65504, 65504]
    x = numpy.array([2048] + [1] * 9, numpy.float16)
    assert cumsum.cumsum(x)[-1] == 2056  # 2057 is a tie, which goes to even
    assert cumsum.cumsum(x, half_accumulator="float16")[-1] == 2048
    x = numpy.array([2048, 3], numpy.float16)
    assert cumsum.cumsum(x).tolist() == [2048, 2052]
    assert cumsum.cumsum(x, half_store="toward-zero").tolist() == [2048, 2050]


def test_subnormals():
    x = numpy.full(2, 1e-45, numpy.float32)
    assert cumsum.cumsum(x).tolist() == (x * [1, 2]).tolist()
    assert cumsum.cumsum(x, denormals="flush").tolist() == [0, 0]


@pytest.mark.parametrize("shape", [(2**33,), (2**16, 2**16)])
@pytest.mark.skipif(sys.maxsize < 2**33, reason="32-bit addresses have no room for it")
def test_too_large_to_be_described(shape):
    """A tensor's extent has a limit. The memory is never touched. The message names x, even if no
    result exists yet."""
    x = numpy.broadcast_to(numpy.int32(0), shape)
    for call in (
        lambda: cumsum.cumsum(x, 0),
        lambda: cumsum.cumsum(x, 0, dtype="float16"),  # not even converted
        lambda: cumsum.cumulative_sum(x, axis=0),
        lambda: cumsum.judge(x, x, 0),
        lambda: cumsum.assert_cumsum(x, x, 0),
    ):
        with pytest.raises(ValueError, match=r"x has \d+ elements, but .* at most 4294967295"):
            call()


@pytest.mark.parametrize("value", ["no", "", 0, 1, None, numpy.array([True])])
def test_flags_are_bools(value):
    for option in ("exclusive", "reverse"):
        for call in (cumsum.cumsum, lambda x, axis, **more: cumsum.judge(x, x, axis, **more)):
            with pytest.raises(TypeError, match=f"{option} is .*, and must be True or False"):
                call(X, 1, **{option: value})
    for option in ("strict_zero", "reachable"):
        with pytest.raises(TypeError, match=f"{option} is .*, and must be True or False"):
            cumsum.judge(X, X, 1, **{option: value})
    assert same_bits(
        cumsum.cumsum(X, 1, reverse=numpy.True_), cumsum.cumsum(X, 1, reverse=True)
    )


def test_conversion():
    for dtype in ("int32", numpy.int32, numpy.dtype("i4")):
        for x in (X.astype("f8"), X.astype("?"), X.astype(">i2"), memoryview(X)):
            y = cumsum.cumsum(x, 1, dtype=dtype)
            assert same_bits(y, numpy.cumsum(numpy.asarray(x).astype("i4"), 1, dtype="i4"))
    out = numpy.empty((2, 3), numpy.float16)
    assert cumsum.cumsum(X, 1, dtype=numpy.float16, out=out) is out
    assert out.tolist() == [[0, 1, 3], [3, 7, 12]]
    for dtype, name in [(">f4", ">f4"), ("f9", "f9"), (bool, "bool"), (numpy.int8, "int8"), (3, 3)]:
        with pytest.raises(ValueError, match=f"dtype is {name!r}, and must be one of 'float64'"):
            cumsum.cumsum(X, 1, dtype=dtype)
    with pytest.raises(TypeError, match="x has masked elements"):
        cumsum.cumsum(numpy.ma.array(X, mask=X == 4), 1, dtype="int32")
    for x in ([1, 2], None, "text"):
        with pytest.raises(TypeError, match="x must be an array"):
            cumsum.cumsum(x, 0, dtype="int32")


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
        ("f8", "f8"), ("?", "i8"), ("i1", "i8"), ("i2", "i8"), ("i4", "i8"), ("u1", "u8"), ("u2", "u8"), ("u4", "u8"),
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
    for call, error, words in [
        (lambda: cumsum.cumulative_sum(X), ValueError, "axis must be given"),
        (lambda: cumsum.cumulative_sum(X.astype("F"), axis=0), TypeError, "complex64"),
        (lambda: cumsum.cumulative_sum([1, 2]), TypeError, "x must be an array"),
        (lambda: cumsum.cumulative_sum(X, axis=0, include_initial=1), TypeError, "True or False"),
    ]:
        with pytest.raises(error, match=words):
            call()
