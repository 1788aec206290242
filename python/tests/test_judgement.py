# SPDX-License-Identifier: MIT
"""judge(): it passes outputs that some order of additions gives, and finds planted faults."""

import copy
import html
import json
import pathlib
import pickle
import subprocess
import sys

import cumsum
import numpy
import pytest
from array_samples import TYPES, numpy_sum, random_values


JUDGED = [*TYPES, *map(numpy.dtype, ("float64", "int8", "uint8", "int16", "uint16"))]


def sample(dtype):
    rng = numpy.random.default_rng(1)
    if dtype.kind == "f":
        return rng.standard_normal((5, 40)).astype(dtype)
    return random_values(rng, (5, 40), dtype)


@pytest.mark.parametrize("dtype", JUDGED, ids=str)
def test_one_wrong_output_is_found(dtype):
    """Of integers one bit of the greatest sum, or of the least one, which has a sign."""
    x = sample(dtype)
    y = numpy_sum(x, 1)
    assert dtype.kind == "f" or cumsum.judge(x, y, 1).worst is None
    right, sums = y.copy(), y[3, 1:]
    place = 3, 1 + int(sums.argmin() if dtype.kind == "i" else sums.argmax())
    y.view(f"i{dtype.itemsize}")[place] ^= 1 << 4 * dtype.itemsize if dtype.kind == "f" else 1
    judgement = cumsum.judge(x, y, 1)
    assert not judgement and judgement.error_class == "FAIL" and judgement.counts["FAIL"] == 1
    assert judgement.first == judgement.worst
    first = judgement.first
    assert first.coordinates == place and first.terms == place[1] + 1 and first.verdict == "FAIL"
    assert first.actual == y[place] and not first.lower <= first.actual <= first.upper
    assert first.dtype == dtype.name and type(first.actual) is type(y[place].item())
    assert first.expected == pytest.approx(right[place], rel=1e-2 if dtype == "f2" else 1e-6)
    assert first.ulps == 1 or dtype.kind == "f" and first.ulps > 30
    assert f"actual {y[place]} (" in judgement.report or dtype.kind == "f"
    assert str(judgement).startswith("FAIL: 1 of 200 outputs") and str(judgement) in repr(judgement)
    shown = str(list(place)).replace(" ", "")
    assert shown in judgement.report and shown in judgement._repr_html_()


def test_judgements_as_data():
    """They can be kept and pickled, which pytest-xdist does to send them to another process."""
    x = sample(numpy.dtype("float32"))
    good, bad = (cumsum.judge(x, y, 1) for y in (cumsum.cumsum(x, 1), x))
    for judgement in (good, bad):
        assert pickle.loads(pickle.dumps(judgement)) == judgement == copy.deepcopy(judgement)
        assert json.loads(json.dumps(judgement.to_dict()))["class"] == judgement.error_class
        assert judgement._repr_html_() == f"<pre>{html.escape(judgement.report)}</pre>"
    assert hash(good) == hash(cumsum.judge(x, cumsum.cumsum(x, 1), 1)) and len({good, bad}) == 2
    assert good.to_dict()["orders"][0]["order"] == "sequential"


def test_which_is_nearer():
    x = sample(numpy.dtype("float32"))
    sums = [cumsum.cumsum(x, 1, order=order) for order in ("exact", "sequential")]
    both = [cumsum.judge(x, y, 1, measure=True) for y in sums]
    near, far = (judgement.to_dict()["errors"]["meanMagnitude"] for judgement in both)
    assert near < far and "their mean magnitude" in both[1].report
    assert "errors" not in cumsum.judge(x, cumsum.cumsum(x, 1), 1).to_dict()


def test_explanations():
    """What y is instead of the sums is in the text and in the members."""
    x = sample(numpy.dtype("float32"))
    judgement = cumsum.judge(x, cumsum.cumsum(x, 1, exclusive=True), 1)
    assert "exclusive sums" in str(judgement)
    assert judgement.to_dict()["explanation"]["hypothesis"] == "exclusive"


def test_orders():
    x = sample(numpy.dtype("float32"))
    matches = cumsum.judge(x, cumsum.cumsum(x, 1, order="blocked"), 1).orders
    assert [match.order for match in matches] == ["blocked"]
    few = numpy.ones(2, numpy.float32)
    assert len(cumsum.judge(few, cumsum.cumsum(few), orders="all").orders) > 3
    assert cumsum.judge(few, cumsum.cumsum(few), orders="none").orders == ()


