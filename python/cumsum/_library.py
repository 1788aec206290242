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
    c_uint16,
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


class OrderLevel(Structure):
    _fields_ = [("kind", c_int), ("size", c_uint32), ("open", c_uint16), ("close", c_uint16)]


class ComposedOrder(Structure):
    _fields_ = [("count", c_uint32), ("levels", OrderLevel * 5)]


class OrderMatch(Structure):
    _fields_ = [
        ("order", c_int),
        ("half_accumulator", c_int),
        ("half_store", c_int),
        ("denormals", c_int),
        ("composed", ComposedOrder),
    ]


class Finding(Structure):
    _fields_ = [
        ("verdict", c_int),
        ("coordinates", c_uint32 * MAX_DIMENSIONS),
        ("terms", c_uint64),
        ("expected", c_uint64),
        ("actual", c_uint64),
        ("lower", c_uint64),
        ("upper", c_uint64),
        ("decided", c_bool),
        ("ulps", c_uint64),
        ("error", c_double),
    ]


class NearOrder(Structure):
    _fields_ = [
        ("match", OrderMatch),
        ("differing", c_uint64),
        ("coordinates", c_uint32 * MAX_DIMENSIONS),
        ("expected", c_uint64),
        ("actual", c_uint64),
        ("ulps", c_uint64),
    ]


class Doubt(Structure):
    _fields_ = [
        ("reason", c_int),
        ("model", c_int),
        ("outputs", c_uint64),
        ("lines", c_uint64),
        ("coordinates", c_uint32 * MAX_DIMENSIONS),
        ("terms", c_uint64),
        ("error", c_double),
        ("error_before", c_double),
        ("bound", c_double),
        ("jump", c_double),
        ("seam", c_uint64),
        ("stays", c_bool),
    ]


class Power(Structure):
    _fields_ = [
        ("known", c_bool),
        ("exact", c_bool),
        ("lost_term", c_double),
        ("lost_carry", c_double),
    ]


VERDICTS = 14
VERDICT_MAY_OVERFLOW, VERDICT_FAIL, VERDICT_SUSPECT = 11, 12, 13
NAMED_ORDERS = 8
NAMED_COMPOSED = 7


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
        ("matches", OrderMatch * NAMED_ORDERS),
        ("near", NearOrder),
        ("doubt", Doubt),
        ("power", Power),
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
    _fields_ = [
        ("accumulator", c_int),
        ("rounding", c_int),
        ("flush_inputs", c_int),
        ("flush_results", c_int),
        ("specials_absent", c_bool),
        ("order", c_int),
        ("wider_allowed", c_bool),
    ]


