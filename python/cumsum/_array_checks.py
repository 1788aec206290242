# SPDX-License-Identifier: MIT
"""Arrays whose memory differs from their values, which neither the buffer protocol nor DLPack
reports: masked arrays and lazily negated tensors."""

from __future__ import annotations

import sys
from typing import Any


def torch_of(x: Any) -> Any:
    """The module torch if x is one of its tensors, else None. Never imports torch."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(x, torch.Tensor) else None


def _check_mask(name: str, array: Any) -> None:
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(array, masked.MaskedArray) and masked.is_masked(array):
        raise TypeError(
            f"{name} has masked elements, whose hidden values would be used; "
            f"{name}.filled(0) has none"
        )


def check_arrays(**arguments: Any) -> None:
    """Raises TypeError for masked elements, and for tensors that PyTorch negates on reading
    (x.conj().imag), whose memory holds the opposite signs."""
    for name, array in arguments.items():
        _check_mask(name, array)
        if torch_of(array) is not None and array.is_neg():
            raise TypeError(
                f"{name} is a tensor that PyTorch negates on reading, which DLPack cannot express; "
                f"{name}.resolve_neg() has its values in memory"
            )
