#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count_errors.py [--check FILE]: how often the rules of other suites are wrong, and how often ours
is. Prints two tables, or compares them with those in a document.

Long lines: right scans of six algorithms, and planted faults, on data as the suite has it. Short
lines: outputs of five terms near the right ones, where every tree is tried to know which are
right."""

import dataclasses
import pathlib
import sys
from collections.abc import Callable

import cumsum
import numpy
import rules
import sums
from formats import BINARY16, BINARY32, BINARY64, NOT_A_NUMBER, Profile, all_sums

LONG_LINES = 20
SHORT_LINES = 40
SHORT_TERMS = 5
FORMS = {"float16": BINARY16, "float32": BINARY32, "float64": BINARY64}


@dataclasses.dataclass
class Suite:
    """data(seed, lanes): the terms. line(x, y): whether the suite accepts all outputs of a scan, or
    its last one, if it tests sums. last(x, y): whether it accepts y as the last output, None if the
    data are too special for terms at random."""

    name: str
    dtype: str
    lanes: int
    data: Callable
    line: Callable
    last: Callable | None = None
    sum_alone: bool = False

    def label(self):
        return f"{self.name} {self.dtype.upper()} {self.lanes}"


def with_last(x, y):
    outputs = rules.running_sums(x)
    outputs[-1] = y
    return outputs


def opencl_data(dtype):
    return lambda seed, lanes: sums.opencl_data(dtype, seed, lanes)


def vulkan_data(dtype):
    return lambda seed, lanes: sums.vulkan_data(dtype, seed, lanes)


def normal(dtype, size=1.0):
    def data(seed, lanes):
        return (numpy.random.RandomState(seed).standard_normal(lanes) * size).astype(dtype)

    return data


def integers(seed, lanes):
    return numpy.random.RandomState(seed).randint(-(2**31), 2**31, lanes, "int64").astype("int32")


def same_in_all_lanes(values, dtype):
    return lambda seed, lanes: numpy.full(lanes, values[seed % len(values)], dtype)


def exact_data(dtype, most):
    """Integers from 1 on whose sums are numbers of the type, so that no order rounds."""
    return lambda seed, lanes: numpy.random.RandomState(seed).randint(1, most, lanes).astype(dtype)


def small_integers(seed, lanes):
    values = numpy.array([2, 3, 4, 5, 6] + [1] * (lanes - 5), "float32")
    return numpy.random.RandomState(seed).permutation(values)


def opencl_scan(group):
    return (
        lambda x, y: rules.opencl_scan(x, y, group).all(),
        lambda x, y: rules.opencl_scan(x, with_last(x, y), group)[-1],
    )


def vulkan_scan(lanes):
    return (
        lambda x, y: rules.vulkan_scan(x, y, lanes).all(),
        lambda x, y: rules.vulkan_scan(x, with_last(x, y), lanes)[-1],
    )


def shader_scan(lanes):
    return lambda x, y: rules.shader_scan(x, y, lanes).all()


def shader_equal(x, y):
    return bool((rules.running_sums(x) == y).all())


def expected_by(rule):
    return (
        lambda x, y: bool(numpy.all(rule(rules.running_sums(x), y))),
        lambda x, y: bool(numpy.all(rule(rules.running_sums(x)[-1:], numpy.atleast_1d(y)))),
    )


def wpt_last(x, y):
    return rules.wpt_cumulative_sum(rules.running_sums(x), with_last(x, y))[-1]


def sums_alone(rule):
    return lambda x, y: bool(rule(x, y[-1])), lambda x, y: bool(rule(x, y))


def directx(x, y):
    """The middle lane of an exclusive scan has half of the lanes below it."""
    half = len(x) // 2
    middle = rules.directx_wave_sum(x[0], half, y[half - 1])
    return bool(middle and rules.directx_wave_sum(x[0], len(x), y[-1]))


def suites():
    halves = [-1.0, 1.0, -0.01]
    scan_of = rules.running_sums
    return [
        Suite("OpenCL scan", "float32", 256, opencl_data("float32"), *opencl_scan(256)),
        Suite("OpenCL scan", "float16", 256, opencl_data("float16"), *opencl_scan(256)),
        Suite("OpenCL reduce", "float16", 256, opencl_data("float16"),
              *sums_alone(lambda x, y: rules.opencl_reduce(x, y, 256)), sum_alone=True),
        Suite("OpenCL atomics", "float32", 64, opencl_data("float32"),
              *sums_alone(rules.opencl_atomic_add), sum_alone=True),
        Suite("OpenCL sub-groups", "float32", 64, small_integers,
              lambda x, y: rules.opencl_subgroup_scan(x, y).all()),
        Suite("Vulkan", "float32", 64, vulkan_data("float32"), *vulkan_scan(64)),
        Suite("Vulkan", "float32", 128, vulkan_data("float32"), *vulkan_scan(128)),
        Suite("Vulkan", "float64", 128, vulkan_data("float64"), *vulkan_scan(128)),
        Suite("Vulkan", "float16", 128, vulkan_data("float16"), *vulkan_scan(128)),
        Suite("shader form", "float32", 128, vulkan_data("float32"), shader_scan(128)),
        Suite("shader form", "float16", 128, vulkan_data("float16"), shader_scan(128)),
        Suite("shader, exact data", "float32", 128, exact_data("float32", 2**17), shader_equal),
        Suite("shader, exact data", "float16", 128, exact_data("float16", 16), shader_equal),
        Suite("WebGPU ones", "float32", 64, same_in_all_lanes([1.0], "float32"),
              lambda x, y: rules.webgpu_scan_of_ones(y).all()),
        Suite("DXC", "float16", 64, same_in_all_lanes(halves, "float16"),
              directx),
        Suite("offload", "float32", 4, same_in_all_lanes([1, 10, 100, 1000], "float32"),
              lambda x, y: rules.offload_exact(scan_of(x), y)),
        Suite("CUB warp scan", "int32", 32, integers, *expected_by(rules.cub_warp_scan)),
        Suite("WPT cumulativeSum", "float32", 12, normal("float32", 50),
              expected_by(rules.wpt_cumulative_sum)[0], wpt_last),
        Suite("ONNX", "float32", 64, normal("float32"), *expected_by(rules.onnx_backend)),
        Suite("assert_allclose", "float32", 64, normal("float32"),
              *expected_by(rules.numpy_default)),
    ]  # fmt: skip


def ours(x, y, **options):
    """A scan that the oracle accepts. What it calls doubtful it does not accept. The device is said
    to add binary16 in binary16, as the right scans here do."""
    if x.dtype == "float16":
        options["half_accumulator"] = "float16"
    return bool(cumsum.judge(x, y, **options))


def ours_last(x, y):
    return ours(x, with_last(x, y))


def ours_in_every_order(x, y):
    return ours(x, with_last(x, y), reachable=True)


def share(count, of):
    return f"{count:,}/{of:,}"


def count_long(suite):
    """A row of the first table: counts of the suite and of ours."""
    judge = ours if not suite.sum_alone else lambda x, y: ours_last(x, y[-1])
    rejected = [0, 0]
    accepted = {name: [0, 0, 0] for name in sums.FAULTS}
    for seed in range(LONG_LINES):
        x = suite.data(seed, suite.lanes)
        right = [algorithm(x) for algorithm in sums.ALGORITHMS]
        for y in right:
            rejected[0] += not suite.line(x, y)
            rejected[1] += not judge(x, y)
        lane = suite.lanes // 2 + seed % (suite.lanes // 2)
        for name, fault in sums.FAULTS.items():
            if name in sums.NARROW and x.dtype.name not in sums.NARROW[name]:
                continue  # it is no narrower than the type
            y = fault(x, right[0], lane)
            compared = slice(-1, None) if suite.sum_alone else slice(None)
            if any(y[compared].tobytes() == z[compared].tobytes() for z in right):
                continue  # it changed nothing
            accepted[name][0] += suite.line(x, y)
            accepted[name][1] += judge(x, y)
            accepted[name][2] += 1
    faults = [f"{a}, {b}" if most else "" for a, b, most in accepted.values()]
    return [suite.label(), f"{rejected[0]}, {rejected[1]}", *faults]


def candidates(form, reachable, terms):
    """The right outputs, those up to 8 steps beyond them, up to 64 between them, the sums without a
    term, 0 and a NaN."""
    finite = sorted(found for found in reachable if not isinstance(found, float))
    outputs = set(finite) | {0}
    for end, direction in (finite[0], -1), (finite[-1], 1):
        for _ in range(8):
            end = form.step(end, direction)
            outputs.add(end)
    between = finite[0]
    for _ in range(64):
        between = form.step(between, 1)
        if between < finite[-1]:
            outputs.add(between)
    exact = sum(terms)
    outputs |= {form.neighbours(exact - term)[0] for term in terms}
    return [*outputs, NOT_A_NUMBER]


def count_short(suite):
    """A row of the second table."""
    form = FORMS[suite.dtype]
    of, rejected, accepted = [0, 0], [0, 0, 0], [0, 0, 0]
    for seed in range(SHORT_LINES):
        x = suite.data(seed, SHORT_TERMS)
        terms = [form.of(term) for term in x]
        reachable = all_sums(form, Profile(), terms)
        for output in candidates(form, reachable, terms):
            y = x.dtype.type(form.value(output))
            right = output in reachable
            of[right] += 1
            for i, judge in enumerate((suite.last, ours_last, ours_in_every_order)):
                passed = bool(judge(x, y))
                rejected[i] += right and not passed
                accepted[i] += passed and not right
    return [
        f"{suite.name} {suite.dtype.upper()}",
        *(share(count, of[True]) for count in rejected),
        *(share(count, of[False]) for count in accepted),
    ]


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def tables():
    with numpy.errstate(all="ignore"):
        long = [count_long(suite) for suite in suites()]
        short = [suite for suite in suites() if suite.last and suite.dtype in FORMS]
        seen = {(suite.name, suite.dtype): suite for suite in reversed(short)}
        short_rows = [count_short(suite) for suite in reversed(list(seen.values()))]
    head = ["rule", "right rejected", "ours", "all orders", "wrong accepted", "ours", "all orders"]
    return [*table(["rule", "right", *sums.FAULTS], long), "", *table(head, short_rows)]


def missing_rows(lines, document):
    return [line for line in lines if line and line not in document]


def main():
    lines = tables()
    if len(sys.argv) != 3:
        print("\n".join(lines))
        return 0
    missing = missing_rows(lines, pathlib.Path(sys.argv[2]).read_text().splitlines())
    for line in missing:
        print(f"{sys.argv[2]} lacks the row: {line}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
