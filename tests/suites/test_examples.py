# SPDX-License-Identifier: MIT
"""Each example of docs/for-suites.md, from bits: whether the suite's rule accepts it, and whether
it is right.

Right is what some tree gives whose additions round to nearest, as all specifications allow. Wrong
is what no tree of the suite's specification gives, even if it allows a wider sum. Both are found by
trying every tree; docs/for-suites.md has the specifications."""

import pathlib
import re
from fractions import Fraction

import anyorder
import count_errors
import cumsum
import numpy
import pytest
import rules
import sums
import trees
from count_errors import FLOATS, expected_by, opencl_scan, vulkan_scan, with_last

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "for-suites.md"
STRICT = {}
FLUSHING = {"flush_inputs": "may", "flush_results": "may"}
IEEE = {"wider": "allowed"}
OPENCL = FLUSHING | IEEE
# Without a better accuracy, by which anything nearer to the sum than a flushed 0 passes.
FLUSHED_NEIGHBOUR = {"rounding": "either"} | FLUSHING
NEIGHBOUR = FLUSHED_NEIGHBOUR | IEEE  # Vulkan, WGSL
NAN = {"float16": 0x7E00, "float32": 0x7FC00000, "float64": 0x7FF8000000000000}


def array(dtype, bits):
    unsigned = {"float16": "uint16", "float32": "uint32", "float64": "uint64"}[dtype]
    return numpy.array(bits, unsigned).view(dtype)


def ours(x, y):
    """Whether the oracle accepts y as the sum of x."""
    return bool(cumsum.judge(x, with_last(x, y), reachable=True))


def by_profile(profile, x, y):
    """Whether anyorder.h accepts it, with what the profile here says."""
    made = anyorder.profile("ieee", x.dtype.name, all_orders=True)
    made.rounding = ["nearest", "toward-zero", "either"].index(profile.get("rounding", "nearest"))
    made.flush_inputs = ["never", "may", "must"].index(profile.get("flush_inputs", "never"))
    made.flush_results = ["never", "may", "must"].index(profile.get("flush_results", "never"))
    made.wider = profile.get("wider") == "allowed"
    return anyorder.accepts_sum(made, x, y)


def opencl_last(group):
    return opencl_scan(group)[1]


def expected(rule):
    return expected_by(rule)[1]


def exact(x):
    """The exact sum, rounded: the expected values that WPT's files hold are numbers of another
    program."""
    return x.dtype.type(float(trees.form(x.dtype).nearest(sum(trees.numbers(x)))))


def wpt_scan(x, y):
    return rules.wpt_cumulative_sum(with_last(x, exact(x)), with_last(x, y))[-1]


def wpt_sum(x, y):
    return rules.wpt_reduce_sum(exact(x), y, len(x))


def directx(x, y):
    return rules.directx_wave_sum(x[0], len(x), y)


