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


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"types": ("float32", "float")}, ValueError, "types is 'float', and must be one of 'fl"),
        ({"types": "float32"}, ValueError, "types is 'f', and must be one of"),
        ({"ranks": (0, 4)}, ValueError, r"ranks is \(0, 4\), and must be two numbers from 1 to 8"),
        ({"ranks": (3, 2)}, ValueError, "must be two numbers from 1 to 8"),
        ({"ranks": (1, 2.5)}, TypeError, "ranks is 2.5, and must be an integer"),
        ({"strides": 1}, TypeError, "strides is 1, and must be True or False"),
        ({"directions": ["up"]}, ValueError, "directions is 'up'"),
        ({"sums": ["both"]}, ValueError, "sums is 'both'"),
        ({"deterministic": "yes"}, TypeError, "deterministic is 'yes'"),
        ({"half_accumulator": "float64"}, ValueError, "half_accumulator is 'float64'"),
        ({"half_store": "NEAREST_EVEN"}, ValueError, "half_store is 'NEAREST_EVEN'"),
        ({"denormals": ""}, ValueError, "denormals is ''"),
        ({"total": "sum"}, TypeError, "total is 'sum', and must be a function"),
    ],
)
def test_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        cumsum.serve(f, **arguments)


def test_no_function():
    with pytest.raises(TypeError, match="f is 3, and must be a function"):
        cumsum.serve(3)


def test_bfloat16():
    if importlib.util.find_spec("ml_dtypes"):
        pytest.skip("ml_dtypes is installed")
    with pytest.raises(ImportError, match="types has 'bfloat16', for which NumPy needs.* ml_dtypes"):
        cumsum.serve(f, types=["float32", "bfloat16"])


def test_end():
    """The process ends with its input, and reports input that is no frame."""
    program = [sys.executable, "-c", "import cumsum; cumsum.serve(lambda x: x); print('not here')"]
    for given, status in ((b"", 0), (b"cumsum --help\n", 1)):
        end = subprocess.run(program, input=given, capture_output=True)
        assert (end.returncode, end.stdout) == (status, b"")
        assert (b"<lambda>: " in end.stderr) == bool(status)
