# SPDX-License-Identifier: MIT
"""The command `cumsum judge` on the arrays of a failing assertion. The program finds what an output
is instead of the sum, which the library does not. Only a failing assert_cumsum() imports this
file."""

from __future__ import annotations

import os
import pathlib
import shlex
import subprocess
from typing import Any, Mapping

from ._arrays import judged
from ._find_program import find_program

_FLAGS = {
    "exclusive": "--exclusive",
    "reverse": "--decreasing",
    "strict": "--strict",
    "strict_zero": "--strict-zero",
    "reachable": "--reachable",
}
_WORDS = {
    "half_accumulator": "--half-accumulator",
    "half_store": "--half-store",
    "profile": "--profile",
}


def judge_command(
    folder: str | os.PathLike[str], axis: int, dtype: str, options: Mapping[str, Any]
) -> list[str]:
    """The words of the command, for the files x.npy and y.npy in a folder."""
    x, y = (os.path.join(folder, name) for name in ("x.npy", "y.npy"))
    words = ["cumsum", "judge", "--input", x, "--actual", y, "--axis", str(axis)]
    words += ["--type", dtype] if dtype == "bfloat16" else []
    words += [flag for name, flag in _FLAGS.items() if options[name]]
    words += ["--accept", "doubtful"] if options["doubtful"] else []
    for name, option in _WORDS.items():
        words += [] if options[name] is None else [option, options[name]]
    return words


def _run(words: list[str]) -> str:
    """What the command prints, or where it is not there, that it says more."""
    program = find_program()
    if program is None:
        return f"{shlex.join(words)} says more"
    result = subprocess.run(
        [program, *words[1:]], capture_output=True, encoding="utf-8", check=False
    )
    return f"{shlex.join(words)} says:\n{result.stdout}{result.stderr}".rstrip()


def save_and_explain(
    folder: str | os.PathLike[str], x: Any, y: Any, words: list[str]
) -> str:
    """Writes x.npy and y.npy, and returns what the command prints about them. A failure to write is
    only a part of the text: the assertion must be seen."""
    import numpy

    try:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
        for name, array in (("x", x), ("y", y)):
            numpy.save(os.path.join(folder, name + ".npy"), judged(name, array)[0])
    except Exception as error:
        return f"save: the arrays cannot be written: {type(error).__name__}: {error}"
    return _run(words)


def explain(words: list[str]) -> str:
    return (
        f"{shlex.join(words)} says more: what y is instead, and the line around it; save=FOLDER "
        "writes the two files"
    )
