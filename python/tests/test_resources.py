# SPDX-License-Identifier: MIT
"""Threads, of Python and of a sum, and the memory that calls give back."""

import ctypes
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import cumsum
import numpy
import pytest
from array_samples import check_refused, numpy_sum, same_bits
from test_rejections import OTHERS


def sum_and_judge(seed):
    rng = numpy.random.default_rng(seed)
    x = rng.integers(-1000, 1000, (7, 501), numpy.int64)
    for threads in (1, 2):
        y = cumsum.cumsum(x[:, ::-1], 1, threads=threads)
        if not same_bits(y, numpy_sum(x[:, ::-1], 1)) or not cumsum.judge(x[:, ::-1], y, 1):
            return False
    return True


def test_calls_at_once():
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(sum_and_judge, range(40)))


def another_thread_runs_during(call):
    """Whether the call releases the interpreter's lock. The switch interval is so long that another
    thread gets the lock only if the call releases it."""
    wake, ran = threading.Event(), []
    thread = threading.Thread(target=lambda: (wake.wait(), ran.append(True)))
    interval = sys.getswitchinterval()
    thread.start()
    sys.setswitchinterval(1000)
    try:
        wake.set()
        call()
        answer = bool(ran)
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    return answer


def test_the_interpreter_is_free_during_a_call():
    x = numpy.ones((64, 1 << 14), numpy.float32)
    y = cumsum.cumsum(x, 1)
    for call in (lambda: cumsum.cumsum(x, 1, out=y), lambda: cumsum.judge(x, y, 1)):
        # Many tries, for a busy machine.
        assert any(another_thread_runs_during(call) for _ in range(5000))
    assert not any(another_thread_runs_during(lambda: sum(range(1000))) for _ in range(10))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_threads_after_a_fork():
    """A process that has used threads may fork, and its child may use threads."""
    x = numpy.ones((8, 1 << 15), numpy.float32)
    expected = cumsum.cumsum(x, 1, threads=2)
    child = os.fork()
    if child == 0:
        good = same_bits(cumsum.cumsum(x, 1, threads=2), expected)
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


FEW_THREADS = r"""
import re
import resource

import cumsum
import numpy

x = numpy.ones((8, 1 << 15), numpy.float32)
expected = cumsum.cumsum(x, 1)
with open("/proc/self/status", encoding="ascii") as status:
    used = int(re.search(r"VmSize:\s+(\d+) kB", status.read())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (used + (32 << 20), resource.RLIM_INFINITY))
try:
    cumsum.cumsum(x, 1, threads=1024)
except RuntimeError as error:
    print(error)
assert (cumsum.cumsum(x, 1, threads=2) == expected).all()
assert (cumsum.cumsum(x[:, :4096], 1, threads=1024) == expected[:, :4096]).all()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.skipif("san" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer needs memory")
def test_threads_that_do_not_start():
    """The stacks of so many threads do not fit in memory: an exception. Two threads still start. A
    short sum starts none."""
    command = [sys.executable, "-c", FEW_THREADS]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("cannot start 1024 threads: ")


def use_all(x, out):
    cumsum.cumsum(x, 1)
    cumsum.cumsum(x[::-1, ::-1], 1, out=out, threads=2)
    cumsum.judge(x, out, 1, orders="all")
    cumsum.judge(x, x.T.copy().T, 1)
    cumsum.judge(x, cumsum.cumsum(x, 1, "float64", include_initial=True), 1, include_initial=True)
    cumsum.judge(x[:0], x[:0], 0)
    cumsum.cumsum(numpy.broadcast_to(x[0, 0], 1 << 18), threads=2)
    check_refused(OTHERS)


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
