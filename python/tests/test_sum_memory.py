# SPDX-License-Identifier: MIT
"""Memory: what calls take they give back."""

import ctypes

import cumsum
import numpy
import pytest


def fail_all_ways(x):
    """Takes paths that end in an error."""
    for call in (
        lambda: cumsum.cumsum(x, 9),
        lambda: cumsum.cumsum(x, 0, out=x[:, 1:]),
        lambda: cumsum.cumsum(x, 0, out=numpy.broadcast_to(x[0], x.shape)),
        lambda: cumsum.cumsum(x, 0, threads=-1),
        lambda: cumsum.cumsum(x.astype("int8"), 0),
        lambda: cumsum.cumsum(x, 0, out=3),
        lambda: cumsum.judge(x, x[1:], 0),
        lambda: cumsum.cumsum(x, 0, dim=0),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


def use_all(x, out):
    cumsum.cumsum(x, 1)
    cumsum.cumsum(x[::-1, ::-1], 1, out=out, threads=2)
    cumsum.judge(x, out, 1, orders="all")
    cumsum.judge(x, x.T.copy().T, 1)
    cumsum.judge(x, cumsum.cumsum(x, 1, "float64", include_initial=True), 1, include_initial=True)
    cumsum.judge(x[:0], x[:0], 0)
    cumsum.cumsum(numpy.broadcast_to(x[0, 0], 1 << 18), threads=2)
    fail_all_ways(x)


class Mallinfo(ctypes.Structure):
    """struct mallinfo2 of glibc, of which 4 is hblkhd, and 7 uordblks."""

    _fields_ = [("sizes", ctypes.c_size_t * 10)]


def allocated_bytes():
    """The bytes that malloc has allocated and not freed, large blocks included."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Mallinfo
    sizes = mallinfo().sizes
    return sizes[4] + sizes[7]


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="glibc is too old or none")
def test_the_library_gets_its_memory_back():
    """Plans, copies and thread pools are freed. Python's own memory has another allocator."""
    x = numpy.ones((4, 100), numpy.float32)
    out = numpy.empty_like(x)
    for _ in range(20):
        use_all(x, out)
    before = allocated_bytes()
    for _ in range(40):
        use_all(x, out)
    assert allocated_bytes() - before < 4000


def test_buffers_are_given_back():
    memory = bytearray(64)
    x = memoryview(memory).cast("i")
    cumsum.cumsum(x, out=x)
    with pytest.raises(ValueError):
        cumsum.cumsum(x, 3)
    x.release()
    memory.extend(b"x")  # fails while a buffer is held
