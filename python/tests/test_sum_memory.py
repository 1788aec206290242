# SPDX-License-Identifier: MIT
"""Memory: no leaks, no references kept, no access outside the elements."""

import ctypes
import gc
import mmap
import sys
import tracemalloc

import cumsum
import numpy
import pytest

PAGE = mmap.PAGESIZE


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
    fail_all_ways(x)


def test_no_python_memory_is_lost():
    """What is lost is lost in every round; what Python and NumPy keep for later calls is not."""
    x = numpy.ones((4, 100), numpy.float32)
    out = numpy.empty_like(x)
    tracemalloc.start()
    for _ in range(60):
        use_all(x, out)
    traced = []
    for _ in range(4):
        for _ in range(20):
            use_all(x, out)
        for _ in range(500):
            cumsum.judge(x, out, 1)
        gc.collect()
        traced.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert min(after - before for before, after in zip(traced, traced[1:])) < 8000


class Mallinfo(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
        ).split()
    ]


def allocated_bytes():
    """The bytes that malloc has allocated and not freed, large blocks included."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = Mallinfo
    info = mallinfo()
    return info.uordblks + info.hblkhd


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason="glibc is too old or none")
def test_the_library_gets_its_memory_back():
    """Plans, copies and thread pools are freed. Python's own memory has another allocator."""
    x = numpy.ones((4, 100), numpy.float32)
    out = numpy.empty_like(x)
    for _ in range(20):
        use_all(x, out)
    before = allocated_bytes()
    for _ in range(100):
        use_all(x, out)
    assert allocated_bytes() - before < 10000


def test_buffers_are_given_back():
    memory = bytearray(64)
    x = memoryview(memory).cast("i")
    cumsum.cumsum(x, out=x)
    with pytest.raises(ValueError):
        cumsum.cumsum(x, 3)
    x.release()
    memory.extend(b"x")  # fails while a buffer is held


def guarded(count, dtype):
    """`count` elements that end at a page without access."""
    memory = mmap.mmap(-1, 2 * PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.mprotect(ctypes.c_void_p(address + PAGE), ctypes.c_size_t(PAGE), 0) == 0
    offset = PAGE - count * dtype.itemsize
    return numpy.frombuffer(memory, dtype, count, offset)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="protects memory")
@pytest.mark.parametrize("kernel", cumsum.kernels())
def test_nothing_after_the_last_element_is_touched(kernel):
    """Even if an odd number of float16 elements does not fill a multiple of 4 bytes."""
    for dtype in (numpy.dtype("float16"), numpy.dtype("float32"), numpy.dtype("int64")):
        for count in (1, 2, 3, 7, 15, 17, 31, 33, 65, 257):
            x, out = guarded(count, dtype), guarded(count, dtype)
            x[:] = 1
            for reverse in (False, True):
                for order in ("sequential", "blocked", "exact"):
                    cumsum.cumsum(x, out=out, reverse=reverse, order=order, kernel=kernel)
                    assert cumsum.judge(x, out, reverse=reverse)
                    assert out[0 if reverse else -1] == count
            columns = count - count % 3
            if columns:
                cumsum.cumsum(
                    x[count - columns :].reshape(-1, 3),
                    0,
                    out=out[count - columns :].reshape(-1, 3),
                    kernel=kernel,
                )
