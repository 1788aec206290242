# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""cumsum(), the operator; cumulative_sum(), the same with the array API's arguments;
cumsum_pieces(), sums of lines that come in pieces."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, SupportsIndex, Unpack

import numpy

from ._arrays import (
    Array,
    check_result_can_be_made,
    converted,
    has_dlpack,
    in_library_of,
    is_on_gpu,
    is_tensor,
    name_of_elements,
    operand,
    type_of_sums,
)
from ._carry import Carry
from ._cuda import gpu_operand, sum_on_gpu
from ._layout import initial_and_sums
from ._scan import Options, check_agreement, scan
from ._segments import Cuts, is_complex, parts_of, segments_of
from ._words import KERNELS, TYPE_NUMBERS, Denormals, HalfAccumulator, HalfStore, Kernel, Order
from ._words import ScanOptions, axis_of, flag, names_successors, number_of, numerics, one_axis
from ._words import thread_count


def _sum_of_parts(x: Any, axis: int, out: Any, options: dict[str, Any]) -> Any:
    """The sums of complex numbers: those of their parts."""
    if options.get("carry") is not None:
        raise TypeError("x has complex numbers, whose sums have no carry")
    sums = cumsum(parts_of(x), axis, **options).view(x.dtype)[..., 0]
    if out is None:
        return sums
    if not isinstance(out, numpy.ndarray) or out.shape != sums.shape or out.dtype != sums.dtype:
        raise ValueError(f"out must be NumPy's array of {sums.dtype} with the shape {sums.shape}")
    out[...] = sums
    return out


@names_successors()
def cumsum(
    x: Array,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    *,
    dim: SupportsIndex | None = None,
    exclusive: bool = False,
    reverse: bool = False,
    include_initial: bool = False,
    order: Order = "sequential",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
    out: Any = None,
    threads: SupportsIndex = 1,
    kernel: Kernel = "auto",
    carry: Carry | None = None,
    segments: Any = None,
    keys: Any = None,
    flags: Any = None,
    initial: Any = None,
) -> Any:
    """The cumulative sum of x along an axis, with DirectML's bits.

    x: an array of float32, float16, int32, uint32, int64, uint64 or float64 in the memory of the
        CPU or of a CUDA GPU, with any strides. It is not changed. DirectML has no float64: the rules
        are those of float32, in binary64, and on the CPU alone.
    axis: the dimension; a negative number counts from the last. You may omit it if there is only
        one. dim is PyTorch's name for it.
    dtype: convert x to this type first, by the rules of x's library: a name as above, NumPy's "f4",
        int (int64), float (float64), or the library's own dtype. x may then have any type that the
        library can convert.
    exclusive: leave each element out of its own sum, so that sums start from 0.
    reverse: sum from the last index to the first. Results stay at the places of their elements.
    include_initial: begin each sum with 0, so that the axis is longer by one. With reverse the 0 is
        the last element.
    order: "sequential" as in DirectML.dll, "blocked", a fixed tree, or "exact", the exact sum
        rounded once. Integers wrap, and have the same sums in every order.
    half_accumulator, half_store: how float16 is added and rounded; "ieee" rounds as NumPy does.
    denormals: keep subnormal float32 values, or flush them to zero.
    out: an array for the result, of the sum's type and shape. It may be x itself.
    threads: the number of threads; 0 means one for each processor. The call starts and ends them,
        so a sum of less than 2^18 elements is left to the calling thread.
    kernel: the implementation; see kernels().
    carry: what precedes x in its lines, as a Carry, which moves behind x; see there.
    segments, keys, flags: sum each segment of a line alone. segments has offsets along the axis, as
        cu_seqlens has them: 0, the ends of the segments, the last of which is the length. keys has
        a value for each element, such as a number or a string: neighbours with equal ones are a
        segment. flags are true where a segment begins. They are for all lines, or in an array of
        x's shape, which along the axis may have any number of offsets.
    initial: a number of x's type that is added before the first element of each line, or segment.

    On a GPU, x is summed by libcumsum-cuda in its library's current stream, as is out, without
    waiting; only the CPU has "exact" sums of floats, kernel, carry, segments, keys, flags and
    initial. The bits are the same.

    An x of complex numbers, NumPy's, is summed as its real and its imaginary parts.

    Returns out, or a new packed array of x's library and shape, on x's GPU: a torch.Tensor for a
    tensor, the result of from_dlpack() of its __array_namespace__, or a numpy.ndarray if x only has the buffer
    protocol or __array__. Of subclasses the result is a plain array or tensor. An array without
    elements gives an array without elements; NumPy's arrays without dimensions give one of a single
    element, as numpy.cumsum() does.

    It copies x or out if no descriptor has its layout: if it runs backwards, is misaligned, spans
    2**32 elements or more, or has more than eight dimensions and is not packed; and x if it
    overlaps an out whose elements are in other places.

    Raises TypeError if x is no array, has another type, or is a tensor that requires gradients
    while PyTorch records them; ValueError if the operator's rules forbid the call;
    NotImplementedError if this machine lacks the kernel, float64 the order, or a GPU either;
    MemoryError; RuntimeError if the system cannot start the threads, libcumsum-cuda or NVIDIA's
    driver is missing, or CUDA fails, as with a stream of another GPU. Other Python threads run during the call.
    """
    along = one_axis(axis, dim)
    cuts = Cuts(segments, keys, flags, initial)
    if is_complex(x) and dtype is None:
        how: dict[str, Any] = cuts.of_parts()._asdict()
        how |= dict(order=order, kernel=kernel, threads=threads, carry=carry, denormals=denormals)
        how |= dict(exclusive=exclusive, reverse=reverse, include_initial=include_initial)
        return _sum_of_parts(x, axis_of(x.ndim, along), out, how)
    typed = x if dtype is None else converted(x, dtype)
    on_gpu = is_on_gpu("x", typed)
    source, data_type = (gpu_operand if on_gpu else operand)("x", typed, loses_gradients=True)
    number = axis_of(source.ndim, along)
    initial_zero = flag("include_initial", include_initial)
    options = Options(
        number,
        flag("reverse", reverse),
        flag("exclusive", exclusive),
        numerics(order, half_accumulator, half_store, denormals),
        number_of("kernel", kernel, KERNELS),
        thread_count(threads),
    )
    if initial_zero:
        cuts.check_initial_zero(exclusive)
    if initial_zero and carry is not None:
        raise ValueError("a piece has no initial 0: include_initial must be False with a carry")
    if carry is not None and cuts.given():
        raise ValueError("pieces of lines have a carry, so they have neither segments nor initial")
    if not (carry is None or isinstance(carry, Carry)):
        raise TypeError(f"carry is {carry!r}, and must be a cumsum.Carry")
    shape = _result_shape(x, source.shape, number, initial_zero)
    if on_gpu:
        _check_for_gpu(data_type, kernel, {"carry": carry, **cuts._asdict()})
        return sum_on_gpu(typed, source, data_type, options, shape, initial_zero, out)
    if out is None:
        check_result_can_be_made(x)
        values = result = numpy.empty(shape, source.dtype)
    else:
        values, result_type = operand("out", out, loses_gradients=True)
        if not values.flags.writeable:
            foreign = has_dlpack(out) and not isinstance(out, numpy.ndarray)
            hint = " to NumPy, as all arrays of DLPack are before version 2.1" if foreign else ""
            raise ValueError(f"out is read-only{hint}")
    if source.ndim == 0:
        source = source.reshape(1)
        values = values if values.ndim else values.reshape(1)
    whole: Any = values
    first: Any = ()
    if initial_zero:
        first, others = initial_and_sums(whole.shape, shape, number, reverse)
        values = whole[others]
    if out is not None:
        check_agreement("out", source, data_type, values, result_type)
    if carry is None:
        cut = segments_of(cuts, source.dtype.name, source.shape, number)
        scan(source, data_type, values, options, fresh=out is None, cut=cut)
    else:
        carry._scan(source, data_type, values, options)
    if initial_zero:
        whole[first] = 0  # now that x, which may be there, was read
    return in_library_of(x, result) if out is None else out


