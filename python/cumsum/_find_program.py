# SPDX-License-Identifier: MIT
"""Where the program `cumsum` is."""

from __future__ import annotations

import os
import pathlib
import shutil


def find_program() -> str | None:
    """The path of the program: the package's own, or the first in PATH that is no script of this
    package; None if there is none."""
    own = pathlib.Path(__file__).with_name("cumsum" if os.name == "posix" else "cumsum.exe")
    if own.is_file():
        return str(own)
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        found = shutil.which("cumsum", path=folder) if folder else None
        if found and not _is_script(found):
            return found
    return None


def _is_script(path: str) -> bool:
    """pip's, which would only come back here."""
    with open(path, "rb") as program:
        start = program.read(4096)
    return start.startswith(b"#!") and b"cumsum.__main__" in start
