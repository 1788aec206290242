# SPDX-License-Identifier: MIT
"""serve(): any function as an implementation that `cumsum --exec` examines."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any, Callable, Collection, Iterable, NoReturn

from ._words import DENORMALS, HALF_ACCUMULATORS, HALF_STORES, JUDGED_TYPES
from ._words import flag, integer_of, names_successors, word_in


def _dtypes(types: Iterable[str] | None) -> dict[str, Any]:
    """NumPy's types by their names: those that are asked for, or all."""
    import numpy

    dtypes: dict[str, Any] = {}
    for name in JUDGED_TYPES if types is None else types:
        word_in("types", name, JUDGED_TYPES)
        if name != "bfloat16":
            dtypes[name] = numpy.dtype(name)
            continue
        try:
            dtypes[name] = numpy.dtype(importlib.import_module("ml_dtypes").bfloat16)
        except ImportError:
            if types is not None:
                raise ImportError(
                    "types has 'bfloat16', for which NumPy needs the package ml_dtypes"
                ) from None
    return dtypes


def _words(argument: str, words: Iterable[str], existing: Collection[str]) -> list[str]:
    return [word_in(argument, word, existing).upper() for word in words]


def _word(argument: str, word: str | None, existing: Collection[str]) -> str | None:
    return None if word is None else word_in(argument, word, existing).upper().replace("-", "_")


@names_successors()
def serve(
    f: Callable[..., Any] | None,
    *,
    total: Callable[..., Any] | None = None,
    name: str | None = None,
    version: str = "",
    types: Iterable[str] | None = None,
    ranks: tuple[int, int] = (1, 8),
    strides: bool = True,
    directions: Iterable[str] = ("increasing", "decreasing"),
    sums: Iterable[str] = ("inclusive", "exclusive"),
    deterministic: bool | None = None,
    half_accumulator: str | None = None,
    half_store: str | None = None,
    denormals: str | None = None,
    rules: str | None = None,
    segments: bool = False,
    initial: bool = False,
) -> NoReturn:
    """Answers `cumsum --exec` with a function, until standard input ends; then it ends the process.

    f: called as f(x, axis=..., exclusive=..., reverse=...) with a NumPy array and a number from 0
        on. It returns the sums, an array of the type and shape of x that numpy.asarray() or
        numpy.from_dlpack() takes. If it raises NotImplementedError, the case is skipped, with the
        exception's text as the reason. Any other Exception fails the case. None: no scans.
    total: a reduction, called as total(x, axis=...) with a tuple of numbers from 0 on, such as
        lambda x, axis: numpy.sum(x, axis, dtype=x.dtype). It returns an array or a number of x's
        type, in which these axes have the size 1 or are missing. None: no totals.
    name, version: for reports. The name is otherwise that of f, or of total.
    types: "float32", "float16", "float64", "bfloat16", "int8" to "int64", "uint8" to "uint64";
        None means all. "bfloat16" needs the package ml_dtypes.
    ranks: the least and the greatest number of dimensions.
    strides: whether f takes arrays that are not packed. The output's strides are never f's concern.
    directions: of "increasing", "decreasing".
    sums: of "inclusive", "exclusive".
    deterministic: whether the same input always gives the same bits; None means unknown.
    half_accumulator, half_store, denormals: how f computes float16 and float32, by the words of
        cumsum(); None means unknown.
    rules: what judges the sums, by the words of judge(); None means any arithmetic.
    segments: whether f takes segments=...: None; the offsets at which all lines are cut, an array
        [0, the ends of the segments]; or a list of such arrays, one for each line.
    initial: whether f takes initial=...: None, or a number of x's type, the first term of each sum.

    From the call on, standard output is standard error. Raises ValueError, TypeError and
    ImportError for wrong arguments. """
    if sys.byteorder != "little":
        raise NotImplementedError("the protocol needs a little-endian machine")
    scans = () if f is None else tuple(sums)
    function = total if f is None else f
    if not callable(function):
        raise TypeError(f"f is {f!r}, and must be a function")
    if total is not None and not callable(total):
        raise TypeError(f"total is {total!r}, and must be a function")
    least, greatest = (integer_of("ranks", rank) for rank in ranks)
    if not 1 <= least <= greatest <= 8:
        raise ValueError(f"ranks is {ranks!r}, and must be two numbers from 1 to 8")
    if name is None:
        name = getattr(function, "__name__", type(function).__name__)
    said: dict[str, Any] = {
        "name": str(name),
        "version": str(version),
        "ranks": [least, greatest],
        "strides": flag("strides", strides),
        "directions": _words("directions", directions, ("increasing", "decreasing")),
        "sums": _words("sums", scans, ("inclusive", "exclusive")) + ["TOTAL"] * callable(total),
        "deterministic": None if deterministic is None else flag("deterministic", deterministic),
        "halfAccumulator": _word("half_accumulator", half_accumulator, HALF_ACCUMULATORS),
        "halfStore": _word("half_store", half_store, HALF_STORES),
        "denormals": _word("denormals", denormals, DENORMALS),
        "profile": None if rules is None else str(rules),
        "segments": flag("segments", segments) or None,
        "initial": flag("initial", initial) or None,
    }
    dtypes = _dtypes(types)
    ready = {member: value for member, value in said.items() if value is not None}
    ready["types"] = [name.upper() for name in dtypes]
    if os.isatty(0):
        print(
            f"{said['name']}: this program talks to the option --exec of cumsum, not to a terminal",
            file=sys.stderr,
        )
        sys.exit(2)
    sys.stdout.flush()
    from ._frames import Implementation, serve_frames

    implementation = Implementation(f, total, {JUDGED_TYPES[name]: dtypes[name] for name in dtypes}, ready)
    source, target = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # what libraries print
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # what child processes read
    os.close(nothing)
    try:
        with open(source, "rb", buffering=1 << 16) as frames:
            status = serve_frames(implementation, frames, target)
    except (EOFError, BrokenPipeError) as error:
        print(f"{said['name']}: {error}", file=sys.stderr)
        status = 1
    sys.exit(status)
