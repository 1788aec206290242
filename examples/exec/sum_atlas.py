#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How reductions add: prints the section "Sums" of docs/atlas.md, which atlas.py puts there. The
package cumsum must be importable. Reductions of C++ are compiled as plugs of `cumsum fingerprint
--sum`: $CUMSUM is the program (default: cumsum), $CXX a compiler (c++). What is missing is listed.

    sum_atlas.py              of all reductions
    sum_atlas.py 'std::*'     of those whose names match
"""

import fnmatch
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cumsum
import numpy
from atlas import Entry, Missing, compile_plug

LENGTHS = (128, 512)
COMPILER = os.environ.get("CXX", "c++")


def fsum(x):
    """It raises an error where others give an infinity."""
    try:
        return math.fsum(x)
    except OverflowError:
        return math.inf


REDUCTIONS = {
    "numpy.sum": numpy.sum,
    "numpy.sum, every other element": lambda x: numpy.repeat(x, 2)[::2].sum(),
    "numpy.sum, the rows of (n, 2)": lambda x: numpy.stack([x, x], 1).sum(axis=0)[0],
    "numpy.sum, the columns of (2, n)": lambda x: numpy.stack([x, x], 0).sum(axis=1)[0],
    "numpy.add.reduceat": lambda x: numpy.add.reduceat(x, [0])[0],
    "numpy.einsum": lambda x: numpy.einsum("i->", x),
    "numpy.einsum with ones": lambda x: numpy.einsum("i,i->", x, numpy.ones_like(x)),
    "numpy.dot with ones": lambda x: numpy.dot(x, numpy.ones_like(x)),
    "sum": sum,
    "math.fsum": fsum,
}

if importlib.util.find_spec("torch"):
    import torch

    REDUCTIONS["torch.sum"] = lambda x: torch.from_numpy(x).sum().item()


def of_cxx(name, total, include, *options):
    """A reduction of x[0..n), of type T."""
    scan = f"*y = {total};"
    return Entry(
        name, "", scan=scan, total=True, include=include, version="__VERSION__", options=options
    )


OF_CXX = [
    of_cxx("std::accumulate", "std::accumulate(x, x + n, T(0))", "#include <numeric>"),
    of_cxx("std::reduce", "std::reduce(x, x + n)", "#include <numeric>"),
    of_cxx(
        "std::reduce, par_unseq",
        "std::reduce(std::execution::par_unseq, x, x + n)",
        "#include <execution>\n#include <numeric>",
        "-ltbb",
    ),
    of_cxx(
        "OpenMP simd",
        "[=] { T sum = 0;\n_Pragma(\"omp simd reduction(+ : sum)\")\n"
        "for (std::ptrdiff_t i = 0; i < n; i++) sum += x[i];\nreturn sum; }()",
        "",
        "-fopenmp",
    ),
    of_cxx(
        "Eigen sum",
        "(Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>(x, n).sum())",
        "#include <Eigen/Core>",
        "-I/usr/include/eigen3",
    ),
    of_cxx(
        "Armadillo accu",
        "arma::accu(arma::Col<T>(const_cast<T *>(x), arma::uword(n), false, true))",
        "#define ARMA_DONT_USE_WRAPPER\n#include <armadillo>",
    ),
]

TEXT = """
## Sums

The trees of reductions of 128 and of 512 terms, as
[`cumsum.fingerprint_sum`](python.md#fingerprint_sum) and, of C++,
[`cumsum fingerprint --sum`](fingerprint.md) name them; NumPy {numpy}, {compiler} with
`-O2`, in {month}. A sum of FLOAT16 that loses no unit may also be one of binary64. *None*:
no tree gives the sums. No tree gives exact sums, either; those of FLOAT32 and FLOAT16 have a name.
The script [sum_atlas.py](../examples/exec/sum_atlas.py) makes the table.

| reduction | types | 128 terms | 512 terms |
| --- | --- | --- | --- |
"""


def table(found):
    """The types of a reduction that have the same trees share a row; three of them are all."""
    types = {}
    for name, dtype, (first, second) in found:
        row = (name, first, "the same" if first == second else second)
        types[row] = [*types.get(row, []), dtype.upper()]
    return "".join(
        f"| {name} | {', '.join(of) if len(of) < 3 else 'all'} | {' | '.join(trees)} |\n"
        for (name, *trees), of in types.items()
    )


def compiler_version():
    if not shutil.which(COMPILER):
        return "(missing)"
    command = [COMPILER, "-dumpfullversion", "-dumpversion"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def order_of(plug, dtype, length):
    program = os.environ.get("CUMSUM", "cumsum")
    command = [program, "fingerprint", "--sum", "--json", "--type", dtype, "--length", str(length)]
    run = subprocess.run([*command, "--exec", plug], capture_output=True, text=True, check=False)
    return json.loads(run.stdout.splitlines()[0])["order"]


def section(pattern="*"):
    """The section, of the reductions whose names match."""
    rows, missing = [], []
    for name in fnmatch.filter(REDUCTIONS, pattern):
        reduction = REDUCTIONS[name]
        for dtype in ("float32", "float64", "float16"):
            found = [cumsum.fingerprint_sum(reduction, dtype, length=n) for n in LENGTHS]
            trees = [o.name or ("unnamed" if o.tree else "none") for o in found]
            rows.append((name, dtype, trees))
    for entry in (entry for entry in OF_CXX if fnmatch.fnmatch(entry.name, pattern)):
        with tempfile.TemporaryDirectory() as folder:
            try:
                (plug,) = compile_plug(entry, Path(folder))
            except Missing:
                missing.append(entry.name)
                continue
            for dtype in entry.types:
                rows.append((entry.name, dtype, [order_of(plug, dtype, n) for n in LENGTHS]))
    missing += [name for name in fnmatch.filter(["torch.sum"], pattern) if name not in REDUCTIONS]
    lacking = f"\nNot installed here: {', '.join(missing)}.\n" if missing else ""
    versions = {"{numpy}": numpy.__version__, "{compiler}": f"{COMPILER} {compiler_version()}",
                "{month}": time.strftime("%B %Y")}
    text = TEXT
    for place, version in versions.items():
        text = text.replace(place, version)
    return text + table(rows) + lacking


if __name__ == "__main__":
    print(section(*sys.argv[1:2]), end="")
