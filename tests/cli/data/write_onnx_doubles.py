#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_onnx_doubles.py DIR: writes ONNX backend test data of CumSum with DOUBLE tensors.

    DIR/pass    outputs that are the exact sums of lines that no order of additions can round
    DIR/zero    the same but for a -0
    DIR/fail    such lines with faults in their outputs
    DIR/rounds  lines that some order of additions rounds, or may round, summed in sequence
"""

import math
import pathlib
import struct
import sys
from fractions import Fraction

from write_onnx_cases import DOUBLE, INT32, model, node, raw_data, sums, tensor, typed_data, write

INF, NAN = math.inf, math.nan
LARGEST, SMALLEST = sys.float_info.max, 2.0**-1074


def write_case(folder, x, y, sizes=None, axis=0, data=raw_data, **attributes):
    sizes = sizes or (len(x),)
    files = {
        "input_0": tensor(DOUBLE, sizes, data(DOUBLE, x)),
        "input_1": tensor(INT32, (), raw_data(INT32, [axis]), "axis"),
        "output_0": tensor(DOUBLE, sizes, data(DOUBLE, y), "y"),
    }
    write(folder, model([node(attributes)]), files)


def exact(x, sizes=None, axis=0, **attributes):
    """Added as fractions; each sum is a binary64 number."""
    terms = [Fraction(value) for value in x]
    flags = attributes.get("exclusive"), attributes.get("reverse")
    totals = sums(terms, sizes or (len(x),), axis, *flags)
    assert all(Fraction(float(total)) == total for total in totals)
    return [float(total) for total in totals]


def write_pass(root):
    for name, (x, arguments) in {
        "beyond_binary32": ([2.0**24 + 1, 2, 0.5], {}),
        "cancelling": ([2.0**52, 1, 1 - 2.0**52], {}),
        "double_data": ([1, 2.5, -4], {"data": typed_data}),
        "largest": ([2.0**1023, LARGEST - 2.0**1023], {}),
        "limit": ([2.0**53 - 1, 1], {}),
        "limit_of_subnormals": ([SMALLEST * (2**53 - 1), SMALLEST], {"reverse": 1}),
        "lines_apart": ([2.0**900, 3 * 2.0**900, 2.0**-900, 0], {"sizes": (2, 2), "axis": 1}),
        "middle_axis": (list(range(24)), {"sizes": (2, 3, 4), "axis": -2, "exclusive": 1}),
        "single": ([0.1], {}),
    }.items():
        given = {key: value for key, value in arguments.items() if key != "data"}
        write_case(root / name, x, exact(x, **given), **arguments)
    write_case(root / "not_finite", [1, INF, 2, -INF, 3], [1, INF, INF, NAN, NAN])
    write_case(root / "not_finite_reverse", [NAN, 2, -INF, 3], [NAN, -INF, -INF, 3], reverse=1)
    write_case(root / "not_finite_only", [INF, INF], [0, INF], exclusive=1)


def write_zero(root):
    write_case(root / "input", [-0.0, 1], [-0.0, 1])
    write_case(root / "exclusive", [1, -1], [-0.0, 1], exclusive=1)


def next_after(value):
    return struct.unpack(
        "<d", struct.pack("<q", struct.unpack("<q", struct.pack("<d", value))[0] + 1)
    )[0]


def write_fail(root):
    x, y, sizes = [1, 2, 3, 4, 5, 6], [1, 3, 6, 4, 9, 15], (2, 3)
    for name, wrong in {
        "exclusive_taken_for_inclusive": exact(x, sizes, 1, exclusive=1),
        "not_a_binary32": y[:2] + [6.0000000001] + y[3:],
        "one_element": y[:3] + [5] + y[4:],
        "one_ulp": y[:5] + [next_after(15.0)],
        "other_axis": exact(x, sizes, 0),
        "reverse_not_done": exact(x, sizes, 1, reverse=1),
        "sign": [-1] + y[1:],
    }.items():
        write_case(root / name, x, wrong, sizes, 1)
    write_case(root / "added_in_binary32", [2.0**24, 1, 1], [2.0**24] * 3)
    write_case(root / "infinity", [1, 1], [1, INF])
    write_case(root / "infinity_of_the_other_sign", [1, INF], [1, -INF])
    write_case(root / "infinity_seen_too_early", [1, INF], [INF, INF])
    write_case(root / "limit", [2.0**53 - 1, 1], [2.0**53 - 1, 2.0**53 - 1])
    write_case(root / "nan", [1, 1], [1, NAN])
    write_case(root / "nan_expected", [NAN, 1], [NAN, 1])


def write_rounds(root):
    for name, (x, arguments) in {
        "cancelling": ([2.0**52, 1, -(2.0**52)], {}),
        "decimals": ([0.1, 0.2, 0.3], {}),
        "overflow": ([2.0**1023, 2.0**1023], {}),
        "overflow_on_the_way": ([2.0**1023, -(2.0**1023)], {}),
        "over_limit": ([2.0**53, 1], {}),
        "over_limit_of_subnormals": ([SMALLEST * 2**53, SMALLEST], {}),
        "second_line": ([1, 0.1, 2, 0.7], {"sizes": (2, 2), "axis": 0}),
    }.items():
        flags = arguments.get("sizes", (len(x),)), arguments.get("axis", 0)
        write_case(root / name, x, sums(x, *flags, None, None), **arguments)
    write_case(root / "subnormals_flushed", [SMALLEST, SMALLEST], [0, 0])
    x = [0.1, 0.2, 0.3, 0.4]
    write_case(root / "zz_wrong", x, [0.1, 0.2 + 0.1, 0.6, next_after(next_after(1.0))])


def main():
    root = pathlib.Path(sys.argv[1])
    write_pass(root / "pass")
    write_zero(root / "zero")
    write_fail(root / "fail")
    write_rounds(root / "rounds")


if __name__ == "__main__":
    main()
