# SPDX-License-Identifier: MIT
"""What must agree with another text: the structures of _library.py with those of the headers, and
docs/python.md with the results that it shows."""

import ctypes
import doctest
import inspect
import os
import pathlib
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


DOCS = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_examples():
    result = doctest.testfile(str(DOCS), module_relative=False)
    assert result.attempted >= 5 and not result.failed
