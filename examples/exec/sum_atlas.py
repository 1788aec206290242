#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How the reductions of Python's libraries add: prints the section "Sums" of docs/atlas.md, which
atlas.py puts there. The package cumsum must be importable; PyTorch is left out if it is missing.

    PYTHONPATH=build/release/python examples/exec/sum_atlas.py
"""

import importlib.util
import math

import cumsum
import numpy

REDUCTIONS = {
    "numpy.sum": numpy.sum,
    "numpy.sum, every other element": lambda x: numpy.repeat(x, 2)[::2].sum(),
    "numpy.sum, the rows of (n, 2)": lambda x: numpy.stack([x, x], 1).sum(axis=0)[0],
    "numpy.sum, the columns of (2, n)": lambda x: numpy.stack([x, x], 0).sum(axis=1)[0],
    "numpy.add.reduceat": lambda x: numpy.add.reduceat(x, [0])[0],
    "numpy.einsum": lambda x: numpy.einsum("i->", x),
    "numpy.dot with ones": lambda x: numpy.dot(x, numpy.ones_like(x)),
    "sum": sum,
    "math.fsum": math.fsum,
}

if importlib.util.find_spec("torch"):
    import torch

    REDUCTIONS["torch.sum"] = lambda x: torch.from_numpy(x).sum().item()


TEXT = """
## Sums

The trees of reductions of 128 and of 512 terms, as
[`cumsum.fingerprint_sum`](python.md#fingerprint_sum) names them; NumPy {numpy}. A sum of FLOAT16
that loses no unit may also be one of binary64.

| reduction | type | 128 terms | 512 terms |
| --- | --- | --- | --- |
"""


def section():
    rows = ""
    for name, reduction in REDUCTIONS.items():
        for dtype in ("float32", "float64", "float16"):
            found = [cumsum.fingerprint_sum(reduction, dtype, length=n) for n in (128, 512)]
            shown = [one.name or ("unnamed" if one.tree else "none") for one in found]
            shown[1] = "the same" if shown[0] == shown[1] else shown[1]
            rows += f"| {' | '.join([name, dtype.upper(), *shown])} |\n"
    return TEXT.replace("{numpy}", numpy.__version__) + rows


if __name__ == "__main__":
    print(section(), end="")
