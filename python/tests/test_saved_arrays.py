# SPDX-License-Identifier: MIT
"""assert_cumsum(save=FOLDER): the arrays of a failing assertion as files, and what the program says
of them."""

import pathlib
import shlex
import shutil
import subprocess

import cumsum
import numpy
import pytest
from cumsum._arrays import BfloatBits
from cumsum._find_program import find_program

TOOLS = pathlib.Path(cumsum.__file__).parents[2] / "tools"  # of the build tree
X = numpy.random.default_rng(1).standard_normal((3, 12)).astype("float32")


def failure(x, y, *more, **options):
    with pytest.raises(AssertionError) as caught:
        cumsum.assert_cumsum(x, y, *more, **options)
    return str(caught.value)


def exclusive(x, axis, dtype):
    y = numpy.cumsum(x, axis, dtype=dtype)
    return y - x


FAULTS = {
    "they are the sums along axis 0": (numpy.cumsum(X, 0, dtype="f4"), 1, {}),
    "the exclusive sums": (exclusive(X, 1, "f4"), 1, {}),
    "the decreasing sums": (numpy.cumsum(X[:, ::-1], 1, dtype="f4")[:, ::-1], -1, {}),
    "the inclusive sums": (numpy.cumsum(X, 1, dtype="f4"), 1, {"exclusive": True}),
    "the increasing sums": (numpy.cumsum(X, 0, dtype="f4"), 0, {"reverse": True}),
    "NaN in place of the sums": (numpy.full_like(X, numpy.nan), 1, {"strict_zero": True}),
}


@pytest.mark.parametrize("sentence", FAULTS)
def test_the_program_says_more(sentence, tmp_path, monkeypatch):
    """The text has what the program prints, and the command in it prints the same."""
    if not shutil.which("cumsum", path=TOOLS):
        pytest.skip("this build has no program cumsum")
    monkeypatch.setenv("PATH", str(TOOLS), prepend=":")
    y, axis, options = FAULTS[sentence]
    text = failure(X, y, axis, save=tmp_path / "a folder", **options)
    assert text.startswith("FAIL: 36 outputs: ") and sentence in text
    assert "      the line around [" in text and text.endswith("0 passed, 1 failed, 0 skipped")
    command, _, said = text[text.index("cumsum judge") :].partition(" says:\n")
    printed = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    assert printed.returncode == 1 and printed.stdout.rstrip() == said
    assert (numpy.load(tmp_path / "a folder" / "x.npy") == X).all()


def test_the_class(tmp_path, monkeypatch):
    if not shutil.which("cumsum", path=TOOLS):
        pytest.skip("this build has no program cumsum")
    monkeypatch.setenv("PATH", str(TOOLS), prepend=":")
    x = numpy.full(300, 0.1, "float32")
    text = failure(x, cumsum.cumsum(x), at_most="h<=1", save=tmp_path)
    assert text.startswith("the class is any-order (h=43.5), and must be h<=1 or better\nPASS: ")
    assert "--min-class 'h<=1' says:\nFAIL " in text and "must be h<=1 or better" in text


def test_nothing_is_written_unasked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    y = numpy.cumsum(X, 1, dtype="f4")
    cumsum.assert_cumsum(X, y, 1, save="unused")
    text = failure(X, y + 1, 1, strict=True, reachable=True, half_store="ieee")
    assert text.splitlines()[-1] == (
        "cumsum judge --input x.npy --actual y.npy --axis 1 --strict --reachable --half-store ieee "
        "says more: what y is instead, and the line around it; save=FOLDER writes the two files"
    )
    assert list(tmp_path.iterdir()) == []


def test_without_the_program(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    if find_program():
        pytest.skip("the package has its own program, as in a wheel")
    text = failure(X[::-1, ::2], X[::-1, ::2] + 1, 0, save=str(tmp_path))
    assert text.endswith(f"--actual {shlex.quote(str(tmp_path / 'y.npy'))} --axis 0 says more")
    assert (numpy.load(tmp_path / "y.npy") == X[::-1, ::2] + 1).all()


@pytest.mark.parametrize("reverse", [False, True])
def test_initial_zeros(reverse, tmp_path, monkeypatch):
    """The program has no such option: x gets a 0, whose exclusive sums are the same."""
    monkeypatch.setenv("PATH", str(TOOLS), prepend=":")
    y = cumsum.cumsum(X, 1, include_initial=True, reverse=reverse)
    y[1, 5] += 1
    text = failure(X, y, 1, include_initial=True, reverse=reverse, save=tmp_path)
    assert "--exclusive" in text and numpy.load(tmp_path / "x.npy").shape == (3, 13)
    if shutil.which("cumsum", path=TOOLS):
        assert "1 of 39 outputs fails" in text or "1 of 39 outputs fail" in text


def test_what_cannot_be_written(tmp_path):
    """The assertion is what counts."""
    (tmp_path / "file").write_text("")
    text = failure(X, X, 1, save=tmp_path / "file")
    assert text.startswith("FAIL: 36 outputs: ")
    assert "\nsave: the arrays cannot be written: FileExistsError: " in text


def test_bfloat16(tmp_path, monkeypatch):
    """The file has the bits, and the command says what they are."""
    monkeypatch.setenv("PATH", str(TOOLS), prepend=":")
    x = BfloatBits(numpy.array([0x3F80, 0x3F80, 0x4000], "uint16"))  # 1, 1, 2
    y = BfloatBits(numpy.array([0x3F80, 0x4000, 0x4090], "uint16"))
    text = failure(x, y, save=tmp_path)
    assert "y.npy --axis 0 --type bfloat16 says" in text.replace("'", "")
    assert numpy.load(tmp_path / "y.npy").tolist() == [0x3F80, 0x4000, 0x4090]
    if shutil.which("cumsum", path=TOOLS):
        assert "BFLOAT16 3 axis 0 increasing inclusive" in text


def test_bfloat16_with_wider_sums(tmp_path):
    """A file of bits would be read as integers, so x is converted."""
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = torch.tensor([1.5, 2, 3]).bfloat16()
    text = failure(x, torch.tensor([1.5, 3.5, 7.5]), save=tmp_path)
    assert "--type" not in text and numpy.load(tmp_path / "x.npy").tolist() == [1.5, 2, 3]
