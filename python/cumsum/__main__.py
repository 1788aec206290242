# SPDX-License-Identifier: MIT
"""python -m cumsum: the program `cumsum`, which wheels contain."""

from __future__ import annotations

import os
import subprocess
import sys

from ._find_program import find_program


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
