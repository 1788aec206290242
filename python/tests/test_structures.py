# SPDX-License-Identifier: MIT
"""The structures that _library.py declares are as large as those of the headers."""

import ctypes
import inspect
import os
import subprocess

import pytest
from cumsum import _library


def test_sizes():
    program = os.environ.get("CUMSUM_PRINT_STRUCTURES")
    if program is None:
        pytest.skip("CUMSUM_PRINT_STRUCTURES is not the program that the build makes")
    shown = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    sizes = {name: int(size) for name, size in (line.split() for line in shown.splitlines())}
    declared = {
        name: ctypes.sizeof(kind)
        for name, kind in vars(_library).items()
        if inspect.isclass(kind) and issubclass(kind, ctypes.Structure) and name != "Structure"
    }
    assert declared == sizes
