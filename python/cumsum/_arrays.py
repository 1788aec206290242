# SPDX-License-Identifier: MIT
"""Arrays of known libraries: how the extension reads them, how they are converted, and arrays of
the same library for results. Refuses arrays whose memory differs from their values, which neither
the buffer protocol nor DLPack reports."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _cumsum
from ._words import DATA_TYPES, word_in

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Exporter(Protocol):
    """An array or tensor with DLPack: NumPy's, PyTorch's, JAX's."""

    def __dlpack__(self) -> Any: ...


class Convertible(Protocol):
    """What NumPy makes an array of: pandas', xarray's and dask's."""

    def __array__(self) -> Any: ...


Array = Union[Exporter, Convertible, "ReadableBuffer"]
"""What the functions of this package take as x and y. A list is none: numpy.asarray() makes one."""

_MOST_ELEMENTS = 2**32 - 1


def _torch_of(array: Any) -> Any:
    """The module torch if the array is one of its tensors, else None. Never imports torch."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(array, torch.Tensor) else None


def is_tensor(array: Any) -> bool:
    return _torch_of(array) is not None


def _check_mask(name: str, array: Any) -> None:
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(array, masked.MaskedArray) and masked.is_masked(array):
        raise TypeError(
            f"{name} has masked elements, whose hidden values would be used; "
            f"{name}.filled(0) has none"
        )


def _tensor_problem(name: str, tensor: Any, torch: Any) -> str | None:
    """The reason why a tensor's elements are not in the CPU's memory, or None."""
    if type(tensor).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        return (
            f"{name} is a {type(tensor).__qualname__}, a subclass of torch.Tensor whose elements "
            "need not lie in its memory; give a plain tensor"
        )
    if tensor.is_quantized:
        return f"{name} is a quantized tensor; {name}.dequantize() has its values"
    if tensor.layout is not torch.strided:
        return f"{name} is a tensor of layout {tensor.layout}; use {name}.to_dense()"
    if tensor.device.type != "cpu":
        return f"{name} is on the device {tensor.device}, and must be in the memory of the CPU"
    if _is_inside_vmap(tensor):
        return (
            f"{name} is a tensor inside torch.vmap, whose elements have no place of their own; call "
            "this function on the whole tensor, outside of vmap"
        )
    if tensor.is_neg():
        return (
            f"{name} is a tensor that PyTorch negates on reading, which DLPack cannot express; "
            f"{name}.resolve_neg() has its values in memory"
        )
    return None


def _is_inside_vmap(tensor: Any) -> bool:
    try:
        tensor.data_ptr()
    except RuntimeError:
        return True
    return False


def _check_gradients(name: str, torch: Any) -> None:
    if torch.is_grad_enabled():
        raise TypeError(
            f"{name} is a tensor that requires gradients, and the sum has none; use "
            f"{name}.detach(), or torch.no_grad()"
        )


def _converted_by_numpy(name: str, array: Any) -> Any:
    """Objects of pandas, xarray and dask have neither protocol; NumPy makes arrays of them."""
    if name == "out" or hasattr(array, "__dlpack__") or not hasattr(array, "__array__"):
        return array
    try:
        memoryview(array)
    except (TypeError, ValueError, BufferError):
        pass
    else:
        return array
    import numpy

    return array if isinstance(array, (numpy.ndarray, numpy.generic)) else numpy.asarray(array)


def readable(name: str, array: Any, *, loses_gradients: bool = False) -> Any:
    """The array as the extension reads it, with the same memory. Raises TypeError for masked
    elements, for tensors without elements in the memory of the CPU, and with loses_gradients for
    tensors whose gradients PyTorch would compute.
    """
    torch = _torch_of(array)
    if torch is None:
        _check_mask(name, array)
        return _converted_by_numpy(name, array)
    if array.requires_grad:
        if loses_gradients:
            _check_gradients(name, torch)
        array = array.detach()
    try:
        # NumPy's buffer: PyTorch's DLPack takes several times as long.
        return array.numpy()
    except (TypeError, RuntimeError):
        problem = _tensor_problem(name, array, torch)
    if problem:
        raise TypeError(problem)
    return array


@dataclass(frozen=True)
class BfloatBits:
    """bfloat16 elements in an array of uint16, for judge(): NumPy has no such type of its own."""

    bits: Any


def judged(name: str, array: Any) -> tuple[Any, bool]:
    """The array as judge() reads it, and whether it is the bits of a bfloat16 array of NumPy, whose
    type neither the buffer protocol nor NumPy's DLPack can express."""
    if isinstance(array, BfloatBits):
        return array.bits, True
    array = readable(name, array)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(array, numpy.ndarray) and array.dtype.name == "bfloat16":
        return array.view("uint16"), True
    return array, False


def _name_of(dtype: Any) -> object:
    """The name of a type: "float32" for numpy.float32, numpy.dtype("f4"), "f4" and torch.float32;
    "int64" and "float64" for Python's int and float, as in NumPy."""
    if dtype is int or dtype is float:
        return "int64" if dtype is int else "float64"
    if isinstance(dtype, str) and dtype not in DATA_TYPES:
        return _name_of_code(dtype)
    if isinstance(dtype, str):
        return dtype
    name = getattr(dtype, "__name__", None) or str(dtype).rpartition(".")[2]
    return dtype if isinstance(dtype, (bool, int, float)) else name


