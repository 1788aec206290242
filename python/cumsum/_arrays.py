# SPDX-License-Identifier: MIT
"""Arrays of known libraries: how the extension reads them, how they are converted, and arrays of
the same library for results. Refuses arrays whose memory differs from their values, which neither
the buffer protocol nor DLPack reports."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

from . import _cumsum
from ._words import DATA_TYPES, word_in

_MOST_ELEMENTS = 2**32 - 1


def _torch_of(array: Any) -> Any:
    """The module torch if the array is one of its tensors, else None. Never imports torch."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(array, torch.Tensor) else None


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
    if tensor.layout is not torch.strided:
        return f"{name} is a tensor of layout {tensor.layout}; use {name}.to_dense()"
    if tensor.device.type != "cpu":
        return f"{name} is on the device {tensor.device}, and must be in the memory of the CPU"
    if tensor.is_neg():
        return (
            f"{name} is a tensor that PyTorch negates on reading, which DLPack cannot express; "
            f"{name}.resolve_neg() has its values in memory"
        )
    return None


def _check_gradients(name: str, torch: Any) -> None:
    if torch.is_grad_enabled():
        raise TypeError(
            f"{name} is a tensor that requires gradients, and the sum has none; use "
            f"{name}.detach(), or torch.no_grad()"
        )


def readable(name: str, array: Any, *, loses_gradients: bool = False) -> Any:
    """The array as the extension reads it, with the same memory. Raises TypeError for masked
    elements, for tensors without elements in the memory of the CPU, and with loses_gradients for
    tensors whose gradients PyTorch would compute.
    """
    torch = _torch_of(array)
    if torch is None:
        _check_mask(name, array)
        return array
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
    """The name of a library's type: "float32" for numpy.float32, numpy.dtype("f4") and
    torch.float32."""
    if isinstance(dtype, str):
        return dtype
    return getattr(dtype, "__name__", None) or str(dtype).rpartition(".")[2]


def type_name(array: Any) -> str:
    """The name of the type of an array's elements, including types that the operator rejects."""
    if hasattr(array, "dtype"):
        return str(_name_of(array.dtype))
    return _cumsum.type_of(array)[0].lower()


def _check_count(x: Any) -> None:
    """The extension's rule, for arrays that are converted before it sees them."""
    count = math.prod(x.shape)
    if count > _MOST_ELEMENTS:
        raise ValueError(
            f"x has {count} elements, but a descriptor covers at most {_MOST_ELEMENTS}"
        )


def as_numpy(x: Any) -> Any:
    """The array as NumPy's, with the same memory."""
    import numpy

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

    if not (isinstance(x, numpy.ndarray) or hasattr(x, "__array_namespace__")):
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
    if _torch_of(x) is None and hasattr(x, "__array_namespace__") and type(x) is not type(result):
        return x.__array_namespace__().from_dlpack(result)
    return result