class JudgeOptions(Structure):
    _fields_ = [
        ("strict_zero", c_bool),
        ("reachable", c_bool),
        ("strict", c_bool),
        ("promised", c_bool),
        ("all_orders", c_bool),
        ("no_orders", c_bool),
        ("composed_orders", c_bool),
        ("composed", POINTER(ComposedOrder)),
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


class Errors(Structure):
    _fields_ = [
        ("outputs", c_uint64),
        ("greatest", c_double),
        ("ulps", c_uint64),
        ("coordinates", c_uint32 * MAX_DIMENSIONS),
        ("mean", c_double),
        ("mean_magnitude", c_double),
    ]


class Note(Structure):
    _fields_ = [("count", c_uint64), ("first", c_uint32 * MAX_DIMENSIONS)]


class Explanation(Structure):
    _fields_ = [
        ("hypothesis", c_char_p),
        ("text", c_char * 400),
        ("certain", c_bool),
        ("explained", c_uint64),
        ("failing", c_uint64),
        ("looked_at", c_uint64),
        ("notes", Note * 5),
        ("off", c_double),
        ("terms", c_uint64),
        ("stuck", c_bool),
        ("errors", Errors),
    ]


_why = POINTER(Diagnostic)
_handle = POINTER(c_void_p)
_memory = (c_void_p, c_uint64, c_void_p, c_uint64)  # input and output

# The arguments of the functions, and their results where these are no status.
_FUNCTIONS: dict[str, tuple[Sequence[Any], Any]] = {
    "version": ((), c_char_p),
    "status_string": ((c_int,), c_char_p),
    "data_type_name": ((c_int,), c_char_p),
    "data_type_size": ((c_int,), c_uint32),
    "tensor_size": (
        (c_int, c_uint32, POINTER(c_uint32), POINTER(c_uint32), POINTER(c_uint64)),
        c_int,
    ),
    "validate": ((POINTER(OperatorDesc), c_int, _why), c_int),
    "kernel_available": ((c_int, c_void_p), c_bool),
    "plan_create": ((POINTER(OperatorDesc), POINTER(PlanOptions), _handle, _why), c_int),
    "plan_destroy": ((c_void_p,), None),
    "plan_execute": ((c_void_p, *_memory, _why), c_int),
    "carry_create": ((c_void_p, _handle, _why), c_int),
    "carry_create_total": ((c_void_p, c_uint64, _handle, _why), c_int),
    "carry_destroy": ((c_void_p,), None),
    "carry_begin": ((c_void_p,), c_uint64),
    "carry_end": ((c_void_p,), c_uint64),
    "carry_size": ((c_void_p,), c_uint64),
    "carry_execute": ((c_void_p, c_void_p, c_void_p, *_memory, _why), c_int),
    "carry_advance": ((c_void_p, c_void_p, c_void_p, *_memory[:2], _why), c_int),
    "carry_append": ((c_void_p, c_void_p, _why), c_int),
    "carry_save": ((c_void_p, c_void_p, c_uint64, _why), c_int),
    "carry_load": ((c_void_p, c_char_p, c_uint64, _handle, _why), c_int),
    "profile_read": ((c_char_p, c_int, POINTER(Profile), _why), c_int),
    "judge": (
        (POINTER(OperatorDesc), *_memory, POINTER(JudgeOptions), c_void_p, POINTER(Judgement), _why),
        c_int,
    ),
    "judge_sums": (
        (POINTER(SumsDesc), *_memory, POINTER(JudgeOptions), c_void_p, POINTER(SumsJudgement), _why),
        c_int,
    ),
    "judging_create": (
        (POINTER(OperatorDesc), c_uint64, POINTER(JudgeOptions), _handle, _why),
        c_int,
    ),
    "judging_destroy": ((c_void_p,), None),
    "judging_position": ((c_void_p,), c_uint64),
    "judging_feed": (
        (c_void_p, POINTER(OperatorDesc), c_uint64, *_memory, c_void_p, _why),
        c_int,
    ),
    "judging_end": ((c_void_p, POINTER(PiecesJudgement), _why), c_int),
    "judging_add_lines": ((POINTER(PiecesJudgement), POINTER(PiecesJudgement), _why), c_int),
    "explain": ((POINTER(Judged), POINTER(Explanation), _why), c_int),
    "judgement_text": (
        (POINTER(Judged), POINTER(Explanation), c_uint32, c_char_p, c_size_t),
        c_size_t,
    ),
    "judgement_json": ((POINTER(Judged), POINTER(Explanation), c_char_p, c_size_t), c_size_t),
    "verdict_name": ((c_int,), c_char_p),
    "doubt_reason_name": ((c_int,), c_char_p),
    "error_class_name": ((c_int,), c_char_p),
    "named_order_name": ((c_int,), c_char_p),
    "order_write": ((POINTER(ComposedOrder), c_char_p), None),
}


def _declared(loaded: ctypes.CDLL) -> ctypes.CDLL:
    for name, (arguments, result) in _FUNCTIONS.items():
        function = getattr(loaded, f"cumsum_{name}")
        function.argtypes = arguments
        function.restype = result
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