ACCEPTED_WRONG = {
    "VK-GL-CTS: 0.5 + 0.25 is 0.7500076": (
        vulkan_scan(64)[1], NEIGHBOUR, "float32", [0x3F000000, 0x3E800000], 0x3F400080),
    "VK-GL-CTS: 0.5 + 0.25 is 0.7500076, in binary64": (
        vulkan_scan(64)[1], NEIGHBOUR, "float64", [0x3FE0000000000000, 0x3FD0000000000000], 0x3FE8001000000000),
    "VK-GL-CTS: 0.5 + 0.09375 is 0.5": (
        vulkan_scan(64)[1], NEIGHBOUR, "float16", [0x3800, 0x2E00], 0x3800),
    "OpenCL-CTS: 1 + 1 is a NaN": (
        opencl_last(2), OPENCL, "float32", [0x3F800000, 0x3F800000], NAN["float32"]),
    "OpenCL-CTS: 1 + 1 is a NaN, in binary64": (
        opencl_last(2), OPENCL, "float64", [0x3FF0000000000000] * 2, NAN["float64"]),
    "OpenCL-CTS: 1 + 1 is a NaN, in binary16": (
        opencl_last(2), OPENCL, "float16", [0x3C00, 0x3C00], NAN["float16"]),
    "OpenCL-CTS: 1 + 1 is 2 + 2^-22": (
        opencl_last(2), OPENCL, "float32", [0x3F800000, 0x3F800000], 0x40000001),
    "OpenCL-CTS: 1 + 1 is 2 + 255 2^-22, in groups of 256": (
        opencl_last(256), OPENCL, "float32", [0x3F800000, 0x3F800000], 0x400000FF),
    "OpenCL-CTS, atomics: 1 + 1 is a NaN": (
        rules.opencl_atomic_add, OPENCL, "float32", [0x3F800000, 0x3F800000], NAN["float32"]),
    "gpuweb/cts: 1.5 2^-126 - 2^-126 is 2^-130": (
        rules.webgpu_sum_of_two, FLUSHED_NEIGHBOUR, "float32", [0x00C00000, 0x80800000],
        0x00080000),
    "DirectXShaderCompiler: 1 + 1 + 1 + 1 is 4 + 2^-21": (
        directx, IEEE, "float32", [0x3F800000] * 4, 0x40800001),
    "WPT, reduceSum: 1 + 1 is 2 + 2^-21": (
        wpt_sum, IEEE, "float32", [0x3F800000, 0x3F800000], 0x40000002),
    "WPT, cumulativeSum: 1 + 1 is 2 + 2^-22": (
        wpt_scan, IEEE, "float32", [0x3F800000, 0x3F800000], 0x40000001),
    "ONNX: 1000 + 1 is 1000": (
        expected(rules.onnx_backend), IEEE, "float32", [0x447A0000, 0x3F800000], 0x447A0000),
    "assert_allclose: 1 + 1 is 2 + 2^-23, in binary64": (
        expected(rules.numpy_default), IEEE, "float64", [0x3FF0000000000000] * 2,
        0x4000000010000000),
}  # fmt: skip

SMALL = [0xC0ECCCCD, 0xBF4CCCCD, 0x41033333]  # -7.4, -0.8, 8.2
REJECTED_RIGHT = {
    "OpenCL-CTS: 1.5 2^-126 - 2^-126, flushed, is 0": (
        opencl_last(2), FLUSHING, "float32", [0x00C00000, 0x80800000], 0),
    "OpenCL-CTS, atomics: an order beside its five": (
        rules.opencl_atomic_add, STRICT, "float32", [0xB7600000, 0x35B00000, 0xC1000000],
        0xC100000C),
    "WPT, cumulativeSum: -7.4 - 0.8 + 8.2 is 0": (wpt_scan, STRICT, "float32", SMALL, 0),
    "WPT, reduceSum: -7.4 - 0.8 + 8.2 is 0": (wpt_sum, STRICT, "float32", SMALL, 0),
    "ONNX: -7.4 - 0.8 + 8.2 is -2^-21": (
        expected(rules.onnx_backend), STRICT, "float32", SMALL, 0xB5000000),
    "assert_allclose: -7.4 - 0.8 + 8.2 is -2^-21": (
        expected(rules.numpy_default), STRICT, "float32", SMALL, 0xB5000000),
}  # fmt: skip


def taken(example):
    rule, profile, dtype, terms, output = example
    return rule, profile, array(dtype, terms), array(dtype, [output])[0]


@pytest.mark.parametrize("name", ACCEPTED_WRONG)
def test_accepted_and_wrong(name):
    rule, profile, x, y = taken(ACCEPTED_WRONG[name])
    assert rule(x, y)
    assert not trees.is_right(profile, x, y)
    assert not ours(x, y)
    assert not by_profile(profile, x, y)


@pytest.mark.parametrize("name", REJECTED_RIGHT)
def test_rejected_and_right(name):
    rule, profile, x, y = taken(REJECTED_RIGHT[name])
    assert not rule(x, y)
    assert trees.is_right(profile, x, y)
    assert ours(x, y)
    assert by_profile(profile, x, y)


