#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_sums.py: writes x.npy, float32 of shape (2, 3, 4), and files of its sums.

Axes 0 and 2 are summed. sums.npy has the shape (3,), kept.npy (1, 3, 1), wrong.npy lacks a term, and
total.npy is the sum of all integers of integers.npy.
"""

from npy_files import write


def main():
    x = [k / 8 - 1 for k in range(24)]  # sums are exact
    sums = [sum(x[12 * i + 4 * j + k] for i in range(2) for k in range(4)) for j in range(3)]
    write("x", "<f4", x, (2, 3, 4))
    write("sums", "<f4", sums, (3,))
    write("kept", "<f4", sums, (1, 3, 1))
    write("wrong", "<f4", [sums[0], sums[1] - x[6], sums[2]], (3,))
    write("integers", "<i4", range(24), (2, 3, 4))
    write("total", "<i4", [sum(range(24))], ())


main()
