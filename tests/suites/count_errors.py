#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""count_errors.py [--check FILE]: how often the rules of other suites are wrong, and how often ours
is. Prints two tables, or compares them with those in a document.

Long lines: right scans of six algorithms, and planted faults, on data as the suite has it. Short
lines: outputs of five terms near the right ones, where every tree is tried to know which are
right. Both have the profiles as anyorder.h ships them."""

import dataclasses
import pathlib
import sys
from collections.abc import Callable

import anyorder
import numpy
import rules
import sums
import trees

LONG_LINES = 20
SHORT_LINES = 40
SHORT_TERMS = 5
FLOATS = "float16", "float32", "float64"


@dataclasses.dataclass
class Suite:
    """data(seed, lanes): the terms. line(x, y): whether the suite accepts all outputs of a scan, or
    its last one, if it tests sums. last(x, y): whether it accepts y as the last output, None if the
    data are too special for terms at random."""

    name: str
    profile: str
    dtype: str
    lanes: int
    data: Callable
    line: Callable
    last: Callable | None = None
    sum_alone: bool = False
    long: bool = True
    short: int = SHORT_TERMS

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


def two_values(seed, lanes):
    """Random exponents from the subnormal numbers to 2^7, and 0."""
    generator = numpy.random.RandomState(seed)
    low, high = (-149, 8) if seed % 2 else (-128, -124)
    sizes = numpy.ldexp(generator.uniform(-1, 1, lanes), generator.randint(low, high, lanes))
    return sizes.astype("float32")


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
        Suite("OpenCL scan", "opencl", "float32", 256, opencl_data("float32"), *opencl_scan(256)),
        Suite("OpenCL scan", "opencl", "float16", 256, opencl_data("float16"), *opencl_scan(256)),
        Suite("OpenCL reduce", "opencl", "float16", 256, opencl_data("float16"),
              *sums_alone(lambda x, y: rules.opencl_reduce(x, y, 256)), sum_alone=True),
        Suite("OpenCL atomics", "opencl", "float32", 64, opencl_data("float32"),
              *sums_alone(rules.opencl_atomic_add), sum_alone=True),
        Suite("OpenCL sub-groups", "opencl", "float32", 64, small_integers,
              lambda x, y: rules.opencl_subgroup_scan(x, y).all()),
        Suite("Vulkan", "vulkan", "float32", 64, vulkan_data("float32"), *vulkan_scan(64)),
        Suite("Vulkan", "vulkan", "float32", 128, vulkan_data("float32"), *vulkan_scan(128)),
        Suite("Vulkan", "vulkan", "float64", 128, vulkan_data("float64"), *vulkan_scan(128)),
        Suite("Vulkan", "vulkan", "float16", 128, vulkan_data("float16"), *vulkan_scan(128)),
        Suite("shader form", "vulkan", "float32", 128, vulkan_data("float32"), shader_scan(128)),
        Suite("shader form", "vulkan", "float16", 128, vulkan_data("float16"), shader_scan(128)),
        Suite("shader, exact data", "vulkan", "float32", 128, exact_data("float32", 2**17),
              shader_equal),
        Suite("shader, exact data", "vulkan", "float16", 128, exact_data("float16", 16),
              shader_equal),
        Suite("WebGPU two", "wgsl", "float32", 2, two_values,
              None, rules.webgpu_sum_of_two, long=False, short=2),
        Suite("WebGPU ones", "wgsl", "float32", 64, same_in_all_lanes([1.0], "float32"),
              lambda x, y: rules.webgpu_scan_of_ones(y).all()),
        Suite("DXC", "hlsl", "float16", 64, same_in_all_lanes(halves, "float16"),
              directx),
        Suite("offload", "hlsl", "float32", 4, same_in_all_lanes([1, 10, 100, 1000], "float32"),
              lambda x, y: rules.offload_exact(scan_of(x), y)),
        Suite("CUB warp scan", "cuda", "int32", 32, integers, *expected_by(rules.cub_warp_scan)),
        Suite("WPT cumulativeSum", "ieee", "float32", 12, normal("float32", 50),
              expected_by(rules.wpt_cumulative_sum)[0], wpt_last),
        Suite("ONNX", "ieee", "float32", 64, normal("float32"), *expected_by(rules.onnx_backend)),
        Suite("assert_allclose", "ieee", "float32", 64, normal("float32"),
              *expected_by(rules.numpy_default)),
    ]  # fmt: skip


def ours(suite):
    """anyorder.h by the profile of the suite's specification. It does not accept suspect sums."""
    profile = anyorder.profile(suite.profile, suite.dtype)
    if suite.sum_alone:
        return lambda x, y: anyorder.accepts_sum(profile, x, y[-1])
    return lambda x, y: anyorder.accepts_scan(profile, x, y)


def ours_last(suite, all_orders):
    profile = anyorder.profile(suite.profile, suite.dtype, all_orders)
    return lambda x, y: anyorder.accepts_sum(profile, x, y)


def share(count, of):
    return f"{count:,}/{of:,}"


def count_long(suite):
    """A row of the first table: counts of the suite and of ours."""
    judge = ours(suite)
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


def candidates(right, x):
    """The right outputs, those up to 8 steps beyond them, up to 64 between them, the sums without a
    term, 0 and a NaN."""
    form, dtype = trees.form(x.dtype), x.dtype
    finite = sorted((out for out in right if trees.exact.finite(form.value(out))), key=form.rank)
    found = {*finite, 0, form.bits(None)}
    for end, direction in (finite[0], -1), (finite[-1], 1):
        found |= {trees.step(dtype, end, direction * steps) for steps in range(1, 9)}
    room = form.rank(finite[-1]) - form.rank(finite[0])
    found |= {trees.step(dtype, finite[0], steps) for steps in range(1, min(65, room))}
    terms = trees.numbers(x)
    return found | {form.bits(form.down(sum(terms) - term)) for term in terms}


def count_short(suite):
    """A row of the second table."""
    profile = anyorder.profile(suite.profile, suite.dtype).members()
    judges = suite.last, ours_last(suite, False), ours_last(suite, True)
    of, rejected, accepted = [0, 0], [0, 0, 0], [0, 0, 0]
    for seed in range(SHORT_LINES):
        x = suite.data(seed, suite.short)
        all_right = trees.outputs(profile, x)
        for output in candidates(all_right, x):
            y = trees.number(suite.dtype, output)
            right = output in all_right
            of[right] += 1
            for i, judge in enumerate(judges):
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
        long = [count_long(suite) for suite in suites() if suite.long]
        short = [suite for suite in suites() if suite.last and suite.dtype in FLOATS]
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