def _name_of_code(code: str) -> str:
    """NumPy's name for its own codes, as "f4", unless it is in another byte order."""
    numpy = sys.modules.get("numpy")
    try:
        dtype = numpy.dtype(code) if numpy is not None else None
    except TypeError:
        return code
    return str(dtype.name) if dtype is not None and dtype.isnative else code


def type_name(array: Any) -> str:
    """The name of the type of an array's elements, including types that the operator rejects."""
    if hasattr(array, "dtype"):
        return str(_name_of(array.dtype))
    return _cumsum.type_of(array)[0].lower()


def with_a_dimension(array: Any) -> Any:
    """An array without dimensions as one of a single element, with the same memory."""
    values = as_numpy(array)
    return values.reshape(1) if values.shape == () else values


# What holds all values of a type.
_OF_16_BITS = ("int32", "int64", "float32", "float64")
_OF_8_BITS = ("int16", "float16", "bfloat16", *_OF_16_BITS)
WIDER = {
    "bool": ("int8", "uint8", *_OF_8_BITS, "uint16", "uint32", "uint64"),
    "int8": _OF_8_BITS,
    "uint8": (*_OF_8_BITS, "uint16", "uint32", "uint64"),
    "int16": _OF_16_BITS,
    "uint16": (*_OF_16_BITS, "uint32", "uint64"),
    "int32": ("int64", "float64"),
    "uint32": ("int64", "uint64", "float64"),
    "float16": ("float32", "float64"),
    "bfloat16": ("float32", "float64"),
    "float32": ("float64",),
}


def widened(x: Any, y: Any) -> Any:
    """x with y's type, if that holds all of x's values: many libraries sum int8 in int64."""
    narrow, wide = _judged_type(x), _judged_type(y)
    if wide not in WIDER.get(narrow, ()):
        return x
    torch = _torch_of(x)
    if torch is not None and hasattr(torch, wide):
        return x.to(getattr(torch, wide))
    if wide == "bfloat16" and is_tensor(y):
        return x  # NumPy may not know the type
    return as_numpy(readable("x", x)).astype(y.dtype if wide == "bfloat16" else wide)


def _judged_type(array: Any) -> str:
    """The name of a type; "" for what is no array."""
    if hasattr(array, "dtype"):
        return str(array.dtype).rpartition(".")[2]
    try:
        if memoryview(array).format == "?":
            return "bool"
        return _cumsum.type_of(array, True)[0].lower()
    except (TypeError, ValueError, BufferError):
        return ""


def _check_count(x: Any) -> None:
    """The extension's rule, for arrays that are converted before it sees them."""
    count = math.prod(x.shape)
    if count > _MOST_ELEMENTS:
        raise ValueError(
            f"x has {count} elements, but a descriptor covers at most {_MOST_ELEMENTS}; a Carry sums "
            "it in pieces"
        )


def as_numpy(x: Any) -> Any:
    """The array as NumPy's, with the same memory."""
    import numpy

    x = _converted_by_numpy("x", x)
    if isinstance(x, numpy.ndarray):
        return x
    if hasattr(x, "__dlpack__"):
        return numpy.from_dlpack(x)
    try:
        return numpy.asarray(memoryview(x))
    except TypeError:
        _cumsum.type_of(x)  # says what an array is
        raise


def savable(name: str, array: Any) -> Any:
    """The array that judge() takes as NumPy's, for an .npy file; of bfloat16 the bits, as uint16."""
    torch = _torch_of(array)
    if torch is not None and array.dtype is torch.bfloat16:
        return savable(name, array.detach().view(torch.int16)).view("uint16")
    return as_numpy(judged(name, array)[0])


def converted(x: Any, dtype: Any) -> Any:
    """x with elements of another type, by the rules of x's library."""
    name = word_in("dtype", _name_of(dtype), DATA_TYPES)
    torch = _torch_of(x)
    if torch is not None:
        if not hasattr(torch, name):
            raise TypeError(f"dtype is {name!r}, which this PyTorch does not have")
        _check_count(x)
        return x.to(getattr(torch, name))
    _check_mask("x", x)
    array = as_numpy(x)
    _check_count(array)
    return array.astype(name, copy=False)


def result_like(x: Any, data_type: str, sizes: tuple[int, ...]) -> Any:
    """A packed array for a result: a tensor if x is one, else NumPy's."""
    torch = _torch_of(x)
    if torch is not None:
        return torch.empty(sizes, dtype=getattr(torch, data_type.lower()), device="cpu")
    import numpy

    known = isinstance(x, numpy.ndarray) or hasattr(x, "__array_namespace__")
    if not known and not hasattr(x, "__array__"):
        try:
            memoryview(x)
        except TypeError:
            raise TypeError(
                f"no array can be made for the result: x, a {type(x).__qualname__}, has no "
                "__array_namespace__; give out="
            ) from None
    return numpy.empty(sizes, data_type.lower())


def in_library_of(x: Any, result: Any) -> Any:
    """The result as an array of x's library. Arrays of an unknown library may be immutable, so that
    library converts the result when it is complete."""
    if (
        _torch_of(x) is None
        and hasattr(x, "__array_namespace__")
        and hasattr(x, "__dlpack__")
        and type(x) is not type(result)
    ):
        return x.__array_namespace__().from_dlpack(result)
    return result
