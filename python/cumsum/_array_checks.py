# SPDX-License-Identifier: MIT
"""What neither the buffer protocol nor DLPack says of an array: that its memory is not what it
shows."""

from __future__ import annotations

import sys
from typing import Any


def torch_of(x: Any) -> Any:
    """The module torch where x is one of its tensors; None elsewhere. It is not imported for that."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(x, torch.Tensor) else None


def _check_mask(name: str, array: Any) -> None:
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(array, masked.MaskedArray) and masked.is_masked(array):
        raise TypeError(
            f"{name} has masked elements, which would be taken for their values; "
            f"{name}.filled(0) has none"
        )


def check_arrays(**arguments: Any) -> None:
    """TypeError for masked elements, and for views that are negated when they are read
    (x.conj().imag): their memory has other signs."""
    for name, array in arguments.items():
        _check_mask(name, array)
        if torch_of(array) is not None and array.is_neg():
            raise TypeError(
                f"{name} is a tensor that is negated when it is read, which DLPack cannot say; "
                f"{name}.resolve_neg() is not"
            )
