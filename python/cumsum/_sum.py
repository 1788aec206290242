# SPDX-License-Identifier: MIT
"""cumsum(), the operator, and cumulative_sum(), the same with the array API's arguments."""

from __future__ import annotations

from typing import Any, SupportsIndex

from . import _cumsum
from ._arrays import converted, in_library_of, readable, result_like, type_name
from ._words import (
    KERNELS,
    Denormals,
    HalfAccumulator,
    HalfStore,
    Kernel,
    Order,
    axis_of,
    flag,
    number_of,
    numerics,
    thread_count,
)

# The first of each option's words.
_FIRST = (0, 0, 0, 0)


def cumsum(
    x: Any,
    axis: SupportsIndex | None = None,
    *,
    dtype: Any = None,
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
        dimensions and any strides. It is not changed.
    axis: the dimension; a negative number counts from the last. You may omit it if there is only
        one.
    dtype: convert x to this type first, by the rules of x's library: a name as above, or the
        library's own dtype. x may then have any type that the library can convert.
    exclusive: leave each element out of its own sum, so that sums start from 0.
    reverse: sum from the last index to the first. Results stay at the places of their elements.
    order: "sequential" as in DirectML.dll, "blocked", a fixed tree, or "exact", the exact sum
        rounded once. Integers wrap, and have the same sums in every order.
    half_accumulator, half_store: how float16 is added and rounded; "ieee" rounds as NumPy does.
    denormals: keep subnormal float32 values, or flush them to zero.
    out: an array for the result, of the sum's type and x's shape. It may be x itself; otherwise the
        memory from the first to the last element of each must not overlap.
    threads: the number of threads; 0 means one for each processor. The call starts and ends them,
        so a sum of less than 2^18 elements is left to the calling thread.
    kernel: the implementation; see kernels().

    Returns out, or a new packed array of x's library and shape: a torch.Tensor for a tensor, the
    result of from_dlpack() of its __array_namespace__, or a numpy.ndarray if x only has the buffer
    protocol. Of subclasses the result is a plain array or tensor. An array without elements gives
    an array without elements.

    It copies x only if no descriptor has its layout: if x runs backwards along a dimension in which
    out does not, if it is misaligned, or if its elements lie 2**32 or more elements apart.

    Raises TypeError if x is no array, has another type, or is a tensor that requires gradients
    while PyTorch records them; ValueError if x has no dimensions, or if the operator's rules forbid
    the call (in the message x is InputTensor and out OutputTensor); NotImplementedError if this
    machine lacks the kernel; MemoryError; RuntimeError if the system cannot start the threads. Other
    Python threads run during the call.
    """
    source = readable("x", x if dtype is None else converted(x, dtype), loses_gradients=True)
    data_type, sizes = _cumsum.type_of(source)
    along = axis_of(len(sizes), axis)
    result = result_like(x, data_type, sizes) if out is None else out
    _cumsum.scan(
        source,
        readable("out", result, loses_gradients=True),
        along,
        flag("reverse", reverse),
        flag("exclusive", exclusive),
        numerics(order, half_accumulator, half_store, denormals),
        number_of("kernel", kernel, KERNELS),
        thread_count(threads),
    )
    return in_library_of(x, result) if out is None else out


# The array API's sums of short integers have its default integers' type.
_PROMOTED = {"int8": "int64", "int16": "int64", "int32": "int64"}
_PROMOTED.update({"uint8": "uint64", "uint16": "uint64", "uint32": "uint64"})


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Any:
    """The cumulative sum of x as the array API standard defines it, with DirectML's bits.

    x: an array as cumsum() takes it, or of a type that x's library converts to dtype.
    axis: the dimension; a negative number counts from the last. You may omit it if there is only
        one.
    dtype: convert x to this type first. If omitted, integers of 32 bits or fewer are summed as
        int64 or uint64; all other types stay.
    include_initial: begin each sum with 0, so that the axis is longer by one.

    Returns a new packed array of x's library. Raises what cumsum() raises.
    """
    if dtype is None:
        dtype = _PROMOTED.get(type_name(x))
    if not flag("include_initial", include_initial):
        return cumsum(x, axis, dtype=dtype)
    source = readable("x", x if dtype is None else converted(x, dtype), loses_gradients=True)
    data_type, sizes = _cumsum.type_of(source)
    along = axis_of(len(sizes), axis)
    before = (slice(None),) * along
    result = result_like(x, data_type, (*sizes[:along], sizes[along] + 1, *sizes[along + 1 :]))
    values = readable("result", result)
    values[(*before, 0)] = 0
    _cumsum.scan(source, values[(*before, slice(1, None))], along, False, False, _FIRST, 0, 1)
    return in_library_of(x, result)
