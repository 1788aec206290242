# SPDX-License-Identifier: MIT
"""cumsum(): the operator."""

from __future__ import annotations

import operator
import sys
from typing import Any

from . import _cumsum
from ._words import (
    KERNELS,
    Denormals,
    HalfAccumulator,
    HalfStore,
    Kernel,
    Order,
    axis_of,
    number_of,
    numerics,
)


def _is_tensor(x: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def _result_like(x: Any, data_type: str, sizes: tuple[int, ...]) -> Any:
    """A packed array for the result, of the library that x comes from."""
    if _is_tensor(x):
        return sys.modules["torch"].empty(sizes, dtype=x.dtype)
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__().empty(sizes, dtype=x.dtype)
    if not hasattr(x, "__dlpack__") or hasattr(x, "__array_interface__"):
        import numpy

        return numpy.empty(sizes, dtype=data_type.lower())
    raise TypeError(
        f"no array can be made for the result: x, a {type(x).__qualname__}, has no "
        "__array_namespace__; give out="
    )


def cumsum(
    x: Any,
    axis: int | None = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    order: Order = "sequential",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
    out: Any = None,
    threads: int = 1,
    kernel: Kernel = "auto",
) -> Any:
    """The cumulative sum of x along an axis, with DirectML's bits.

    x: an array of float32, float16, int32, uint32, int64 or uint64 with one dimension or more and
        any strides, in the memory of the CPU.
    axis: which dimension; one below 0 counts from the last. It may be left out where there is only
        one.
    exclusive: leave each element out of its own sum, so that sums start from 0.
    reverse: sum from the last index to the first. Results stay at their elements' places.
    order: "sequential", which DirectML.dll has, "blocked", a fixed tree, or "exact", the exact sum
        rounded once. Integers wrap, and are the same in every order.
    half_accumulator, half_store: how float16 is summed and rounded; "ieee" is what NumPy does.
    denormals: whether subnormal float32 values are kept or flushed to zero.
    out: where to put the result: an array of x's type and shape. It may be x itself; otherwise the
        two must not overlap.
    threads: how many compute; 0 is as many as the machine has. They are started by the call and
        end with it, which is worth it for long sums.
    kernel: which implementation computes; see kernels().

    Returns out, or a new packed array of the library that x comes from: a torch.Tensor for one, and
    a numpy.ndarray for what only has the buffer protocol. An array without elements gives one
    without elements; one without dimensions is a ValueError.

    Nothing is copied but an x whose layout no descriptor has: one that runs backwards along a
    dimension in which out does not, that is misaligned, or whose elements lie 2**32 apart or more.

    Raises TypeError for what is no array and for other types; ValueError for what the operator's
    rules forbid, in the library's words, in which x is InputTensor and out OutputTensor;
    NotImplementedError for a kernel that this machine lacks; MemoryError. Other Python threads run
    while it computes.
    """
    data_type, sizes = _cumsum.type_of(x)
    along = axis_of(len(sizes), axis)
    result = _result_like(x, data_type, sizes) if out is None else out
    _cumsum.scan(
        x,
        result,
        operator.index(along),
        reverse,
        exclusive,
        numerics(order, half_accumulator, half_store, denormals),
        number_of("kernel", kernel, KERNELS),
        operator.index(threads),
    )
    return result
