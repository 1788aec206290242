# SPDX-License-Identifier: MIT
"""The shared library, by ctypes: its structures, its functions, and its errors as exceptions. Foreign
calls release the interpreter's lock. include/cumsum says what each function does."""

from __future__ import annotations

import ctypes
import pathlib
import sys
from ctypes import (
    POINTER,
    Structure,
    c_bool,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any, Sequence

# The soname: a library of another interface has another one.
_NAMES = {"win32": "cumsum.dll", "darwin": "libcumsum.0.1.dylib"}
_NAME = _NAMES.get(sys.platform, "libcumsum.so.0.1")

MAX_DIMENSIONS = 8
MOST_ELEMENTS = 2**32 - 1  # of the span of a tensor


def _load() -> ctypes.CDLL:
    """The library beside this file (a wheel, or a build tree), or else the system's."""
    own = pathlib.Path(__file__).with_name(_NAME)
    try:
        return ctypes.CDLL(str(own) if own.exists() else _NAME)
    except OSError as error:
        raise ImportError(
            f"the package cumsum needs the library {_NAME}, which is not beside its files in "
            f"{own.parent}, or which the system cannot load: {error}"
        ) from None


class Diagnostic(Structure):
    _fields_ = [
        ("status", c_int),
        ("tensor", c_char_p),
        ("field", c_char_p),
        ("dimension", c_int32),
        ("value", c_uint64),
        ("limit", c_uint64),
        ("rule", c_char_p),
        ("message", c_char * 320),
    ]


class BufferTensorDesc(Structure):
    _fields_ = [
        ("data_type", c_int),
        ("flags", c_int),
        ("dimension_count", c_uint32),
        ("sizes", POINTER(c_uint32)),
        ("strides", POINTER(c_uint32)),
        ("total_tensor_size_in_bytes", c_uint64),
        ("guaranteed_base_offset_alignment", c_uint32),
    ]


class TensorDesc(Structure):
    _fields_ = [("type", c_int), ("desc", POINTER(BufferTensorDesc))]


class OperatorDesc(Structure):
    _fields_ = [
        ("input_tensor", POINTER(TensorDesc)),
        ("output_tensor", POINTER(TensorDesc)),
        ("axis", c_uint32),
        ("axis_direction", c_int),
        ("has_exclusive_sum", c_int32),
    ]


class SumsDesc(Structure):
    _fields_ = [
        ("input_tensor", POINTER(TensorDesc)),
        ("output_tensor", POINTER(TensorDesc)),
        ("axis_count", c_uint32),
        ("axes", POINTER(c_uint32)),
    ]


class Numerics(Structure):
    _fields_ = [
        ("order", c_int),
        ("half_accumulator", c_int),
        ("half_store", c_int),
        ("denormals", c_int),
    ]


class PlanOptions(Structure):
    _fields_ = [
        ("numerics", Numerics),
        ("kernel", c_int),
        ("feature_level", c_int),
        ("thread_pool", c_void_p),
    ]


def _closed(size: int) -> Any:
    """Bytes of a structure whose members only the library reads."""
    return c_uint64 * (size // 8)


VERDICTS = 14
VERDICT_MAY_OVERFLOW, VERDICT_FAIL, VERDICT_SUSPECT = 11, 12, 13
NAMED_COMPOSED = 7


class Finding(Structure):
    _fields_ = [("verdict", c_int), ("members", _closed(96))]


class Judgement(Structure):
    _fields_ = [
        ("outputs", c_uint64),
        ("overwritten", c_uint64),
        ("counts", c_uint64 * VERDICTS),
        ("passed", c_bool),
        ("models", c_uint32),
        ("error_class", c_int),
        ("h", c_double),
        ("first", Finding),
        ("worst", Finding),
        ("match_count", c_uint32),
        ("matches", c_uint32 * 160),
        ("near", _closed(144)),
        ("doubt", _closed(112)),
        ("power", _closed(24)),
    ]


class SumsJudgement(Structure):
    _fields_ = [("judgement", Judgement), ("closer", c_uint64)]


class PiecesJudgement(Structure):
    _fields_ = [
        ("judgement", Judgement),
        ("first", c_uint64 * MAX_DIMENSIONS),
        ("worst", c_uint64 * MAX_DIMENSIONS),
        ("doubt", c_uint64 * MAX_DIMENSIONS),
        ("undoubted", c_uint64 * VERDICTS),
        ("tried", c_uint32),
    ]


class Profile(Structure):
    _fields_ = [("members", c_uint32 * 7)]


class JudgeOptions(Structure):
    _fields_ = [
        ("strict_zero", c_bool),
        ("reachable", c_bool),
        ("strict", c_bool),
        ("promised", c_bool),
        ("all_orders", c_bool),
        ("no_orders", c_bool),
        ("composed_orders", c_bool),
        ("composed", c_void_p),
        ("near_order", c_bool),
        ("numerics", Numerics),
        ("thread_pool", c_void_p),
        ("accept_suspect", c_bool),
        ("no_doubt", c_bool),
        ("power", c_bool),
        ("power_if_suspect", c_bool),
        ("profile", POINTER(Profile)),
    ]


class Judged(Structure):
    _fields_ = [
        ("desc", POINTER(OperatorDesc)),
        ("sums", POINTER(SumsDesc)),
        ("type", c_int),
        ("rank", c_uint32),
        ("input", c_void_p),
        ("input_in_bytes", c_uint64),
        ("actual", c_void_p),
        ("actual_in_bytes", c_uint64),
        ("before", c_void_p),
        ("options", POINTER(JudgeOptions)),
        ("judgement", POINTER(Judgement)),
        ("closer", c_uint64),
        ("profile", c_char_p),
        ("places", POINTER(c_uint64 * MAX_DIMENSIONS)),
        ("measure", c_bool),
    ]


class Explanation(Structure):
    _fields_ = [("members", _closed(736))]


_KINDS = {
    "?": c_bool,
    "i": c_int,
    "I": c_uint32,
    "q": c_uint64,
    "z": c_size_t,
    "s": c_char_p,
    "p": c_void_p,  # any pointer
    "-": None,
}

# Each function's result, and its arguments. A function that returns "i" returns a status, and its
# last argument receives the diagnostic, where call() calls it.
_FUNCTIONS = """
version s
status_string s i
data_type_size I i
tensor_size i iIppp
validate i pip
kernel_available ? ip
plan_create i pppp
plan_destroy - p
plan_execute i ppqpqp
carry_create i ppp
carry_create_total i pqpp
carry_destroy - p
carry_begin q p
carry_end q p
carry_size q p
carry_execute i ppppqpqp
carry_advance i ppppqp
carry_append i ppp
carry_save i psqp
carry_load i psqpp
profile_read i sipp
judge i ppqpqpppp
judge_sums i ppqpqpppp
judging_create i pqppp
judging_destroy - p
judging_position q p
judging_feed i ppqpqpqpp
judging_end i ppp
judging_add_lines i ppp
explain i ppp
judgement_text z ppIsz
judgement_json z ppsz
named_order_name s i
"""


def _declared(loaded: ctypes.CDLL) -> ctypes.CDLL:
    for line in _FUNCTIONS.split("\n")[1:-1]:
        name, result, *arguments = line.split()
        function = getattr(loaded, f"cumsum_{name}")
        function.restype = _KINDS[result]
        function.argtypes = [_KINDS[kind] for kind in "".join(arguments)]
    return loaded


library = _declared(_load())

_EXCEPTIONS = {1: ValueError, 2: ValueError, 3: ValueError, 4: NotImplementedError, 5: MemoryError}
INVALID_DESCRIPTOR = 2


def _exception(status: int, why: Diagnostic) -> Exception:
    kind = _EXCEPTIONS.get(status, RuntimeError)
    if why.status != status or not why.message:
        return kind(library.cumsum_status_string(status).decode())
    if why.tensor == b"OutputTensor" and why.field == b"Strides":
        return kind("out has elements that share memory, in which sums would overwrite each other")
    message = why.message.decode("utf-8", "replace")
    return kind(message.replace("InputTensor", "x").replace("OutputTensor", "out"))


def call(function: Any, *arguments: Any) -> None:
    """Calls a function of the library with a diagnostic as its last argument. Raises ValueError,
    NotImplementedError, MemoryError or RuntimeError with the diagnostic's text."""
    why = Diagnostic()
    status = function(*arguments, ctypes.byref(why))
    if status:
        raise _exception(status, why)


class Handle:
    """What the library made, until nothing refers to it."""

    __slots__ = ("pointer", "_destroy")

    def __init__(self, create: Any, destroy: Any, *arguments: Any) -> None:
        """create is called with the arguments, a place for what it makes, and a diagnostic."""
        self.pointer: int | None = None
        self._destroy = destroy
        made = c_void_p()
        call(create, *arguments, ctypes.byref(made))
        self.pointer = made.value

    def __del__(self) -> None:
        if getattr(self, "pointer", None):
            self._destroy(self.pointer)


def numbers(values: Sequence[int]) -> Any:
    """An array of uint32."""
    return (c_uint32 * len(values))(*values)


def tensor_of(data_type: int, sizes: Sequence[int], strides: Sequence[int]) -> Any:
    """A pointer to a tensor. Sizes and strides are in elements."""
    size = library.cumsum_data_type_size(data_type)
    extent = 1 + sum((n - 1) * stride for n, stride in zip(sizes, strides))
    if 0 in sizes:
        extent = 0
    buffer = BufferTensorDesc(
        data_type, 0, len(sizes), numbers(sizes), numbers(strides), (extent * size + 3) // 4 * 4, 0
    )
    return ctypes.pointer(TensorDesc(1, ctypes.pointer(buffer)))


def bytes_of(tensor: Any) -> int:
    """The size of a tensor that a pointer leads to."""
    total: int = tensor.contents.desc.contents.total_tensor_size_in_bytes
    return total
