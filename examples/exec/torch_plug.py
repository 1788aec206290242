# SPDX-License-Identifier: MIT
"""torch.cumsum:  cumsum sweep quick --exec 'python3 torch_plug.py [cuda]' --accept conformant"""

import sys

import cumsum
import torch

device = (*sys.argv[1:], "cpu")[0]


def f(x, *, axis, exclusive, reverse):
    if exclusive or reverse:
        raise NotImplementedError("torch.cumsum is inclusive and increasing")
    x = torch.from_numpy(x).to(device)
    return torch.cumsum(x, axis, dtype=x.dtype).cpu()


cumsum.serve(
    f,
    name=f"torch.cumsum on {device}",
    version=torch.__version__,
    types=("float32", "float16", "float64", "int32", "int64", "int16", "int8", "uint8"),
)
