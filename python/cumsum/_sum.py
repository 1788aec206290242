# SPDX-License-Identifier: MIT
"""cumsum(): the operator."""

from __future__ import annotations

from typing import Any, Callable, SupportsIndex

from . import _cumsum
from ._array_checks import check_arrays, torch_of
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
    thread_count,
)


def _keep(result: Any) -> Any:
    return result


def _result_for(x: Any, data_type: str, sizes: tuple[int, ...]) -> tuple[Any, Callable[[Any], Any]]:
    """A packed array to be filled, and what makes of it an array of the library that x comes from.
    Arrays of a library that is not known here may be immutable: it is asked to take a NumPy array.
    """
    torch = torch_of(x)
    if torch is not None:
        return torch.empty(sizes, dtype=x.dtype), _keep
    import numpy

    result = numpy.empty(sizes, dtype=data_type.lower())
    if isinstance(x, numpy.ndarray):
        return result, _keep
    if hasattr(x, "__array_namespace__"):
        return result, x.__array_namespace__().from_dlpack
    try:
        memoryview(x)
    except TypeError:
        raise TypeError(
            f"no array can be made for the result: x, a {type(x).__qualname__}, has no "
            "__array_namespace__; give out="
        ) from None
    return result, _keep


def cumsum(
    x: Any,
    axis: SupportsIndex | None = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    order: Order = "sequential",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
    out: Any = None,
    threads: SupportsIndex = 1,
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
        two must not overlap, each from its first element to its last.
    threads: how many compute; 0 is as many as the machine has. They are started by the call and
        end with it, which is worth it for long sums.
    kernel: which implementation computes; see kernels().

    Returns out, or a new packed array of the library that x comes from: a torch.Tensor for one, what
    from_dlpack() of its __array_namespace__ makes, and a numpy.ndarray for what only has the buffer
    protocol. An array without elements gives one without elements; one without dimensions is a
    ValueError.

    Nothing is copied but an x whose layout no descriptor has: one that runs backwards along a
    dimension in which out does not, that is misaligned, or whose elements lie 2**32 apart or more.

    Raises TypeError for what is no array and for other types; ValueError for what the operator's
    rules forbid, in the library's words, in which x is InputTensor and out OutputTensor;
    NotImplementedError for a kernel that this machine lacks; MemoryError; RuntimeError where the
    system does not start so many threads. Other Python threads run while it computes.
    """
    check_arrays(x=x, out=out)
    data_type, sizes = _cumsum.type_of(x)
    along = axis_of(len(sizes), axis)
    result, finish = _result_for(x, data_type, sizes) if out is None else (out, _keep)
    _cumsum.scan(
        x,
        result,
        along,
        reverse,
        exclusive,
        numerics(order, half_accumulator, half_store, denormals),
        number_of("kernel", kernel, KERNELS),
        thread_count(threads),
    )
    return finish(result)
