# SPDX-License-Identifier: MIT
"""Arrays of known libraries as NumPy's, with the same memory, and results as arrays of the library
of x. Refuses arrays whose memory differs from their values."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, Union

import numpy

from ._library import MOST_ELEMENTS, library
from ._words import BFLOAT16, DATA_TYPES, JUDGED_TYPES, TYPE_NUMBERS, index_of, word_in, word_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Exporter(Protocol):
    """An array or tensor with DLPack: NumPy's, PyTorch's, JAX's."""

    def __dlpack__(self) -> Any: ...


class Convertible(Protocol):
    """What NumPy makes an array of: pandas', xarray's and dask's."""

    def __array__(self) -> Any: ...


class OnGpu(Protocol):
    """An array on a CUDA GPU: CuPy's, Numba's."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


Array = Union[Exporter, Convertible, OnGpu, "ReadableBuffer"]
"""What the functions of this package take as x and y. A list is none: numpy.asarray() makes one."""

JUDGED = {numpy.dtype(name): number for name, number in TYPE_NUMBERS.items()}
COMPUTED = {numpy.dtype(name): TYPE_NUMBERS[name] for name in DATA_TYPES}
_TAKEN = {
    False: f"sums are computed of {', '.join(DATA_TYPES[:-1])} and {DATA_TYPES[-1]}",
    True: "the oracle takes float64, float32, float16, bfloat16 and integers of 8 to 64 bits",
}


def torch_of(array: Any) -> Any:
    """The module torch if the array is one of its tensors, else None. Never imports torch."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(array, torch.Tensor) else None


def is_tensor(array: Any) -> bool:
    return torch_of(array) is not None


# DLPack's numbers of devices: the host's memory, ordinary or pinned for CUDA or ROCm; that of CUDA's
# GPUs, also managed memory; and others.
_HOST, _CUDA = (1, 3, 11), (2, 13)
_OTHERS = {4: "OpenCL", 7: "Vulkan", 8: "Metal", 10: "ROCm", 14: "oneAPI", 15: "WebGPU"}


def dlpack_device(name: str, array: Any) -> tuple[int, int]:
    """The kind of an exporter's device, and its number."""
    device = array.__dlpack_device__()
    numbers = [index_of(part) for part in device] if isinstance(device, tuple) else []
    if len(numbers) != 2 or None in numbers:
        raise TypeError(f"{name}.__dlpack_device__() must return two integers, not {device!r}")
    return int(device[0]), int(device[1])


def has_dlpack(array: Any) -> bool:
    return hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__")


def is_on_gpu(name: str, array: Any) -> bool:
    """Whether an array, if it is one, lies in the memory of a CUDA GPU."""
    if isinstance(array, (numpy.ndarray, numpy.generic)):
        return False
    torch = torch_of(array)
    if torch is not None:  # ROCm's devices are called cuda, too
        return array.device.type == "cuda" and not getattr(torch.version, "hip", None)
    if has_dlpack(array):
        return dlpack_device(name, array)[0] in _CUDA
    return hasattr(array, "__cuda_array_interface__")


def _check_mask(name: str, array: Any) -> None:
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(array, masked.MaskedArray) and masked.is_masked(array):
        raise TypeError(
            f"{name} has masked elements, whose hidden values would be used; "
            f"{name}.filled(0) has none"
        )


_PLACES = "in the memory of the CPU or of a CUDA GPU"


