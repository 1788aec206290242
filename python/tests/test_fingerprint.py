# SPDX-License-Identifier: MIT
"""fingerprint() and fingerprint_sum(): the program's answers about functions of this process."""

import io
import math
import re
import sys

import cumsum
import numpy
import pytest
from cumsum.__main__ import find_program

if sys.byteorder != "little":
    pytest.skip("the protocol of --exec needs a little-endian machine", allow_module_level=True)
if find_program() is None:
    pytest.skip("there is no program cumsum", allow_module_level=True)


def numpy_sums(x):
    return numpy.cumsum(x, -1, dtype=x.dtype)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "dtype, bits", [("float32", 32), ("float64", 64), ("complex64", 32), ("complex128", 64)]
)
def test_numpy(dtype, bits):
    """Without a warning, although some sums overflow."""
    found = cumsum.fingerprint(numpy_sums, dtype, length=16)
    assert found and found.order == "sequential" and found.accumulator == f"binary{bits}"
    assert found.minus_zero and found.denormals == "preserve"
    assert found.checks[0][:2] == ("runs", "same") and found.depends_on == ()
    assert str(found) == f"sequential; sums in binary{bits}"


@pytest.mark.filterwarnings("error")
def test_sums():
    """NumPy halves what is longer than 128; docs/python.md has shorter sums and a tree."""
    found = cumsum.fingerprint_sum(numpy.sum, "float64", length=512)
    assert found.name == "strided-8-128 of pairwise" and str(found) == f"512 terms: {found.name}"
    scaled = cumsum.fingerprint_sum(lambda x: numpy.sum(x * x.dtype.type(4)) / 4, "float16")
    assert scaled.length == 128  # its large number overflows
    assert cumsum.fingerprint_sum(math.fsum).name == "exact"
    nothing = cumsum.fingerprint_sum(lambda x: 0.5)
    assert nothing.name is None and nothing.tree is None and str(nothing) == "128 terms: no tree"


def test_options():
    """The answer about the package itself: a fixed order, the other direction and sum."""
    options = {"reverse": True, "exclusive": True}
    found = cumsum.fingerprint(
        lambda x: cumsum.cumsum(x, -1, order="blocked", half_store="ieee", **options),
        "float16",
        length=64,
        **options,
    )
    assert found.order == "blocked" and found.also == () and found.limit is None
    assert found.store == "ieee" and str(found).endswith("; sums in binary32, stored ieee")


def test_no_order():
    found = cumsum.fingerprint(lambda x: x)
    assert not found and found.order == "none"
    assert str(found).startswith("none: output 1 of a line of units, each 1, is not 2 of them")


def test_dependences():
    """Other bits make the answer false, and are named."""
    runs = []

    def alternating(x):
        runs.append(x.shape)
        return numpy_sums(x) if len(runs) % 2 else numpy_sums(x.astype("f8")).astype("f4")

    def zero_behind_128(x):
        y = numpy_sums(x)
        y[:, 128:] = 0
        return y

    found = cumsum.fingerprint(alternating)
    assert not found and found.order == "unstable" and found.depends_on == ("runs",)
    assert str(found) == "unstable: the bits depend on the run"
    found = cumsum.fingerprint(zero_behind_128)
    assert not found and found.order == "sequential" and found.depends_on == ("place",)
    assert found.limit == 128
    assert str(found).startswith("sequential of the first 128 terms, then another; sums in ")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("place", [Terminal, io.StringIO])
@pytest.mark.parametrize(
    "function, calls", [(cumsum.fingerprint, 30), (cumsum.fingerprint_sum, 10)]
)
def test_progress(monkeypatch, place, function, calls):
    """A slow function shows how far it is, on a terminal, and leaves nothing behind there."""
    monkeypatch.setattr("cumsum._program._FIRST_AFTER", 0)
    monkeypatch.setenv("TERM", "xterm")
    with place() as shown:
        monkeypatch.setattr(sys, "stderr", shown)
        function(numpy_sums if calls == 30 else numpy.sum, length=16)
        text = shown.getvalue()
    if place is not Terminal:
        assert text == ""
        return
    lines = text.split("\r\033[K")
    assert lines[0] == lines[-1] == "" and len(lines) > calls / 2
    name = function.__name__
    assert re.fullmatch(rf"{name}: call 1 of about {calls}: \d+ x \d+ elements", lines[1])


def test_exceptions(monkeypatch):
    """The function's exception arrives, and nothing goes on."""
    calls = []

    def fail(x):
        calls.append(x.shape)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        cumsum.fingerprint(fail)
    assert len(calls) == 1
    for wrong in (lambda x: x[:1], lambda x: x.astype("f8"), lambda x: "text", lambda x: None):
        with pytest.raises(ValueError, match="must return the same type and shape"):
            cumsum.fingerprint(wrong)
    with pytest.raises(RuntimeError, match="option --length: '3' is not a number from 4 to 2048"):
        cumsum.fingerprint(numpy_sums, length=3)
    for length in (1, 2049):
        with pytest.raises(RuntimeError, match=f"'{length}' is not a number from 4 to 2048"):
            cumsum.fingerprint_sum(numpy.sum, length=length)
    monkeypatch.setattr("cumsum._program.find_program", lambda: None)
    with pytest.raises(FileNotFoundError, match="needs the program 'cumsum'.* not in PATH"):
        cumsum.fingerprint(numpy_sums)