def _check_for_gpu(data_type: int, kernel: str, given: dict[str, Any]) -> None:
    """Raises NotImplementedError for what only the CPU has."""
    if data_type == TYPE_NUMBERS["float64"]:
        raise NotImplementedError("x has float64 elements, which are summed on the CPU alone")
    names = [name for name, value in given.items() if value is not None]
    names += [] if kernel == "auto" else ["kernel"]
    if names:
        raise NotImplementedError(f"x is on a GPU, where sums have no {names[0]}=")


def _result_shape(x: Any, sizes: tuple[int, ...], axis: int, initial: bool) -> tuple[int, ...]:
    """Arrays without dimensions give one of a single element; PyTorch's tensors keep their
    shape."""
    if not sizes and (initial or not is_tensor(x)):
        sizes = (1,)
    return (*sizes[:axis], sizes[axis] + 1, *sizes[axis + 1 :]) if initial else sizes


def cumulative_sum(
    x: Array,
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
    dtype: convert x to this type first. If omitted, bool and integers of 32 bits or fewer are
        summed as int64 or uint64; all other types stay.
    include_initial: begin each sum with 0, so that the axis is longer by one.

    Returns a new packed array of x's library. Raises what cumsum() raises.
    """
    name = name_of_elements(x)
    promoted = type_of_sums("array-api", name)
    if dtype is None and promoted != name:
        dtype = promoted
    return cumsum(x, axis, dtype, include_initial=include_initial)


class PieceOptions(ScanOptions, total=False):
    """The options of cumsum() that pieces have, too."""

    dtype: Any
    threads: SupportsIndex
    kernel: Kernel


def cumsum_pieces(
    pieces: Iterable[Any],
    axis: SupportsIndex | None = None,
    *,
    carry: Carry | None = None,
    **options: Unpack[PieceOptions],
) -> Iterator[Any]:
    """The sums of each piece of longer lines, in turn: together they have the bits that cumsum()
    gives for the whole lines, wherever these are cut. It reads a piece when its sums are asked for,
    and keeps none.

    pieces: arrays as cumsum() takes them, in the order of the sums: with reverse the last piece of
        the lines comes first.
    carry: where to begin and what to move on; a new Carry if omitted.
    options: dtype, exclusive, reverse, order, half_accumulator, half_store, denormals, threads and
        kernel, as in cumsum(), which says what is raised.
    """
    carry = Carry() if carry is None else carry
    for piece in pieces:
        yield cumsum(piece, axis, carry=carry, **options)
