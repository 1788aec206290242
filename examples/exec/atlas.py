#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds out how the cumulative sums of many libraries add, and writes docs/atlas.md.

    atlas.py                          shows a table of what is installed here
    atlas.py --only 'numpy*'          of these implementations
    atlas.py --write docs/atlas.md    writes the document
    atlas.py --list                   names the implementations

Each implementation is a plug for `cumsum --exec`: a function here, or a few lines of C++ that are
compiled in a temporary folder. `cumsum fingerprint` asks them. What is not installed is listed with
the reason. $CUMSUM is the program (default: cumsum), $CXX a compiler (c++); Python finds the
package cumsum, Node the package onnxruntime-node, in the usual places (PYTHONPATH, NODE_PATH).
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).resolve()
INCLUDE = HERE.parents[2] / "include"
TYPES = ("float32", "float16", "float64")
THREADS = 4


class Missing(Exception):
    """Why an implementation does not run here."""


@dataclass
class Entry:
    """An implementation: a function of Python, a script of Node, or `scan`, a text of C++."""

    name: str
    what: str  # is called
    types: tuple[str, ...] = ("float32", "float64")
    plug: Callable[[], tuple[Callable[..., Any], str]] | None = None  # a function, and its version
    script: str = ""  # beside this file
    scan: str = ""  # of x[0..n) into y[0..n), of type T, or a total into y[0]
    total: bool = False
    include: str = ""
    version: str = ""  # an expression of C++: a text
    options: tuple[str, ...] = ()
    compiler: str = ""  # if it must be this one
    needs: str = ""  # what is missing if a plug of C++ does not compile
    threads: int = 1
    note: str = ""


