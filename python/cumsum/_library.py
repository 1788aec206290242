# SPDX-License-Identifier: MIT
"""The shared library, by ctypes: its structures, its functions, and its errors as exceptions.
Foreign calls release the interpreter's lock. include/cumsum says what each function does."""

from __future__ import annotations

import ctypes
import pathlib
import sys
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_size_t
from ctypes import c_uint32, c_uint64, c_void_p
from typing import Any, Sequence

# The soname: a library of another interface has another one.
_NAMES = {"win32": "{}.dll", "darwin": "lib{}.0.1.dylib"}

MAX_DIMENSIONS = 8
MOST_ELEMENTS = 2**32 - 1  # of the span of a tensor


def load(stem: str) -> ctypes.CDLL:
    """The library beside this file (a wheel, or a build tree), or else the system's."""
    name = _NAMES.get(sys.platform, "lib{}.so.0.1").format(stem)
    own = pathlib.Path(__file__).with_name(name)
    try:
        return ctypes.CDLL(str(own) if own.exists() else name)
    except OSError as error:
        raise ImportError(
            f"the package cumsum needs the library {name}, which is not beside its files in "
            f"{own.parent}, or which the system cannot load: {error}"
        ) from None


_KINDS: dict[str, Any] = {
    "?": c_bool,
    "c": c_char,
    "d": c_double,
    "i": c_int,
    "I": c_uint32,
    "q": c_uint64,
    "z": c_size_t,
    "s": c_char_p,
    "p": c_void_p,  # any pointer
    "-": None,
}


def _kind(text: str) -> Any:
    """A letter of _KINDS, one with the number of an array's elements, a structure, or with * a
    pointer."""
    if text[0] == "*":
        return POINTER(_kind(text[1:]))
    if text[1:].isdigit():
        return _KINDS[text[0]] * int(text[1:])
    return _KINDS.get(text) or globals()[text]


def _members(text: str) -> list[Any]:
    """The members of a structure: kinds, each with its members. Members that only the library reads
    are called `closed`."""
    fields = []
    for group in text.split(","):
        kind, *names = group.split()
        fields += [(name, _kind(kind)) for name in names]
    return fields


class Diagnostic(Structure):
    _fields_ = _members("i status, s tensor field, i dimension, q value limit, s rule, c320 message")


class BufferTensorDesc(Structure):
    _fields_ = _members(
        "i data_type flags, I dimension_count, *I sizes strides, q total_tensor_size_in_bytes,"
        "I guaranteed_base_offset_alignment"
    )


class TensorDesc(Structure):
    _fields_ = _members("i type, *BufferTensorDesc desc")


class OperatorDesc(Structure):
    _fields_ = _members(
        "*TensorDesc input_tensor output_tensor, I axis, i axis_direction has_exclusive_sum"
    )


class SumsDesc(Structure):
    _fields_ = _members("*TensorDesc input_tensor output_tensor, I axis_count, *I axes")


class Numerics(Structure):
    _fields_ = _members("i order half_accumulator half_store denormals")


class PlanOptions(Structure):
    _fields_ = _members("Numerics numerics, i kernel feature_level, p thread_pool")


VERDICT_MAY_OVERFLOW, VERDICT_FAIL, VERDICT_SUSPECT = 11, 12, 13
NAMED_COMPOSED = 7


class Finding(Structure):
    _fields_ = _members("i verdict, q12 closed")


class Judgement(Structure):
    _fields_ = _members(
        "q outputs overwritten, q14 counts, ? passed, I models, i error_class, d h,"
        "Finding first worst, I match_count, I160 matches, q18 near, q14 doubt, q3 power"
    )


class SumsJudgement(Structure):
    _fields_ = _members("Judgement judgement, q closer")


Place = c_uint64 * MAX_DIMENSIONS


class PiecesJudgement(Structure):
    _fields_ = _members("Judgement judgement, Place first worst doubt, q14 undoubted, I tried")

    def places(self) -> Any:
        return (Place * 3)(self.first, self.worst, self.doubt)


class Profile(Structure):
    _fields_ = _members("I7 closed")


class JudgeOptions(Structure):
    name: bytes | None = None  # of the profile
    _fields_ = _members(
        "? strict_zero reachable strict promised all_orders no_orders composed_orders, p composed,"
        "? near_order, Numerics numerics, p thread_pool,"
        "? accept_suspect no_doubt power power_if_suspect, *Profile profile"
    )


class Judged(Structure):
    _fields_ = _members(
        "*OperatorDesc desc, *SumsDesc sums, i type, I rank, p input, q input_in_bytes, p actual,"
        "q actual_in_bytes, p before, *JudgeOptions options, *Judgement judgement, q closer,"
        "s profile, *Place places, ? measure range"
    )


class Segments(Structure):
    """It refers to the arrays `kept`."""

    _fields_ = _members("*q ends, q count, *q per_line, p initial")
    kept: tuple[Any, ...]


class Explanation(Structure):
    _fields_ = _members("q97 closed")


class CudaMemory(Structure):
    _fields_ = _members("q address size_in_bytes")


# Each function's result, and its arguments. A function that returns "i" returns a status, and its
# last argument receives the diagnostic, where call() calls it.
_FUNCTIONS = """
version s
status_string s i
tensor_size i iIppp
validate i pip
kernel_available ? ip
plan_create i pppp
plan_destroy - p
plan_execute i ppqpqp
execute_segments i pppqpqp
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
judge_segments i pppqpqppppp
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
type_of_sums i si?
type_text z si?isz
"""


def declared(loaded: ctypes.CDLL, functions: str) -> ctypes.CDLL:
    for line in functions.split("\n")[1:-1]:
        name, result, *arguments = line.split()
        function = getattr(loaded, f"cumsum_{name}")
        function.restype = _KINDS[result]
        function.argtypes = [_KINDS[kind] for kind in "".join(arguments)]
    return loaded


library = declared(load("cumsum"), _FUNCTIONS)

_EXCEPTIONS = {1: ValueError, 2: ValueError, 3: ValueError, 4: NotImplementedError, 5: MemoryError}


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
    buffer = BufferTensorDesc(data_type, 0, len(sizes), numbers(sizes), numbers(strides))
    buffer.total_tensor_size_in_bytes = size_of(buffer)
    return ctypes.pointer(TensorDesc(1, ctypes.pointer(buffer)))


def size_of(buffer: BufferTensorDesc) -> int:
    """The size that the layout needs, or 0 if it cannot be computed; a rule then reports that."""
    total = c_uint64()
    layout = buffer.data_type, buffer.dimension_count, buffer.sizes, buffer.strides
    status = library.cumsum_tensor_size(*layout, ctypes.byref(total))
    return 0 if status else total.value


def bytes_of(tensor: Any) -> int:
    """The size of a tensor that a pointer leads to."""
    total: int = tensor.contents.desc.contents.total_tensor_size_in_bytes
    return total
