#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""write_types.py: writes .npy files of types that the operator does not have, and sums of them.

NAME.npy is the input, 2 lines of 40 elements, NAME-sums.npy its sums along axis 1, NAME-wrong.npy
the same with a fault.
"""

import random
import struct

import npy_files

TYPES = {
    "float64": "<f8",
    "bfloat16": "<V2",
    "bits": "<u2",
    "int8": "|i1",
    "uint8": "|u1",
    "int16": "<i2",
    "uint16": "<u2",
}


def write(name, kind, values):
    npy_files.write(name, TYPES[kind], values, (2, len(values) // 2))


def binary32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def bfloat16_bits(value):
    """To nearest even."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


def bfloat16_value(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


def wrap(value, kind):
    bits = 8 * int(TYPES[kind][-1])
    value %= 1 << bits
    return value - (1 << bits) if kind.startswith("int") and value >> (bits - 1) else value


def sums(x, add):
    out = []
    for line in (x[:40], x[40:]):
        total = 0
        for value in line:
            total = add(total, value)
            out.append(total)
    return out


def main():
    draw = random.Random(7)
    x = [draw.uniform(-1, 1) for _ in range(80)]
    y = sums(x, lambda a, b: a + b)
    write("float64", "float64", x)
    write("float64-sums", "float64", y)
    write("float64-wrong", "float64", y[:50] + [y[50] * (1 + 2**-40)] + y[51:])
    write("float64-binary32", "float64", sums(x, lambda a, b: binary32(binary32(a) + binary32(b))))
    halves = [bfloat16_value(bfloat16_bits(value)) for value in x]
    y = [bfloat16_bits(value) for value in sums(halves, lambda a, b: binary32(a + b))]
    narrow = sums(halves, lambda a, b: bfloat16_value(bfloat16_bits(a + b)))
    write("bfloat16", "bfloat16", [bfloat16_bits(value) for value in x])
    write("bfloat16-sums", "bfloat16", y)
    write("bfloat16-narrow", "bits", [bfloat16_bits(value) for value in narrow])
    write("bfloat16-wrong", "bfloat16", y[:50] + [y[50] + 2] + y[51:])
    for kind in ("int8", "uint8", "int16", "uint16"):
        x = [draw.randrange(1 << 16) for _ in range(80)]
        y = [wrap(value, kind) for value in sums(x, lambda a, b: a + b)]
        write(kind, kind, [wrap(value, kind) for value in x])
        write(kind + "-sums", kind, y)
        write(kind + "-wrong", kind, y[:50] + [wrap(y[50] + 1, kind)] + y[51:])


if __name__ == "__main__":
    main()