def test_promised_arithmetic():
    x = numpy.full(300, 0.1, numpy.float16)
    narrow = cumsum.cumsum(x, half_accumulator="float16")
    assert cumsum.judge(x, narrow).orders[0].half_accumulator == "float16"
    assert "binary16" in cumsum.judge(x, narrow).models
    assert not cumsum.judge(x, narrow, half_accumulator="float32")
    assert cumsum.judge(x, narrow, half_accumulator="float16")
    assert not cumsum.judge(x, cumsum.cumsum(x, half_store="toward-zero"), half_store="ieee")


def test_strictness():
    zeros = numpy.zeros(3, numpy.float32)
    assert cumsum.judge(zeros, -zeros)
    assert not cumsum.judge(zeros, -zeros, rules="zero=signed")
    x = numpy.array([3e38, -3e38, 3e38, -3e38, 3e38], numpy.float32)
    y = numpy.array([3e38, 0, 3e38, 0, numpy.inf], numpy.float32)
    assert cumsum.judge(x, y) and not cumsum.judge(x, y, accept="decided")
    assert cumsum.judge(x, y).error_class == "may-overflow"
    assert cumsum.judge(x, y, accept="decided", reachable=True).error_class == "worst-case"
    y[4] = -3e38
    assert cumsum.judge(x, y, reachable=True).first.decided


def test_assertion():
    x = numpy.full(300, 0.1, numpy.float32)
    y = cumsum.cumsum(x)
    cumsum.assert_cumsum(x, y)
    exact = cumsum.cumsum(x, order="exact", reverse=True)
    cumsum.assert_cumsum(x, exact, 0, at_most="one", reverse=True)
    with pytest.raises(AssertionError, match=r"^at_most='one' asks .* h<=1 .* is worst-case \(h=4"):
        cumsum.assert_cumsum(x, y, at_most="one")
    y[3] = 7
    with pytest.raises(AssertionError, match=r"(?s)^FAIL: 1 of 300 outputs.*\[3\]"):
        cumsum.assert_cumsum(x, y)


X = numpy.full(300, 0.1, numpy.float32)
Y = cumsum.cumsum(X)
WRONG = Y.copy()
WRONG[200], WRONG[250] = 7, -1e30

FAILING_TESTS = """
import cumsum
from array_samples import lost_carry
from test_judgement import X as x, Y as y, WRONG as wrong
long, lost = lost_carry()
def test_suspect(): assert cumsum.judge(long, lost)
def test_accepted(): assert cumsum.judge(long, lost, accept='suspect')
def test_expression(): assert cumsum.judge(x, wrong)
def test_name():
    verdict = cumsum.judge(x, wrong)
    assert verdict
def test_function(): cumsum.assert_cumsum(x, wrong)
def test_class(): cumsum.assert_cumsum(x, y, at_most="h<=1")
def test_another(): assert cumsum.judge(x, y) and wrong.size == 0
"""


