# SPDX-License-Identifier: MIT
"""npy_files.py: writes .npy files without NumPy."""

import struct

CODES = {"f4": "f", "f8": "d", "b1": "?", "V2": "H", "u2": "H", "i1": "b", "u1": "B", "i2": "h"}
CODES |= {"i4": "i", "i8": "q", "u8": "Q"}


def write(name, descr, values, shape=None):
    shape = (len(values),) if shape is None else shape
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    with open(name + ".npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00\x76\x00" + header.encode().ljust(117) + b"\n")
        file.write(struct.pack(f"<{len(values)}{CODES[descr[1:]]}", *values))
