# SPDX-License-Identifier: MIT
"""test_example.py COMMAND: an example of examples/exec gives the right sums of small integers, of
all types, directions and sums that it offers. It exits with 77 if the example lacks a package."""

import re
import shlex
import sys
import tempfile

from driver import *


def ask_all(p, ready):
    """How many requests were answered. Types that the driver cannot write are left out."""
    asked = 0
    for type in set(ready["types"]) & set(TYPES):
        for direction in ready.get("directions", ("INCREASING", "DECREASING")):
            for sum in ready.get("sums", ("INCLUSIVE", "EXCLUSIVE")):
                flags = EXCLUSIVE * (sum == "EXCLUSIVE") | DECREASING * (direction == "DECREASING")
                layouts = [([7], 0), ([2, 3, 5], 2), ([3, 300], 1), ([2, 4, 3], 1), ([3, 4], 0)]
                if ready.get("strides"):
                    layouts.append(([3, 4], 0, flags, [5, 1], [1, 3]))
                for sizes, axis, *layout in layouts:
                    try:
                        check(p, type, sizes, axis, *(layout or [flags]))
                        asked += 1
                    except Unsupported as reason:
                        print("unsupported:", type, sizes, axis, direction, sum, reason)
    return asked


def main():
    with tempfile.TemporaryFile() as said:
        try:
            with Implementation(shlex.split(sys.argv[1]), stderr=said) as p:
                ready = p.greet()
                asked = ask_all(p, ready)
        except (AssertionError, BrokenPipeError):
            said.seek(0)
            text = said.read().decode()
            missing = re.search(r"No module named '(?!cumsum).*|Cannot find (package|module) '[a-z-]*'|.*finds no adap.*", text)
            if not missing:
                print(text)
                raise
            print("SKIPPED:", missing[0])
            sys.exit(77)
    assert asked >= 10, "next to nothing is supported"
    print(f"{ready['name']}: {asked} requests, the right sums")


main()
