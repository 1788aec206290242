# SPDX-License-Identifier: MIT
"""python_faults.py [--every N] [--only NAME...]: lets each allocation of the Python package fail, one
at a time.

Runs with the library of fault_calls.h loaded first (LD_PRELOAD) and PYTHONMALLOC=malloc. Each function
must then return its usual result or raise MemoryError, and free what it took.
"""

import argparse
import ctypes
import gc
import sys
import types

import cumsum
import numpy

faults = ctypes.CDLL(None)
faults.fault_arm.argtypes = [ctypes.c_int, ctypes.c_ulong]
faults.fault_disarm.restype = ctypes.c_ulong
faults.fault_live.restype = ctypes.c_size_t

MEMORY = 0  # of fault_kind

X = numpy.arange(24, dtype="float32").reshape(4, 6)
Y = numpy.cumsum(X, axis=1, dtype="float32")


def borrowed(array):
    """An object that has DLPack's protocol and no other."""
    return types.SimpleNamespace(__dlpack__=array.__dlpack__,
                                 __dlpack_device__=array.__dlpack_device__)


def between_tensors():
    out = numpy.zeros_like(X)
    cumsum.cumsum(borrowed(X), axis=1, out=borrowed(out))
    return out.tobytes()


def validated(axis):
    """The answer to a descriptor that is valid if the axis is."""
    tensor = {"DataType": "FLOAT32", "Sizes": [4, 6]}
    return repr(cumsum.validate(InputTensor=tensor, OutputTensor=tensor, Axis=axis,
                                AxisDirection="DECREASING", HasExclusiveSum=True))


def into_output():
    out = numpy.zeros((6, 4), dtype="float16").T
    cumsum.cumsum(X.astype("float16"), axis=0, reverse=True, out=out)
    return out.tobytes()


def in_pieces():
    carry = cumsum.Carry()
    carry.append(cumsum.Carry.total(X[:, :2], 1, order="exact"))
    carry = carry.copy()
    return cumsum.cumsum(X[:, 2:], axis=1, order="exact", carry=carry).tobytes() + bytes(carry)


FUNCTIONS = {
    "cumsum": lambda: cumsum.cumsum(X, axis=1).tobytes(),
    "cumsum, out": into_output,
    "cumsum, strides": lambda: cumsum.cumsum(X.T[::2], axis=0, exclusive=True).tobytes(),
    "cumsum, threads": lambda: cumsum.cumsum(X, axis=1, threads=3).tobytes(),
    "cumsum, DLPack": between_tensors,
    "cumsum, carry": in_pieces,
    "judge": lambda: repr(cumsum.judge(X, Y, 1)),
    "validate": lambda: validated(1),
    "validate, wrong": lambda: validated(2),
    "judge, DLPack": lambda: repr(cumsum.judge(borrowed(X), Y + 1, 1)),
}


def outcome(function, call):
    """How many calls there were, and the result: a value, or the type of an exception."""
    faults.fault_arm(MEMORY, call)
    try:
        value = function()
    except Exception as error:  # judged by the caller
        value = type(error)
    return faults.fault_disarm(), value


def live():
    """Blocks in use, without the names of methods that Python keeps for later look-ups."""
    gc.collect()
    sys._clear_type_cache()
    return faults.fault_live()


def try_call(name, function, call, wanted, before):
    """What is wrong when this call fails. How many there were, and how many blocks are in use."""
    count, value = outcome(function, call)
    if value not in [wanted, MemoryError]:
        problems.append(f"{name}: call {call} fails: {value}")
    del value
    after = live()
    if after > before:
        problems.append(f"{name}: call {call} fails: leaks {after - before} blocks")
    return count, after


def try_function(name, function, every):
    """Every N-th call. How many failed."""
    wanted = function()
    outcome(function, 0)  # so that what Python keeps for later calls is there already
    call, used = 1, live()
    while True:
        count, used = try_call(name, function, call, wanted, used)
        if count < call:
            print(f"{name}: {(call - 1) // every} calls")
            return (call - 1) // every
        call += every


parser = argparse.ArgumentParser()
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--only", nargs="*", default=FUNCTIONS)
chosen = parser.parse_args()
problems = []
total = sum(try_function(name, function, chosen.every) for name, function in FUNCTIONS.items()
            if name in chosen.only)
for text in problems:
    print(f"FAIL: {text}")
print(f"{total} calls failed, {len(problems)} of them were handled wrongly")
sys.exit(1 if problems or not total else 0)
