# SPDX-License-Identifier: MIT
"""The shared library, by ctypes: its structures, its functions, and its errors as exceptions.
Foreign calls release the interpreter's lock. include/cumsum says what each function does."""

from __future__ import annotations

import ctypes
import pathlib
import sys
from ctypes import POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int, c_int32
from ctypes import c_size_t, c_uint32, c_uint64, c_void_p
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


_KINDS = {
    "?": c_bool,
    "d": c_double,
    "i": c_int,
    "I": c_uint32,
    "q": c_uint64,
    "z": c_size_t,
    "s": c_char_p,
    "p": c_void_p,  # any pointer
    "-": None,
}


def _members(kind: str, names: str) -> list[Any]:
    """Members of one kind."""
    return [(name, _KINDS[kind]) for name in names.split()]


def _closed(name: str, size: int) -> list[Any]:
    """Bytes of a structure whose members only the library reads."""
    return [(name, c_uint64 * (size // 8))]


class Diagnostic(Structure):
    _fields_ = [
        *_members("i", "status"),
        *_members("s", "tensor field"),
        ("dimension", c_int32),
        *_members("q", "value limit"),
        *_members("s", "rule"),
        ("message", c_char * 320),
    ]


class BufferTensorDesc(Structure):
    _fields_ = [
        *_members("i", "data_type flags"),
        *_members("I", "dimension_count"),
        ("sizes", POINTER(c_uint32)),
        ("strides", POINTER(c_uint32)),
        *_members("q", "total_tensor_size_in_bytes"),
        *_members("I", "guaranteed_base_offset_alignment"),
    ]


class TensorDesc(Structure):
    _fields_ = [("type", c_int), ("desc", POINTER(BufferTensorDesc))]


_TENSORS = [("input_tensor", POINTER(TensorDesc)), ("output_tensor", POINTER(TensorDesc))]


class OperatorDesc(Structure):
    _fields_ = [
        *_TENSORS,
        *_members("I", "axis"),
        *_members("i", "axis_direction has_exclusive_sum"),
    ]


class SumsDesc(Structure):
    _fields_ = [*_TENSORS, *_members("I", "axis_count"), ("axes", POINTER(c_uint32))]


class Numerics(Structure):
    _fields_ = _members("i", "order half_accumulator half_store denormals")


class PlanOptions(Structure):
    _fields_ = [
        ("numerics", Numerics),
        *_members("i", "kernel feature_level"),
        *_members("p", "thread_pool"),
    ]


VERDICTS = 14
VERDICT_MAY_OVERFLOW, VERDICT_FAIL, VERDICT_SUSPECT = 11, 12, 13
NAMED_COMPOSED = 7


class Finding(Structure):
    _fields_ = [*_members("i", "verdict"), *_closed("members", 96)]


class Judgement(Structure):
    _fields_ = [
        *_members("q", "outputs overwritten"),
        ("counts", c_uint64 * VERDICTS),
        *_members("?", "passed"),
        *_members("I", "models"),
        *_members("i", "error_class"),
        *_members("d", "h"),
        ("first", Finding),
        ("worst", Finding),
        *_members("I", "match_count"),
        ("matches", c_uint32 * 160),
        *_closed("near", 144),
        *_closed("doubt", 112),
        *_closed("power", 24),
    ]


class SumsJudgement(Structure):
    _fields_ = [("judgement", Judgement), *_members("q", "closer")]


Place = c_uint64 * MAX_DIMENSIONS


class PiecesJudgement(Structure):
    _fields_ = [
        ("judgement", Judgement),
        *[(name, Place) for name in ("first", "worst", "doubt")],
        ("undoubted", c_uint64 * VERDICTS),
        *_members("I", "tried"),
    ]


class Profile(Structure):
    _fields_ = [("members", c_uint32 * 7)]


class JudgeOptions(Structure):
    _fields_ = [
        *_members("?", "strict_zero reachable strict promised all_orders no_orders"),
        *_members("?", "composed_orders"),
        *_members("p", "composed"),
        *_members("?", "near_order"),
        ("numerics", Numerics),
        *_members("p", "thread_pool"),
        *_members("?", "accept_suspect no_doubt power power_if_suspect"),
        ("profile", POINTER(Profile)),
    ]


class Judged(Structure):
    _fields_ = [
        ("desc", POINTER(OperatorDesc)),
        ("sums", POINTER(SumsDesc)),
        *_members("i", "type"),
        *_members("I", "rank"),
        *_members("p", "input"),
        *_members("q", "input_in_bytes"),
        *_members("p", "actual"),
        *_members("q", "actual_in_bytes"),
        *_members("p", "before"),
        ("options", POINTER(JudgeOptions)),
        ("judgement", POINTER(Judgement)),
        *_members("q", "closer"),
        *_members("s", "profile"),
        ("places", POINTER(Place)),
        *_members("?", "measure range"),
    ]


class Explanation(Structure):
    _fields_ = _closed("members", 776)


class CudaMemory(Structure):
    _fields_ = _members("q", "address size_in_bytes")


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