def test_a_half_reduction_of_256_may_be_the_constant_zero():
    """The suite's own data, of its default seed. Each output is 0, and passes. From 2,048 terms on
    the bound is above 65504, an infinity, and everything passes."""
    for group in 256, 512, 1024:
        x = sums.opencl_data("float16", 0, group)
        assert rules.opencl_reduce(x, numpy.float16(0), group)
        assert not ours(x, numpy.float16(0))
    x = sums.opencl_data("float16", 0, 2048)
    assert rules.opencl_reduce(x, numpy.float16(-65504), 2048)
    assert not ours(x, numpy.float16(-65504))


def test_small_integers_do_not_show_a_narrow_accumulator():
    """OpenCL-CTS sums 2 to 6 and ones, SYCL-CTS 1, 2, 3, ...: sums up to 256 are numbers of
    bfloat16. Such an accumulator passes for up to 241 lanes in OpenCL-CTS, and 24 in SYCL-CTS."""
    opencl = numpy.array([2, 3, 4, 5, 6] + [1] * 236, "float32")
    sycl = numpy.arange(1, 25, dtype="float32")
    longer = numpy.arange(1, 26, dtype="float32")
    for x, passes in (opencl, True), (sycl, True), (longer, False):
        y = sums.FAULTS["8 bits"](x, x, 0)
        assert rules.opencl_subgroup_scan(x, y).all() == passes
    x = sums.vulkan_data("float32", 0, 24)
    assert not cumsum.judge(x, sums.FAULTS["8 bits"](x, x, 0))


def test_integers_are_compared_approximately():
    """CUB's macro takes integers as floating point numbers: 11 of 1,000,011 are nothing to it."""
    for dtype, expect, actual in (
        ("int32", 1000011, 1000000),
        ("uint32", 4000000011, 4000000000),
        ("int64", 2**60, 2**60 + 2**43),
        ("float64", 1.0, 1.00001),
    ):
        reference, y = numpy.array([expect], dtype), numpy.array([actual], dtype)
        assert rules.cub_warp_scan(reference, y).all()
        assert not cumsum.judge(reference, y)


def test_a_scan_of_ones_may_ignore_its_input():
    """gpuweb/cts scans ones: the number of the lane, plus 1, passes."""
    lane = numpy.arange(64, dtype="float32")
    x = sums.vulkan_data("float32", 0, 64)
    assert rules.webgpu_scan_of_ones(lane + 1).all()
    assert rules.webgpu_scan_of_ones(lane, exclusive=True).all()
    assert not cumsum.judge(x, lane + 1)


def test_one_value_in_all_lanes_hides_which_lanes_were_added():
    """offload-test-suite: the sum of the wrong three lanes has the right bytes, and -0 the wrong
    ones. Values that differ show the first; no specification tells zeros apart where there are no
    terms."""
    lanes = numpy.array([100, 100, 100, 100], "float32")
    assert rules.offload_exact(lanes[:3].sum(), lanes[1:].sum())
    lanes = numpy.array([100, 200, 300, 400], "float32")
    assert not ours(lanes[:3], lanes[1:].sum())
    assert not rules.offload_exact(numpy.float32(0), numpy.float32(-0.0))
    assert ours(numpy.zeros(1, "float32"), numpy.float32(-0.0))


def test_a_wave_of_equal_halves_is_more_than_one_step_away():
    """DirectXShaderCompiler: -0.01 in 64 lanes is not -0.64 in binary16, in sequence."""
    x = numpy.full(64, -0.01, "float16")
    y = sums.sequential(x)[-1]
    expect = numpy.float16(x[0] * numpy.float16(64))
    assert int(y.view("uint16")) - int(expect.view("uint16")) == -7
    assert not rules.directx_wave_sum(x[0], 64, y)
    assert ours(x, y)