def inclusive(f: Callable[[Any, int], Any]) -> Callable[..., Any]:
    """A plug of a function that sums from the first index on, inclusively."""

    def plug(x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        if exclusive or reverse:
            raise NotImplementedError("inclusive and increasing sums only")
        return f(x, axis)

    return plug


def numpy_plug() -> tuple[Callable[..., Any], str]:
    numpy = importlib.import_module("numpy")
    numpy.seterr(all="ignore")
    return inclusive(lambda x, axis: numpy.cumsum(x, axis, dtype=x.dtype)), numpy.__version__


def torch_plug() -> tuple[Callable[..., Any], str]:
    torch = importlib.import_module("torch")
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    return inclusive(lambda x, axis: torch.cumsum(torch.from_numpy(x), axis)), torch.__version__


def pandas_plug(grouped: bool = False) -> tuple[Callable[..., Any], str]:
    pandas = importlib.import_module("pandas")

    def f(x: Any, axis: int) -> Any:
        lines = x.swapaxes(axis, -1)
        frame = pandas.DataFrame(lines.reshape(-1, lines.shape[-1]).T)
        one = importlib.import_module("numpy").zeros(len(frame), int)
        sums = frame.groupby(one).cumsum() if grouped else frame.cumsum()
        return sums.to_numpy().T.astype(x.dtype).reshape(lines.shape).swapaxes(axis, -1)

    return inclusive(f), pandas.__version__


def dask_plug(method: str) -> tuple[Callable[..., Any], str]:
    array = importlib.import_module("dask.array")

    def f(x: Any, axis: int) -> Any:
        chunks = tuple(32 if d == axis else -1 for d in range(x.ndim))
        return array.from_array(x, chunks=chunks).cumsum(axis, method=method).compute()

    return inclusive(f), importlib.import_module("dask").__version__


def numba_plug() -> tuple[Callable[..., Any], str]:
    numpy = importlib.import_module("numpy")
    numba = importlib.import_module("numba")
    scan = numba.njit(lambda line: numpy.cumsum(line))
    return (
        inclusive(lambda x, axis: numpy.apply_along_axis(scan, axis, x)),
        numba.__version__,
    )


def onnxruntime_version() -> str:
    if not shutil.which("node"):
        raise Missing("there is no node")
    find = "console.log(require('onnxruntime-node/package.json').version)"
    found = subprocess.run(["node", "-e", find], capture_output=True, text=True)
    if found.returncode:
        raise Missing("Node finds no package onnxruntime-node (NODE_PATH)")
    return found.stdout.strip()


# A plug of C++. Lines are copied: some of these functions take nothing but a range.
PLUG = """\
#include <cumsum/exec.h>
#include <cstdio>
#include <string>
#include <vector>
@INCLUDE@

@SCANS@
template <typename T> static int lines(const cumsum_exec_request *r) {
    std::vector<T> x(r->sizes[r->axis]), y(x.size());
    for (uint64_t n = 0; n < cumsum_exec_line_count(r); n++) {
        const cumsum_exec_line line = cumsum_exec_line_at(r, n);
        for (size_t i = 0; i < x.size(); i++)
            x[i] = static_cast<const T *>(line.input)[std::ptrdiff_t(i) * line.input_step];
        scan(x.data(), y.data(), std::ptrdiff_t(x.size()));
        for (size_t i = 0; i < (r->total ? 1 : x.size()); i++)
            static_cast<T *>(line.output)[std::ptrdiff_t(i) * line.output_step] = y[i];
    }
    return CUMSUM_EXEC_OK;
}

static int answer(void *, const cumsum_exec_request *r, char *) {
@CASES@
    return CUMSUM_EXEC_UNSUPPORTED;
}

int main(int argc, char **) {
    static const std::string version = @VERSION@;
    if (argc > 1)
        return std::puts(version.c_str()) < 0;
    cumsum_exec_implementation plug = {};
    plug.name = "@NAME@";
    plug.version = version.c_str();
    plug.types = "@TYPES@";
    plug.sums = "@SUMS@";
    plug.strides = true;
    return cumsum_exec_serve(&plug, answer, nullptr);
}
"""

CXX_TYPES = {"float32": "float", "float64": "double", "float16": "Eigen::half"}

THRUST = "".join(
    f"#include <thrust/{header}.h>\n" for header in ("execution_policy", "scan", "version")
)


def dotted(*macros: str) -> str:
    """A version, as an expression of C++."""
    return " + '.' + ".join(f"std::to_string({macro})" for macro in macros)


STD = "#include <execution>\n#include <numeric>\n"


def standard(policy: str) -> Entry:
    first = f"std::execution::{policy}, " if policy else ""
    return Entry(
        f"libstdc++ {policy}".strip(),
        f"`std::inclusive_scan({first}...)`",
        scan=f"std::inclusive_scan({first}x, x + n, y);",
        include=STD if policy else "#include <numeric>",
        version="std::to_string(_GLIBCXX_RELEASE)",
        options=("-ltbb",) if policy else (),
        needs="oneTBB" if policy else "libstdc++",
    )


def thrust(system: str, policy: str, *options: str) -> Entry:
    backend = system.lower()
    return Entry(
        f"Thrust {system}",
        f"`thrust::inclusive_scan(thrust::{backend}::{policy}, ...)`",
        scan=f"thrust::inclusive_scan(thrust::{backend}::{policy}, x, x + n, y);",
        include=f"{THRUST}\n#include <thrust/system/{backend}/execution_policy.h>",
        version=dotted(*(f"THRUST_{part}_VERSION" for part in ("MAJOR", "MINOR", "SUBMINOR"))),
        options=(
            f"-DTHRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_{system}",
            f"-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_{system}",
            *options,
        ),
        needs="Thrust",
    )


def openmp(compiler: str, kind: str) -> Entry:
    return Entry(
        f"OpenMP {kind}, {compiler}",
        f"`#pragma omp {kind} reduction(inscan, + : sum)`",
        scan=f"""T sum = 0;
    #pragma omp {kind} reduction(inscan, + : sum)
    for (std::ptrdiff_t i = 0; i < n; i++) {{
        sum += x[i];
        #pragma omp scan inclusive(sum)
        y[i] = sum;
    }}""",
        version="__VERSION__",
        options=("-fopenmp",),
        compiler=compiler,
        needs=f"OpenMP of {compiler}",
        threads=THREADS if "parallel" in kind else 1,
    )


ENTRIES = [
    Entry("NumPy", "`numpy.cumsum(x, axis, dtype=x.dtype)`", TYPES, plug=numpy_plug),
    Entry("PyTorch, 1 thread", "`torch.cumsum(x, axis)` on the CPU", TYPES, plug=torch_plug),
    Entry(f"PyTorch, {THREADS} threads", "the same", TYPES, plug=torch_plug, threads=THREADS),
    Entry("ONNX Runtime", "`CumSum` on the CPU", script="onnxruntime.mjs"),
    Entry("pandas", "`DataFrame.cumsum()`", TYPES, plug=pandas_plug),
    Entry(
        "pandas, grouped",
        "`DataFrame.groupby(...).cumsum()`",
        plug=lambda: pandas_plug(True),
        note="It compensates for the rounding (Kahan), which no order of additions does.",
    ),
    Entry(
        "dask", "`dask.array.cumsum`, chunks of 32", TYPES, plug=lambda: dask_plug("sequential")
    ),
    Entry(
        "dask, blelloch",
        '`dask.array.cumsum(..., method="blelloch")`, chunks of 32',
        TYPES,
        plug=lambda: dask_plug("blelloch"),
    ),
    Entry("numba", "`numpy.cumsum` in a function of `numba.njit`", plug=numba_plug),
    standard(""),
    standard("par"),
    standard("par_unseq"),
    Entry(
        "oneTBB",
        "`tbb::parallel_scan`",
        scan="""tbb::parallel_scan(tbb::blocked_range<std::ptrdiff_t>(0, n), T(0),
        [=](const tbb::blocked_range<std::ptrdiff_t> &range, T sum, bool final) {
            for (std::ptrdiff_t i = range.begin(); i < range.end(); i++) {
                sum += x[i];
                if (final)
                    y[i] = sum;
            }
            return sum;
        },
        std::plus<T>());""",
        include="#include <functional>\n#include <tbb/blocked_range.h>\n"
        "#include <tbb/parallel_scan.h>\n#include <tbb/version.h>",
        version=dotted("TBB_VERSION_MAJOR", "TBB_VERSION_MINOR"),
        options=("-ltbb",),
        needs="oneTBB",
    ),
    Entry(
        "Eigen",
        "`Tensor::cumsum`",
        TYPES,
        scan="""Eigen::TensorMap<Eigen::Tensor<const T, 1>> in(x, n);
    Eigen::TensorMap<Eigen::Tensor<T, 1>>(y, n) = in.cumsum(0);""",
        include="#include <unsupported/Eigen/CXX11/Tensor>",
        version=dotted("EIGEN_WORLD_VERSION", "EIGEN_MAJOR_VERSION", "EIGEN_MINOR_VERSION"),
        options=("-I/usr/include/eigen3",),
        needs="Eigen",
    ),
    Entry(
        "xtensor",
        "`xt::cumsum`",
        scan="""const std::vector<std::size_t> shape = {std::size_t(n)};
    const auto in = xt::adapt(x, std::size_t(n), xt::no_ownership(), shape);
    const auto sums = xt::eval(xt::cumsum(in, 0));
    std::copy(sums.begin(), sums.end(), y);""",
        include="#include <xtensor/xadapt.hpp>\n#include <xtensor/xarray.hpp>\n"
        "#include <xtensor/xmath.hpp>\n#include <xtensor/xtensor_config.hpp>",
        version=dotted("XTENSOR_VERSION_MAJOR", "XTENSOR_VERSION_MINOR", "XTENSOR_VERSION_PATCH"),
        needs="xtensor",
    ),
    thrust("CPP", "par"),
    thrust("TBB", "tag()", "-ltbb"),
    Entry(
        "Armadillo",
        "`arma::cumsum`",
        scan="""const arma::Col<T> in(const_cast<T *>(x), arma::uword(n), false, true);
    arma::Col<T> out(y, arma::uword(n), false, true);
    out = arma::cumsum(in);""",
        include="#define ARMA_DONT_USE_WRAPPER\n#include <armadillo>",
        version=dotted("ARMA_VERSION_MAJOR", "ARMA_VERSION_MINOR", "ARMA_VERSION_PATCH"),
        needs="Armadillo",
    ),
    openmp("g++", "simd"),
    openmp("g++", "parallel for"),
    openmp("clang++", "simd"),
    openmp("clang++", "parallel for"),
]


def serve(entry: Entry) -> None:
    """Answers cumsum --exec."""
    assert entry.plug
    plug, version = entry.plug()
    importlib.import_module("cumsum").serve(
        plug,
        name=entry.name,
        version=version,
        types=entry.types,
        sums=("inclusive",),
        directions=("increasing",),
    )


def compile_plug(entry: Entry, folder: Path) -> list[str]:
    """The command of a plug of C++."""
    compiler = entry.compiler or os.environ.get("CXX", "c++")
    if not shutil.which(compiler):
        raise Missing(f"there is no {compiler}")
    cases = "".join(
        f"    if (r->type == CUMSUM_EXEC_{name.upper()})\n"
        f"        return lines<{CXX_TYPES[name]}>(r);\n"
        for name in entry.types
    )
    # No template: clang 14 breaks down over OpenMP's inscan in one.
    scans = "".join(
        f"static void scan(const {CXX_TYPES[name]} *x, {CXX_TYPES[name]} *y, std::ptrdiff_t n) {{\n"
        f"    using T [[maybe_unused]] = {CXX_TYPES[name]};\n    {entry.scan}\n}}\n\n"
        for name in entry.types
    )
    text = PLUG
    for place, words in {
        "INCLUDE": entry.include,
        "SCANS": scans,
        "CASES": cases,
        "VERSION": f"std::string() + {entry.version}",
        "SUMS": "TOTAL" if entry.total else "INCLUSIVE",
        "NAME": entry.name,
        "TYPES": " ".join(name.upper() for name in entry.types),
    }.items():
        text = text.replace(f"@{place}@", words)
    source = folder / "plug.cpp"
    source.write_text(text)
    plug = str(folder / "plug")
    command = [compiler, "-std=c++17", "-O2", f"-I{INCLUDE}", str(source), "-o", plug]
    made = subprocess.run([*command, *entry.options], capture_output=True, text=True)
    if made.returncode:
        first = next((s for s in made.stderr.splitlines() if "error" in s), made.stderr)
        print(f"atlas.py: {entry.name}: {first}", file=sys.stderr)
        raise Missing(f"{entry.needs} is not installed, or does not compile")
    return [plug]


@dataclass
class Answer:
    """What is known of an implementation."""

    version: str = ""
    missing: str = ""
    found: dict[str, dict[str, Any]] = field(default_factory=dict)  # by type


def ask(entry: Entry, program: str, folder: Path) -> Answer:
    try:
        if entry.plug:
            version = entry.plug()[1]
            command = [sys.executable, str(HERE), "--serve", entry.name]
        elif entry.script:
            version = onnxruntime_version()
            command = ["node", str(HERE.parent / entry.script)]
        else:
            command = compile_plug(entry, folder)
            version = subprocess.run([*command, "-"], capture_output=True, text=True).stdout.strip()
    except ImportError as error:
        return Answer(missing=f"Python has no {error.name}")
    except Missing as error:
        return Answer(missing=str(error))
    places = [name for name in ("PYTHONPATH", "NODE_PATH") if name in os.environ]
    kept = [f"{name}={os.environ[name]}" for name in places]
    environment = ["env", f"OMP_NUM_THREADS={entry.threads}", *kept]
    answer = Answer(version)
    for name in entry.types:
        answer.found[name] = fingerprint(program, shlex.join(environment + command), name)
    return answer


def fingerprint(program: str, command: str, name: str) -> dict[str, Any]:
    run = subprocess.run(
        [program, "fingerprint", "--json", "--type", name, "--exec", command],
        capture_output=True,
        text=True,
    )
    events = [json.loads(line) for line in run.stdout.splitlines()]
    found = next((e for e in events if e["event"] == "fingerprint"), None)
    if found:
        return dict(found)
    print(f"atlas.py: {name}: {run.stderr.strip()}", file=sys.stderr)
    return {}


def cells(found: dict[str, Any]) -> list[str]:
    """Order, sums, -0, and what the bits depend on, in words."""
    order = " or ".join([found["order"], *found.get("also", [])])
    if "limit" in found and "length" not in found.get("dependsOn", []):
        order += f" up to {found['limit']:,}"
    sums = " ".join(filter(None, (found.get("accumulator", ""), found.get("store", ""))))
    zero = ""
    if "minusZero" in found:
        kept = found.get("minusZeros")
        zero = "-0" if found["minusZero"] else "+0"
        if kept is not None:
            zero = "either" if kept == "any" else f"-0 in the first {kept}".removesuffix(" 1")
    return [order, sums, zero, ", ".join(found.get("dependsOn", []))]


def tables(answers: dict[str, Answer]) -> str:
    text = ""
    for name in TYPES:
        rows = [["implementation", "order", "sums", "-0 alone", "other bits with"], ["---"] * 5]
        for entry in ENTRIES:
            answer = answers.get(entry.name)
            if answer and answer.found.get(name):
                rows.append([entry.name, *cells(answer.found[name])])
        if len(rows) > 2:
            text += f"\n## {name.upper()}\n\n"
            text += "".join(re.sub(" +", " ", f"| {' | '.join(row)} |\n") for row in rows)
    return text


def listed(answers: dict[str, Answer]) -> str:
    """What was asked, and what was not."""
    ran, missing = "", ""
    for entry in ENTRIES:
        answer = answers.get(entry.name)
        threads = f", {entry.threads} threads" if entry.threads > 1 else ""
        note = f" {entry.note}" if entry.note else ""
        if answer and answer.missing:
            missing += wrapped(f"- {entry.name}, {entry.what}: {answer.missing}.")
        elif answer:
            failing = [name.upper() for name, found in answer.found.items() if not found]
            note += f" It fails for {' and '.join(failing)}." if failing else ""
            ran += wrapped(f"- {entry.name}, {answer.version}{threads}: {entry.what}.{note}")
    return f"\n## What ran\n\n{ran}" + (f"\n## Not run here\n\n{missing}" if missing else "")


def wrapped(text: str) -> str:
    return textwrap.fill(text, 100, subsequent_indent="  ", break_on_hyphens=False) + "\n"


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(": ")[1] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.machine()
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


DOCUMENT = """\
# Who adds how: an atlas

Implementations of the cumulative sum, and the orders in which they add. The script
[atlas.py](../examples/exec/atlas.py) asked each of them with
[`cumsum fingerprint`](fingerprint.md) and wrote this page:

    examples/exec/atlas.py --write docs/atlas.md

{machine}

Which versions ran is [below](#what-ran): those of this system's packages, and ONNX Runtime of npm.
[performance.md](performance.md) has the speed of other ones, which come from Debian sid.

A row says what gave every bit of the lines that were examined: 1,024 of 128 elements, of which the
trees of additions are known, and 24 of 65,539. The columns:

- **order**: as in the table of [fingerprint](fingerprint.md). `unnamed` trees add two
  terms at a time in another order. `unstable`: the same elements gave other bits. `none`: no trees
  of such additions give the sums.
- **sums**: the format of the accumulator, and of FLOAT16 how it is stored.
- **-0 alone**: what the sum of terms is that are all -0.
- **other bits with**: what changes the bits, although the elements are the same: another of the
  `runs`, another `line` of the array, the number of `lines` that are summed at once, the `length`
  of the line, the `place` in a long line, the `layout`. Empty: none of these that was asked.
  Python's libraries get all lines at once, functions of C++ one after the other.

oneTBB, on which `par` of libstdc++ and TBB of Thrust run, takes as many threads as there are cores.

Integers have one sum in every order. A plug is a few lines in the script: a function of Python over
`cumsum.serve`, or of C++ over [cumsum/exec.h](../include/cumsum/exec.h), compiled with `-O2`.
"""


def document(answers: dict[str, Answer]) -> str:
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    month = time.strftime("%B %Y")
    machine = textwrap.fill(f"The machine, in {month}: {processor()}; {system}.", 100)
    from sum_atlas import section  # needs NumPy

    head = DOCUMENT.replace("{machine}", machine)
    return head + tables(answers) + section() + listed(answers)


def check(path: Path) -> int:
    """Whether a document names all implementations, and no other: 0 if so."""
    text = path.read_text()
    lists = text[text.index("## What ran") :].replace("\n  ", " ")
    found = [line for line in lists.splitlines() if line.startswith("- ")]
    wrong = [e.name for e in ENTRIES if sum(line.startswith(f"- {e.name}") for line in found) < 1]
    if wrong or len(found) != len(ENTRIES):
        print(f"{path}: {len(found)} implementations, not {len(ENTRIES)}; missing: {wrong}")
    return int(bool(wrong) or len(found) != len(ENTRIES))


def main() -> int:
    parser = argparse.ArgumentParser(description="How the cumulative sums of libraries add.")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="these implementations")
    parser.add_argument("--write", metavar="FILE", type=Path, help="write the document")
    parser.add_argument("--check", metavar="FILE", type=Path, help="does it name all of them?")
    parser.add_argument("--list", action="store_true", help="name them")
    parser.add_argument("--serve", metavar="NAME", help="answer cumsum --exec as this one")
    arguments = parser.parse_args()
    if arguments.serve:
        serve(next(entry for entry in ENTRIES if entry.name == arguments.serve))
    if arguments.check:
        return check(arguments.check)
    chosen = [e for e in ENTRIES if fnmatch.fnmatch(e.name.lower(), arguments.only.lower())]
    if arguments.list:
        print("\n".join(entry.name for entry in chosen))
        return 0
    answers = {}
    for entry in chosen:
        print(f"atlas.py: {entry.name}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            answers[entry.name] = ask(entry, os.environ.get("CUMSUM", "cumsum"), Path(folder))
    if arguments.write:
        arguments.write.write_text(document(answers))
    else:
        print(tables(answers) + listed(answers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
