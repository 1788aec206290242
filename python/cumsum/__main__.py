# SPDX-License-Identifier: MIT
"""python -m cumsum: the program `cumsum`, which wheels contain."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys


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


def main() -> int:
    """Becomes the program, with the arguments of this one."""
    program = find_program()
    if program is None:
        print(
            "cumsum: this installation of the Python package has no program `cumsum`, and there is "
            "none in PATH; the Debian package cumsum has it",
            file=sys.stderr,
        )
        return 3
    if os.name == "posix":
        os.execv(program, ["cumsum", *sys.argv[1:]])
    return subprocess.run([program, *sys.argv[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