def test_right_scans_that_vulkan_rejects():
    """VK-GL-CTS, with its own data: --deqp-base-seed 8 and 64 lanes, 14 and 128 lanes."""
    for seed, lanes, scan in (8, 64, sums.from_the_end), (14, 128, sums.hillis_steele):
        x = sums.vulkan_data("float32", seed, lanes)
        y = scan(x)
        assert not rules.vulkan_scan(x, y, lanes).all()
        assert cumsum.judge(x, y)


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_shader_form_takes_either_neighbour(dtype):
    """Outputs rounded up against a reference and magnitudes that are rounded down, and the reverse:
    the limit covers both, in 128 lanes."""
    form = trees.form(dtype)
    limit = Fraction(float(numpy.dtype(dtype).type(rules.shader_limit(dtype, 128))))
    for seed in range(20):
        down, up = [0], [0]
        for term in trees.numbers(sums.vulkan_data(dtype, seed, 128)):
            down.append(form.down(down[-1] + term))
            up.append(form.up(up[-1] + term))
        for low, high in zip(down[1:], up[1:]):
            # The magnitudes are the sum.
            assert form.up(high - low) <= form.down(limit * low)


def test_the_python_of_the_document():
    """For numpy.testing: right sums pass; a scan or a total that lacks a term does not. ONNX's is in
    test_onnx.py."""
    _, code = re.findall(r"^```python\n(.*?)^```", DOCUMENT.read_text(), re.DOTALL | re.MULTILINE)
    x = sums.opencl_data("float32", 0, 60).reshape(3, 20)
    lacking = x.copy()
    lacking[1, 5] = 0
    options = {"cumsum": cumsum, "x": x, "axis": 1}
    right = {"scan": x.cumsum(1), "total": x.sum(1)}
    exec(code, options | right)
    for name, wrong in ("scan", lacking.cumsum(1)), ("total", lacking.sum(1)):
        with pytest.raises(AssertionError):
            exec(code, options | right | {name: wrong})


def test_pairs_of_gpuweb_that_may_overflow():
    """26 pairs of the 16 values of gpuweb/cts, src/webgpu/util/math.ts: kInterestingF32Values."""
    sizes = [(2 - 2.0**-23) * 2.0**127, 2.0**-126, 2.0**-126 - 2.0**-149, 2.0**-149, 0]
    sizes += [10, 1, 0.125]
    values = [sign * size for size in sizes for sign in (1, -1)]
    profile = anyorder.profile("wgsl", "float32")
    pairs = [numpy.array([a, b], "float32") for a in values for b in values]
    verdicts = [anyorder.verdict_on_sum(profile, x, numpy.float32(3)) for x in pairs]
    assert (len(pairs), verdicts.count(anyorder.INDETERMINATE)) == (256, 26)


def test_the_limits_in_the_document_are_large_enough():
    """The table of docs/for-suites.md, as the shader's type rounds its constants."""
    row = r"^\| (\d+) \| ([\d.]+) \| ([\d.e-]+) \| ([\d.e-]+) \|$"
    rows = re.findall(row, DOCUMENT.read_text(), re.MULTILINE)
    assert len(rows) == 3
    for lanes, *limits in rows:
        for dtype, limit in zip(FLOATS, limits):
            needed = rules.shader_limit(dtype, int(lanes))
            assert needed <= float(numpy.dtype(dtype).type(limit)) < 1.01 * needed


def test_a_bound_around_a_computed_sum_has_far_more_values():
    """The bound of OpenCL-CTS#2821 holds, and accepts thousands of values where all orders give the
    same one. A NaN passes. In binary16 it is above the sum of magnitudes from 1,024 terms on."""
    x = array("float32", [0xC3F3A544, 0x4437C26E, 0x43A02C58, 0xC40D97B4])
    (only,) = trees.outputs(STRICT, x)
    count = 0
    for direction in 1, -1:
        value = only
        while rules.opencl_issue_2821(x, trees.number("float32", value)):
            count += direction == 1 or value != only
            value = trees.step("float32", value, direction)
    assert count == 12655
    assert rules.opencl_issue_2821(x, float("nan"))
    ones = numpy.ones(1025, "float16")
    assert rules.opencl_issue_2821(ones, 0.0)


def test_a_changed_number_in_the_document_is_found():
    rows = ["| a | 1, 0 |", "| b | 2, 0 |", ""]
    assert count_errors.missing_rows(rows, ["text", *rows]) == []
    assert count_errors.missing_rows(rows, ["text", "| a | 1, 0 |", "| b | 3, 0 |"]) == [rows[1]]