def test_plugin_of_pytest(tmp_path):
    """A failing test shows the verdict; one that fails for another reason does not."""
    path = f"import sys; sys.path.append({str(pathlib.Path(__file__).parent)!r})"
    (tmp_path / "test_failing.py").write_text(path + FAILING_TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--rootdir", tmp_path]
    result = subprocess.run([*command, tmp_path], capture_output=True, text=True, check=False)
    assert "6 failed, 1 passed" in result.stdout, result.stdout + result.stderr
    assert result.stdout.count(" cumsum's verdict ---") == 3  # the others say it themselves
    assert "\nSUSPECT: the error jumps by " in result.stdout
    assert "; 131072 of 262144 outputs are suspect: " in result.stdout
    report = cumsum.judge(X, WRONG).report
    assert result.stdout.count("\n" + report) == 2  # sections
    assert "E   AssertionError: " + report.splitlines()[0] in result.stdout
    assert "E   AssertionError: at_most='h<=1' asks for the class h<=1 or better" in result.stdout


def test_bfloat16_of_numpy():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = numpy.random.default_rng(3).standard_normal((5, 40)).astype(ml_dtypes.bfloat16)
    y = numpy.cumsum(x.astype("float32"), 1, dtype="float32").astype(ml_dtypes.bfloat16)
    judgement = cumsum.judge(x, y, 1)
    assert judgement.models[0] == "binary32-nearest-even"
    with pytest.raises(TypeError, match="y has type uint16, but x has type bfloat16"):
        cumsum.judge(x, y.view("uint16"), 1)


class Bits(numpy.ndarray):
    """Its type has the name that ml_dtypes gives to bfloat16."""

    @property
    def dtype(self):
        return type("dtype", (), {"name": "bfloat16", "kind": "V"})()

    @dtype.setter
    def dtype(self, value):
        pass


def test_bfloat16_of_a_stand_in():
    x = numpy.array([0x3F80, 0x3F80, 0x4000], "uint16").view(Bits)  # 1, 1, 2
    y = numpy.array([0x3F80, 0x4000, 0x4080], "uint16").view(Bits)
    assert cumsum.judge(x, y).models[0] == "binary32-nearest-even"
    from_number = numpy.array([0x4060, 0x4090, 0x40D0], "uint16").view(Bits)  # 3.5, 4.5, 6.5
    assert cumsum.judge(x, from_number, initial=2.5)
    assert not cumsum.judge(x, from_number, initial=2)
    assert cumsum.judge(x, from_number, initial=numpy.nan).counts == {"FAIL": 3}
    with pytest.raises(TypeError, match="y has type uint16, but x has type bfloat16"):
        cumsum.judge(x, numpy.ones(3, "uint16"))


def test_profiles():
    x = numpy.array([1, 2**24, 1], "float32")
    y = numpy.array([1, 2**24, 2**24 + 2], "float32")
    assert cumsum.judge(x, y, rules="ieee")
    assert not cumsum.judge(x, y, rules="sycl")
    assert cumsum.judge(x, y, rules="sycl,order=any")
    with pytest.raises(AssertionError):
        cumsum.assert_cumsum(x, y, rules="sycl")
    tiny = numpy.array([2**-130], "float32")
    zero = numpy.zeros(1, "float32")
    assert cumsum.judge(tiny, zero, rules="wgsl")
    assert not cumsum.judge(tiny, zero, rules="ieee")
    infinite = numpy.array([numpy.inf], "float32")
    unknown = cumsum.judge(infinite, zero, rules="vulkan")
    assert unknown and unknown.counts == {"may-overflow": 1}
    assert cumsum.judge(x, -x, rules="ieee") == cumsum.judge(x, -x, rules="ieee,zero=signed")


@pytest.mark.parametrize(
    "types, dtype, expected",
    [
        ("numpy", "uint8", "uint64"),
        ("numpy", "bool", "int64"),
        ("torch", "uint8", "int64"),
        ("array-api", "int16", "int64"),
        ("onnx", "uint8", "uint8"),
        ("numpy", "float16", "float16"),
        ("torch", "complex64", "complex64"),
    ],
)
def test_types_of_sums(types, dtype, expected):
    x = numpy.array([100, 100, 100]).astype(dtype)
    y = numpy.cumsum(x, dtype=expected)
    assert cumsum.judge(x, y, types=types)
    other = "uint8" if expected != "uint8" else "uint64"
    if numpy.dtype(dtype).kind in "iu" and numpy.dtype(dtype).itemsize == 1:
        found = cumsum.judge(x, numpy.cumsum(x, dtype=other), types=types)
        names = [name.upper() for name in (other, dtype, expected)]
        text = f"the type is {names[0]}, and {types} sums {names[1]} in {names[2]}"
        assert not found and found.verdict == "FAIL" and found.unmet == (text,)
        assert found.text == f"FAIL: conformant, but {text}"
        assert found.to_dict()["unmet"] == [text]
        with pytest.raises(AssertionError, match=text):
            cumsum.assert_cumsum(x, numpy.cumsum(x, dtype=other), types=types)


def test_a_pass_counts_the_sums_that_wrapped():
    x = numpy.array([200, 200, 200], "uint8")
    found = cumsum.judge(x, numpy.cumsum(x, dtype="uint8"))
    assert found and "2 of 3 sums leave the range of UINT8, and wrap" in found.report
    assert found.to_dict()["notes"] == [{"note": "wrapped", "count": 2, "first": [1]}]
    assert "leave" not in cumsum.judge(x, numpy.cumsum(x, dtype="uint64")).report
    x = numpy.full((3, 2), 200, "uint8")
    found = cumsum.judge(x, numpy_sum(x, 0, reverse=True), 0, reverse=True)
    assert found.to_dict()["notes"] == [{"note": "wrapped", "count": 4, "first": [0, 0]}]
