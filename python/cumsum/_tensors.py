# SPDX-License-Identifier: MIT
"""What DLPack does not say of PyTorch's tensors."""

from __future__ import annotations

import sys
from typing import Any


def torch_of(x: Any) -> Any:
    """The module torch where x is one of its tensors; None elsewhere. It is not imported for that."""
    torch = sys.modules.get("torch")
    return torch if torch is not None and isinstance(x, torch.Tensor) else None


def check_signs(**arguments: Any) -> None:
    """Some views are negated when they are read (x.conj().imag): their memory has other signs."""
    for name, tensor in arguments.items():
        if torch_of(tensor) is not None and tensor.is_neg():
            raise TypeError(
                f"{name} is a tensor that is negated when it is read, which DLPack cannot say; "
                f"{name}.resolve_neg() is not"
            )
