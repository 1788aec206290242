# SPDX-License-Identifier: MIT
"""torch.cumsum:

cumsum sweep quick --exec 'python3 torch_plug.py' --accept conformant
cumsum sweep quick --exec 'python3 torch_plug.py cuda' --accept conformant
"""

import sys

import cumsum
import torch

DEVICE = (*sys.argv[1:], "cpu")[0]


def f(x, *, axis, exclusive, reverse):
    x = torch.from_numpy(x).to(DEVICE)
    try:
        return torch.cumsum(x, axis, dtype=x.dtype).cpu()
    except RuntimeError as error:
        if "not implemented" in str(error):  # older versions have no float16 on the CPU
            raise NotImplementedError(str(error)) from None
        raise


cumsum.serve(
    f,
    name=f"torch.cumsum on {DEVICE}",
    version=torch.__version__,
    types=("float32", "float16", "float64", "int32", "int64", "int16", "int8", "uint8"),
    directions=["increasing"],
    sums=["inclusive"],
)
