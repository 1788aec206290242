# SPDX-License-Identifier: MIT
"""serve(): its arguments. tests/implementation tests the protocol."""

import importlib.util
import subprocess
import sys

import cumsum
import pytest

if sys.byteorder != "little":
    pytest.skip("the protocol needs a little-endian machine", allow_module_level=True)


def f(x, *, axis, exclusive, reverse):
    return x


def test_bfloat16():
    if importlib.util.find_spec("ml_dtypes"):
        pytest.skip("ml_dtypes is installed")
    with pytest.raises(ImportError, match="types has 'bfloat16', for which .* ml_dtypes"):
        cumsum.serve(f, types=["float32", "bfloat16"])


def test_end():
    """The process ends with its input, and reports input that is no frame."""
    program = [sys.executable, "-c", "import cumsum; cumsum.serve(lambda x: x); print('not here')"]
    for given, status in ((b"", 0), (b"cumsum --help\n", 1)):
        end = subprocess.run(program, input=given, capture_output=True)
        assert (end.returncode, end.stdout) == (status, b"")
        assert (b"<lambda>: " in end.stderr) == bool(status)
