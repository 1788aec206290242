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
    """A packed array for the result, and a function that converts it to x's library. Arrays of an
    unknown library may be immutable, so that library converts a NumPy array.
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

    x: an array of float32, float16, int32, uint32, int64 or uint64 in CPU memory, with one or more
        dimensions and any strides.
    axis: the dimension; a negative number counts from the last. You may omit it if there is only
        one.
    exclusive: leave each element out of its own sum, so that sums start from 0.
    reverse: sum from the last index to the first. Results stay at the places of their elements.
    order: "sequential" as in DirectML.dll, "blocked", a fixed tree, or "exact", the exact sum
        rounded once. Integers wrap, and have the same sums in every order.
    half_accumulator, half_store: how float16 is added and rounded; "ieee" rounds as NumPy does.
    denormals: keep subnormal float32 values, or flush them to zero.
    out: an array for the result, of x's type and shape. It may be x itself; otherwise the memory
        from the first to the last element of each must not overlap.
    threads: the number of threads; 0 means one for each processor. The call starts and ends them,
        which pays for long sums.
    kernel: the implementation; see kernels().

    Returns out, or a new packed array of x's library: a torch.Tensor for a tensor, the result of
    from_dlpack() of its __array_namespace__, or a numpy.ndarray if x only has the buffer protocol.
    An array without elements gives an array without elements.

    It copies x only if no descriptor has its layout: if x runs backwards along a dimension in which
    out does not, if it is misaligned, or if its elements lie 2**32 or more elements apart.

    Raises TypeError if x is no array or has another type; ValueError if x has no dimensions, or if
    the operator's rules forbid the call (in the message x is InputTensor and out OutputTensor);
    NotImplementedError if this machine lacks the kernel; MemoryError; RuntimeError if the system
    cannot start the threads. Other Python threads run during the call.
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