def tensor_problem(name: str, tensor: Any, torch: Any) -> str | None:
    """The reason why a tensor's elements are not in the memory of the CPU or of a CUDA GPU, or
    None."""
    if type(tensor).__torch_dispatch__ is not torch.Tensor.__torch_dispatch__:
        return (
            f"{name} is a {type(tensor).__qualname__}, a subclass of torch.Tensor whose elements "
            "need not lie in its memory; give a plain tensor"
        )
    if tensor.is_quantized:
        return f"{name} is a quantized tensor; {name}.dequantize() has its values"
    if tensor.layout is not torch.strided:
        return f"{name} is a tensor of layout {tensor.layout}; use {name}.to_dense()"
    if tensor.device.type != "cpu" and not is_on_gpu(name, tensor):
        rocm = " of ROCm" if tensor.device.type == "cuda" else ""
        return f"{name} is on the device {tensor.device}{rocm}, and must be {_PLACES}"
    if _is_inside_vmap(tensor):
        return (
            f"{name} is a tensor inside torch.vmap, whose elements have no place of their own; "
            "call this function on the whole tensor, outside of vmap"
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


def _of_tensor(name: str, tensor: Any, torch: Any) -> Any:
    """A tensor of the CPU as an array, of which bfloat16 has its bits as int16."""
    tensor = tensor.detach() if tensor.requires_grad else tensor
    try:
        return (tensor.view(torch.int16) if tensor.dtype is torch.bfloat16 else tensor).numpy()
    except (TypeError, RuntimeError) as error:
        problem = tensor_problem(name, tensor, torch) or f"{name} cannot be read: {error}"
    raise TypeError(problem)


def _from_dlpack(name: str, array: Any) -> Any:
    kind = dlpack_device(name, array)[0]
    if kind not in _HOST:
        whose = _OTHERS.get(kind, "another kind")
        raise TypeError(
            f"{name} is on a device of {whose} (DLPack's type {kind}), and must be {_PLACES}"
        )
    try:
        return numpy.from_dlpack(array)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        if hasattr(array, "__array__"):  # a type that DLPack has, and NumPy's reader does not
            return numpy.asarray(array)
        raise TypeError(f"{name} cannot be read: {error}") from None


def as_numpy(name: str, array: Any) -> Any:
    """The array as NumPy's, with the same memory. Of PyTorch's bfloat16 it has the bits, as int16.
    Raises TypeError for what is no array, and for elements that are not in the memory of the
    CPU."""
    if type(array) is numpy.ndarray:
        return array
    if isinstance(array, (numpy.ndarray, numpy.generic)):
        _check_mask(name, array)
        return numpy.asarray(array)
    if is_on_gpu(name, array):
        raise TypeError(f"{name} is on a GPU, and must be in the memory of the CPU here")
    torch = torch_of(array)
    if torch is not None:
        return _of_tensor(name, array, torch)
    if has_dlpack(array):
        return _from_dlpack(name, array)
    try:
        return numpy.asarray(memoryview(array))
    except (TypeError, ValueError, BufferError):
        if hasattr(array, "__array__") and name != "out":
            return numpy.asarray(array)
    hint = "; numpy.asarray() makes one of a list" if isinstance(array, (list, tuple)) else ""
    raise TypeError(
        f"{name} must be an array of NumPy, PyTorch or another library, or an object with the "
        f"buffer protocol, not {type(array)}{hint}"
    )


@dataclass(frozen=True)
class BfloatBits:
    """bfloat16 elements in an array of uint16, for judge(): NumPy has no such type of its own."""

    bits: Any


def _is_bfloat16(array: Any) -> bool:
    dtype = getattr(array, "dtype", None)
    name = getattr(dtype, "name", None) or str(dtype).rpartition(".")[2]
    return isinstance(array, BfloatBits) or name == "bfloat16"


def refuse_type(name: str, dtype: Any, judged: bool) -> NoReturn:
    """Raises the TypeError for elements of a type, NumPy's or a name, that is not judged, or not
    computed. Types have NumPy's names, text and records without their length."""
    names = {"U": "str", "S": "bytes", "V": "void"}
    shown = dtype if isinstance(dtype, str) else names.get(dtype.kind, dtype.name)
    hint = ""
    if not (isinstance(dtype, str) or dtype.isnative):
        shown, hint = dtype.str, "" if judged else "; dtype= converts x"
    elif not judged and shown.startswith(("bool", "int", "uint", "bfloat16")):
        hint = f"; dtype={'float32' if shown == 'bfloat16' else 'int64'!r} converts x"
    hint = hint if name == "x" else ""
    raise TypeError(
        f"{name} has elements of type {shown}; {_TAKEN[judged]}, in this machine's byte order{hint}"
    )


def check_operand(name: str, array: Any, loses_gradients: bool) -> None:
    """Raises TypeError for what as_numpy() takes, but no sum: bfloat16, and with loses_gradients
    tensors whose gradients PyTorch would compute."""
    torch = torch_of(array)
    if torch is not None and loses_gradients and array.requires_grad and torch.is_grad_enabled():
        raise TypeError(
            f"{name} is a tensor that requires gradients, and the sum has none; use "
            f"{name}.detach(), or torch.no_grad(), or the operator of cumsum.torch"
        )
    if _is_bfloat16(array):
        refuse_type(name, "bfloat16", False)


def computed_type(name: str, values: Any) -> int:
    """The number of the elements' type. Raises TypeError for one that is not computed, ValueError
    if there are too many elements."""
    number = COMPUTED.get(values.dtype)
    if number is None:
        refuse_type(name, values.dtype, False)
    _check_count(name, values.size)
    return number


def operand(name: str, array: Any, *, loses_gradients: bool = False) -> tuple[Any, int]:
    """An array for a sum on the CPU, and the number of its type; check_operand() and
    computed_type() say what is raised."""
    values = array
    if type(array) is not numpy.ndarray:
        check_operand(name, array, loses_gradients)
        values = as_numpy(name, array)
    return values, computed_type(name, values)


def judged(name: str, array: Any) -> tuple[Any, int]:
    """An array for the oracle, and the number of its type. Of bfloat16 it has the bits, as
    uint16."""
    values = array.bits if isinstance(array, BfloatBits) else as_numpy(name, array)
    if _is_bfloat16(array) or _is_bfloat16(values):
        values, number = values.view("uint16"), BFLOAT16
    else:
        number = JUDGED.get(values.dtype, 0)
    if not number:
        refuse_type(name, values.dtype, True)
    _check_count(name, values.size)
    return values, number


def type_name(number: int) -> str:
    """The name of a type that is judged."""
    return word_of(number, JUDGED_TYPES)


def _name_of(dtype: Any) -> Any:
    """The name of a type: "float32" for numpy.float32, numpy.dtype("f4"), "f4" and torch.float32;
    "int64" and "float64" for Python's int and float, as in NumPy."""
    try:
        known = numpy.dtype(dtype)
    except TypeError:  # PyTorch's, or none
        return str(dtype).rpartition(".")[2] if type(dtype).__name__ == "dtype" else dtype
    return known.name if known.isnative else dtype


def name_of_elements(array: Any) -> str:
    """The name of the type of an array's elements, including types that are not computed."""
    if isinstance(array, BfloatBits):
        return "bfloat16"
    dtype = array.dtype if hasattr(array, "dtype") else as_numpy("x", array).dtype
    return str(dtype).rpartition(".")[2]


def type_of_sums(rule: str, name: str) -> str:
    """The name of the type that a library gives the sums of a type, as include/cumsum/explain.h has
    it: "numpy", "torch", "array-api" or "onnx". Types that it does not know stay."""
    number = TYPE_NUMBERS.get("uint8" if name == "bool" else name)
    if number is None:
        return name
    return type_name(library.cumsum_type_of_sums(rule.encode(), number, name == "bool"))


def holds(wide: str, narrow: str) -> bool:
    """Whether a type that is judged holds all values of another."""
    if narrow == "bfloat16" or wide == "bfloat16":
        return wide in ("float32", "float64") or narrow in ("bool", "int8", "uint8")
    if wide not in TYPE_NUMBERS or narrow not in ("bool", *TYPE_NUMBERS) or wide == narrow:
        return False
    return numpy.can_cast(narrow, wide) and (wide, narrow[-5:]) != ("float64", "int64")


def widened(x: Any, y: Any) -> Any:
    """x with y's type, if that holds all of x's values: many libraries sum int8 in int64."""
    try:
        narrow, wide = name_of_elements(x), name_of_elements(y)
    except TypeError:  # judged() says what is no array
        return x
    if not holds(wide, narrow):
        return x
    torch = torch_of(x)
    if torch is not None and hasattr(torch, wide):
        return x.to(getattr(torch, wide))
    if wide == "bfloat16" and (is_tensor(y) or isinstance(y, BfloatBits)):
        return x  # NumPy may not know the type
    if isinstance(x, BfloatBits):
        return (x.bits.astype("uint32") << 16).view("float32").astype(wide)
    return as_numpy("x", x).astype(y.dtype if wide == "bfloat16" else wide)


def _check_count(name: str, count: int) -> None:
    if count > MOST_ELEMENTS:
        raise ValueError(
            f"{name} has {count} elements, but a descriptor covers at most {MOST_ELEMENTS}; a "
            "Carry sums it in pieces"
        )


def converted(x: Any, dtype: Any) -> Any:
    """x with elements of another type, by the rules of x's library."""
    name = word_in("dtype", _name_of(dtype), DATA_TYPES)
    torch = torch_of(x)
    if torch is not None:
        if not hasattr(torch, name):
            raise TypeError(f"dtype is {name!r}, which this PyTorch does not have")
        _check_count("x", x.numel())
        return x.to(getattr(torch, name))
    if is_on_gpu("x", x):
        if not hasattr(x, "astype"):
            raise TypeError(f"dtype is {name!r}, and x, a {type(x).__qualname__}, has no astype()")
        return x.astype(name)
    array = as_numpy("x", x)
    _check_count("x", array.size)
    return array.astype(name, copy=False)


def check_result_can_be_made(x: Any) -> None:
    """Raises TypeError for an x whose library is not known."""
    known = isinstance(x, (numpy.ndarray, numpy.generic)) or is_tensor(x)
    if known or hasattr(x, "__array_namespace__") or hasattr(x, "__array__"):
        return
    try:
        memoryview(x)
    except TypeError:
        raise TypeError(
            f"no array can be made for the result: x, a {type(x).__qualname__}, has no "
            "__array_namespace__; give out="
        ) from None


def in_library_of(x: Any, result: Any) -> Any:
    """The result as an array of x's library."""
    if isinstance(x, numpy.ndarray):
        return result
    torch = torch_of(x)
    if torch is not None:
        return torch.from_numpy(result)
    if hasattr(x, "__array_namespace__") and hasattr(x, "__dlpack__"):
        return x.__array_namespace__().from_dlpack(result)
    return result
