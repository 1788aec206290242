#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_sums.py: writes x.npy, float32 of shape (2, 3, 4), and files of its sums.

Axes 0 and 2 are summed. sums.npy has the shape (3,), kept.npy (1, 3, 1), wrong.npy lacks a term, and
total.npy is the sum of all integers of integers.npy.
"""

import struct


def write(name, descr, code, shape, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.encode().ljust(117) + b"\n"
    with open(name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header)
        file.write(struct.pack(f"<{len(values)}{code}", *values))


def main():
    x = [k / 8 - 1 for k in range(24)]  # sums are exact
    sums = [sum(x[12 * i + 4 * j + k] for i in range(2) for k in range(4)) for j in range(3)]
    write("x", "<f4", "f", (2, 3, 4), x)
    write("sums", "<f4", "f", (3,), sums)
    write("kept", "<f4", "f", (1, 3, 1), sums)
    write("wrong", "<f4", "f", (3,), [sums[0], sums[1] - x[6], sums[2]])
    write("integers", "<i4", "i", (2, 3, 4), range(24))
    write("total", "<i4", "i", (), [sum(range(24))])


main()
