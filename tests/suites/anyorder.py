# SPDX-License-Identifier: MIT
"""anyorder.h for Python: profiles of specifications, and verdicts on NumPy arrays. The environment
variable CUMSUM_ANYORDER_LIBRARY names the library that anyorder_library.c becomes."""

import ctypes
import os

import numpy

TYPES = {"float64": 0, "float32": 1, "float16": 2, "int32": 8}
PASS, FAIL, SUSPECT, INDETERMINATE = range(4)
ROOM = 1 << 17  # values, for all orders of up to 8 terms


class Profile(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int) for name in (
            "type", "accumulator", "rounding", "flush_inputs", "flush_results", "specials",
            "order", "wider", "strict_zero")),
        ("room", ctypes.c_void_p),
        ("room_count", ctypes.c_size_t),
    ]  # fmt: skip


    def members(self):
        """What trees.outputs takes of it."""
        flushes = ["never", "may", "must"]
        return {
            "rounding": ["nearest", "toward-zero", "either"][self.rounding],
            "flush_inputs": flushes[self.flush_inputs],
            "flush_results": flushes[self.flush_results],
            "order": ["any", "contiguous", "sequential"][self.order],
            "wider": "allowed" if self.wider else "forbidden",
        }


_library = ctypes.CDLL(os.environ["CUMSUM_ANYORDER_LIBRARY"])
_library.suites_sum.argtypes = [
    ctypes.POINTER(Profile), ctypes.c_size_t, ctypes.c_void_p, ctypes.c_uint64]  # fmt: skip
_library.suites_scan.argtypes = [
    ctypes.POINTER(Profile), ctypes.c_size_t, *[ctypes.c_void_p] * 3]  # fmt: skip
_room = numpy.empty(ROOM, "uint64")


def profile(name, dtype, all_orders=False):
    made = Profile()
    if not _library.suites_profile(name.encode(), TYPES[dtype], ctypes.byref(made)):
        raise ValueError(f"there is no profile {name}")
    if all_orders:
        made.room, made.room_count = _room.ctypes.data, ROOM
    return made


def _bits(x):
    x = numpy.atleast_1d(x)
    return numpy.ascontiguousarray(x).view(f"uint{8 * x.dtype.itemsize}").astype("uint64")


def accepts_scan(made, x, y):
    """Whether a test with every output of an inclusive scan passes."""
    terms, outputs = _bits(x), _bits(y)
    verdicts = numpy.empty(len(terms), "uint8")
    _library.suites_scan(
        ctypes.byref(made), len(terms), terms.ctypes.data, outputs.ctypes.data, verdicts.ctypes.data
    )
    return not set(verdicts) & {FAIL, SUSPECT}


def verdict_on_sum(made, x, y):
    terms = _bits(x)
    output = int(_bits(y)[0])
    return _library.suites_sum(ctypes.byref(made), len(terms), terms.ctypes.data, output)


def accepts_sum(made, x, y):
    return verdict_on_sum(made, x, y) not in (FAIL, SUSPECT)
