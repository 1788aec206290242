# SPDX-License-Identifier: MIT
"""cumsum.torch.cumsum(): the sums as an operator of PyTorch's, with gradients, for tensors on the
CPU and on CUDA GPUs. It needs PyTorch 1.13 or later."""

from __future__ import annotations

import importlib
from typing import Any

from . import cumsum as sums_of
from ._arrays import name_of_elements, refuse_type
from ._words import DATA_TYPES, MAX_THREADS, Denormals, HalfAccumulator, HalfStore, Order
from ._words import axis_of, numerics

try:
    torch: Any = importlib.import_module("torch")
except ImportError as error:
    raise ImportError(f"cumsum.torch needs PyTorch: {error}") from None

_library = torch.library.Library("cumsum", "DEF")
_library.define(
    "cumsum(Tensor x, int dim, bool exclusive, bool reverse, str order, str half_accumulator,"
    " str half_store, str denormals) -> Tensor"
)


def _operator(x: Any, *arguments: Any) -> Any:
    return torch.ops.cumsum.cumsum(x, *arguments)


def _compute(x: Any, dim: int, exclusive: bool, reverse: bool, *words: str) -> Any:
    names = "order", "half_accumulator", "half_store", "denormals"
    how: dict[str, Any] = dict(zip(names, words), exclusive=exclusive, reverse=reverse)
    return sums_of(x.detach(), dim, threads=min(torch.get_num_threads(), MAX_THREADS), **how)


def _fake(x: Any, dim: int, exclusive: bool, reverse: bool, *words: str) -> Any:
    """What is known of the result without elements."""
    axis_of(x.dim(), dim)
    numerics(*words)
    if name_of_elements(x) not in DATA_TYPES:
        refuse_type("x", name_of_elements(x), judged=False)
    return torch.empty(x.shape, dtype=x.dtype, device=x.device)


class _WithGradient(torch.autograd.Function):  # type: ignore[misc]
    """The sum is linear, and its gradient the sum in the other direction."""

    @staticmethod
    def forward(context: Any, x: Any, *arguments: Any) -> Any:
        context.arguments = arguments
        below = torch._C._AutoDispatchBelowAutograd()  # until it is deleted
        try:
            return _operator(x, *arguments)
        finally:
            del below

    @staticmethod
    def backward(context: Any, gradient: Any) -> Any:
        dim, exclusive, reverse, *words = context.arguments
        return _operator(gradient, dim, exclusive, not reverse, *words), *[None] * 7


_library.impl("cumsum", _compute, "CPU")
_library.impl("cumsum", _compute, "CUDA")
_library.impl("cumsum", _fake, "Meta")
_library.impl("cumsum", _WithGradient.apply, "Autograd")


def cumsum(
    x: Any,
    dim: int,
    *,
    dtype: Any = None,
    exclusive: bool = False,
    reverse: bool = False,
    order: Order = "blocked",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
) -> Any:
    """The cumulative sum of x along a dimension, with the same bits on every processor and GPU.

    x: a tensor of float32, float16, int32 or int64 on the CPU or a CUDA GPU, of any strides; on the
        CPU also of float64. It may require gradients.
    dim: the dimension; a negative number counts from the last.
    dtype: convert x to this type of PyTorch's, or of this name, first, as in torch.cumsum().
    exclusive, reverse, order, half_accumulator, half_store, denormals: as in cumsum.cumsum(), but
        the order is "blocked" if omitted, which suits GPUs; they lack "exact" sums of floats.

    Returns a packed tensor of x's shape on x's device. It is the operator torch.ops.cumsum.cumsum,
    with gradients of any degree: those of a sum are the sums of its gradients in the other
    direction, by the same arithmetic, so they have the same bits everywhere, too. It works under
    torch.compile, with its tensors without elements, and with
    torch.use_deterministic_algorithms(True).

    Raises TypeError if x is no tensor, RuntimeError if another argument has a wrong type, and what
    cumsum.cumsum() raises.
    """
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"x is a {type(x).__qualname__}, and must be a torch.Tensor")
    kind = getattr(torch, dtype) if isinstance(dtype, str) else dtype
    typed = x if kind is None else x.to(kind)
    return _operator(
        typed, dim, exclusive, reverse, order, half_accumulator, half_store, denormals
    )
