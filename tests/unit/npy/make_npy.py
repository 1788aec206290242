# SPDX-License-Identifier: MIT
"""Writes the files of this folder with NumPy: python3 make_npy.py"""

import json
import os
import zipfile

import numpy as np

TYPES = ["<f4", "<f2", "<i4", "<u4", "<i8", "<u8", "<f8", "|i1", "|u1", "<i2", "<u2"]


def elements(descr, shape):
    """1, 2, 3, ... with a largest and a smallest value where the type has them."""
    values = np.arange(1, 1 + int(np.prod(shape)), dtype=descr)
    if descr[1] in "iu" and values.size > 2:
        values[0] = np.iinfo(descr).max
        values[1] = np.iinfo(descr).min
    return values.reshape(shape)


def write(name, array, version=(1, 0)):
    with open(name + ".npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


for descr in TYPES:
    write("c-order-" + descr[1:], elements(descr, (2, 3)))
write("fortran-2x3", np.asfortranarray(elements("<i4", (2, 3))))
write("fortran-2x3x4", np.asfortranarray(elements("<f2", (2, 3, 4))))
write("rank-0", np.array(7, dtype="<f4"))
write("rank-1", elements("<u8", (5,)))
write("rank-8", elements("<i4", (1, 2, 1, 3, 1, 2, 1, 1)))
write("empty", elements("<f4", (0, 3)))
write("version-2", elements("<f4", (2, 3)), (2, 0))
write("version-3", elements("<f4", (2, 3)), (3, 0))
write("big-endian-i4", elements("<i4", (2, 3)).astype(">i4"))
write("complex-c8", elements("<c8", (2, 3)))
write("fortran-c16", np.asfortranarray(elements("<c16", (2, 3))))
write("untyped-v2", elements("<u2", (2, 3)).view("V2"))
write("bool", np.array([True, False]))
write("rejected-structured", np.zeros(2, dtype=[("a", "<f4"), ("b", "<i4")]))
write("rejected-rank-9", np.zeros((1,) * 9, dtype="<f4"))

a, b = elements("<f4", (2, 3)), elements("<u2", (4,))
np.savez("arrays.npz", a=a, b=b)
zipfile.ZIP64_LIMIT = 10  # every size has 64 bits
zipfile.ZIP_FILECOUNT_LIMIT = 1
np.savez("arrays-64.npz", a=a, b=b)
with zipfile.ZipFile("arrays-64.npz", "a") as archive:  # two ways to compress
    for name, values in [("c", np.sqrt(elements("<f4", (20, 10)))), ("d", b)]:
        np.save("compressed.npy", values)
        archive.write("compressed.npy", f"{name}.npy", zipfile.ZIP_DEFLATED)
        os.remove("compressed.npy")
tensors = {
    "__metadata__": {"format": "np"},
    "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
    "b": {"dtype": "BF16", "shape": [4], "data_offsets": [24, 32]},
}
text = json.dumps(tensors).encode()
with open("arrays.safetensors", "wb") as file:
    file.write(len(text).to_bytes(8, "little") + text + a.tobytes() + b.tobytes())
