# SPDX-License-Identifier: MIT
"""The files that the commands of the documents are given: small ones of the names that are there."""

import re
import struct
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


def write_npy(path, shape, values):
    """An array of float32, as numpy.save writes it."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(64 * 2 - 10 - 1) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}f", *values))


def example_of_file_format():
    """The case file that docs/file-format.md shows."""
    text = (SOURCE / "docs/file-format.md").read_text()
    return re.search(r"```json\n(\{.*?\n\})\n```", text, re.DOTALL)[1]


def prepare(place):
    """Makes the inputs in a folder."""
    write_npy(place / "x.npy", (2, 3), [1, 2, 3, 10, 20, 30])
    write_npy(place / "gpu.npy", (12,), [2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21])
    (place / "case.json").write_text(example_of_file_format())
    (place / "sum.py").write_text(
        "import sys, numpy\n"
        "x = numpy.load(sys.argv[1])\n"
        "numpy.save(sys.argv[2], numpy.cumsum(x, axis=-1, dtype=x.dtype))\n")
    (place / "some.list").write_text("int32.wrap.increasing.inclusive.{3..9}.axis0"
                                     ".in-packed.out-packed.small-integers.seed1\n")
