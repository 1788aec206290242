# SPDX-License-Identifier: MIT
"""Sums one array of NumPy into another: plans, and the threads that they use."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from ctypes import byref, c_void_p
from typing import Any, Iterator, NamedTuple

import numpy

from ._arrays import type_name
from ._layout import address, are_same_elements, layout_of, packed
from ._library import Handle, Numerics, PlanOptions, Segments, bytes_of, call, library

# To start threads takes 100 us and more, and with two of them a sum of fewer elements took longer
# than with the calling thread alone.
_THREADED_ELEMENTS = 1 << 18


class Options(NamedTuple):
    """How to sum."""

    axis: int
    decreasing: bool
    exclusive: bool
    numerics: tuple[int, int, int, int]
    kernel: int
    threads: int  # 0: one for each processor


class Plan(Handle):
    """The library's plan of a sum of arrays with these strides in units of `size`, and the bytes of
    its operands."""

    __slots__ = ("copied", "x_bytes", "y_bytes")

    def __init__(
        self,
        data_type: int,
        options: Options,
        shape: tuple[int, ...],
        strides: tuple[tuple[int, ...], tuple[int, ...]],
        size: int = 1,
        aligned: tuple[bool, bool] = (True, True),
        pool: int | None = None,
    ) -> None:
        layout = layout_of(shape, strides, size, options.axis, aligned)
        desc = layout.describe(data_type, options.decreasing, options.exclusive)
        how = PlanOptions(Numerics(*options.numerics), options.kernel, 0, pool)
        self.copied = layout.copied
        self.x_bytes, self.y_bytes = bytes_of(desc.input_tensor), bytes_of(desc.output_tensor)
        create, destroy = library.cumsum_plan_create, library.cumsum_plan_destroy
        super().__init__(create, destroy, byref(desc), byref(how))


# A plan may be executed by any number of threads at once.
_plan_of = functools.lru_cache(maxsize=64)(Plan)


def _try_threads(count: int) -> None:
    """Starts and ends so many threads. pthreadpool would wait forever for one that does not
    start."""
    gate = threading.Event()
    started = []
    try:
        for _ in range(count):
            thread = threading.Thread(target=gate.wait)
            thread.start()
            started.append(thread)
    except RuntimeError as error:
        raise RuntimeError(f"cannot start {count + 1} threads: {error}") from None
    finally:
        gate.set()
        for thread in started:
            thread.join()


@contextlib.contextmanager
def _pool_of(threads: int, elements: int) -> Iterator[int | None]:
    """A pool that ends with the call, so that a process may fork between calls; None for one
    thread, for few elements, and for a library without pthreadpool."""
    if threads == 1 or elements < _THREADED_ELEMENTS or not hasattr(library, "pthreadpool_create"):
        yield None
        return
    count = threads or os.cpu_count() or 1
    _try_threads(count - 1)
    create, destroy = library.pthreadpool_create, library.pthreadpool_destroy
    create.restype, create.argtypes = c_void_p, [c_void_p]
    destroy.argtypes = [c_void_p]
    pool = create(count)
    if pool is None:
        raise MemoryError(f"no memory for {count} threads")
    try:
        yield pool
    finally:
        destroy(pool)


def _execute(plan: Plan, x: Any, y: Any, carry: int | None, cut: Segments | None) -> None:
    source = address(x), plan.x_bytes
    if cut is not None:
        target = address(y), plan.y_bytes
        call(library.cumsum_execute_segments, plan.pointer, byref(cut), *source, *target)
    elif y is None:
        call(library.cumsum_carry_advance, plan.pointer, carry, None, *source)
    elif carry is None:
        call(library.cumsum_plan_execute, plan.pointer, *source, address(y), plan.y_bytes)
    else:
        target = address(y), plan.y_bytes
        call(library.cumsum_carry_execute, plan.pointer, carry, None, *source, *target)


def scan(
    x: Any,
    data_type: int,
    y: Any,
    options: Options,
    carry: int | None = None,
    *,
    fresh: bool = False,
    cut: Segments | None = None,
) -> None:
    """Sums x into y, NumPy's arrays of one type and shape with one dimension or more, of which y is
    writable; with a carry x is the next piece of its lines, and y may be None, to move the carry
    only.
    fresh: y is new, so that it cannot overlap x. cut: the segments of the lines, without a carry.
    Raises ValueError for a y whose elements overlap each other."""
    if x.size == 0:
        return
    if y is None:
        strides, aligned = packed(x.shape, x.itemsize), True
    else:
        strides, aligned = y.strides, y.flags.aligned
        if not fresh and numpy.may_share_memory(x, y):
            x = x if are_same_elements(x, y, address(x), address(y)) else x.copy()
    with _pool_of(options.threads, x.size) as pool:
        layouts = x.shape, (x.strides, strides), x.itemsize, (x.flags.aligned, aligned)
        kind = data_type, options, *layouts
        plan = Plan(*kind, pool) if pool else _plan_of(*kind)
        copies_x, copies_y = plan.copied
        target = numpy.empty(x.shape, x.dtype) if copies_y else y
        _execute(plan, x.copy() if copies_x else x, target, carry, cut)
        if copies_y:
            y[...] = target


def check_agreement(name: str, x: Any, x_type: int, y: Any, y_type: int) -> None:
    """Raises TypeError or ValueError unless y, an argument of this name, has the type and the shape
    of x."""
    if x_type != y_type:
        raise TypeError(f"{name} has type {type_name(y_type)}, but x has type {type_name(x_type)}")
    if x.ndim != y.ndim:
        raise ValueError(f"{name} has {y.ndim} dimensions, but x has {x.ndim}")
    for d, (n, m) in enumerate(zip(x.shape, y.shape)):
        if n != m:
            raise ValueError(f"{name} has {m} elements in dimension {d}, but x has {n}")
