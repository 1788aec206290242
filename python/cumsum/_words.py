# SPDX-License-Identifier: MIT
"""The words of string arguments, and the library's numbers for them."""

from __future__ import annotations

import functools
import inspect
import operator
from difflib import get_close_matches
from typing import (
    Any, Callable, Iterable, Literal, Mapping, SupportsIndex, TypedDict, TypeVar, get_args,
)

from ._library import library

Order = Literal["sequential", "blocked", "exact"]
HalfAccumulator = Literal["float32", "float16"]
HalfStore = Literal["nearest-even", "toward-zero", "ieee"]
Denormals = Literal["preserve", "flush"]
Kernel = Literal["auto", "reference", "portable", "avx2", "avx512", "neon"]
FeatureLevel = Literal["2_1", "4_0", "5_0"]
Accept = Literal["decided", "conformant", "suspect"]


class ScanOptions(TypedDict, total=False):
    """What is summed, in which arithmetic; cumsum() says what the words mean."""

    exclusive: bool
    reverse: bool
    order: Order
    half_accumulator: HalfAccumulator
    half_store: HalfStore
    denormals: Denormals


def _numbered(words: Any) -> dict[Any, int]:
    """The library's numbers: it has the words in this order."""
    return {word: number for number, word in enumerate(get_args(words))}


ORDERS = _numbered(Order)
HALF_ACCUMULATORS = _numbered(HalfAccumulator)
HALF_STORES = _numbered(HalfStore)
DENORMALS = _numbered(Denormals)
KERNELS = _numbered(Kernel)
FEATURE_LEVELS = {"2_1": 0x2100, "4_0": 0x4000, "5_0": 0x5000}
DATA_TYPES = ("float64", "float32", "float16", "int32", "uint32", "int64", "uint64")
# The numbers of cumsum_data_type, of the types that NumPy has.
_NUMBERED = "float32 float16 uint32 uint16 uint8 int32 int16 int8 float64 uint64 int64"
TYPE_NUMBERS = {name: number for number, name in enumerate(_NUMBERED.split(), 1)}
BFLOAT16 = 256
JUDGED_TYPES = {**TYPE_NUMBERS, "bfloat16": BFLOAT16}
MAX_THREADS = 1024

Word = TypeVar("Word", bound=str)
Function = TypeVar("Function", bound=Callable[..., Any])


# Keywords that have another name here, or had one, and what to give.
_SUCCESSORS = {
    "at_most": "at_most=",
    "decreasing": "reverse=",
    "doubtful": "accept='suspect'",
    "min_class": "at_most=",
    "profile": "rules=",
    "strict": "accept='decided'",
    "strict_zero": "rules='zero=signed'",
    "suspect": "accept='suspect'",
}


def _instead(name: str, known: set[str]) -> str:
    """What to give in place of a keyword that a function does not have; "" if that is not known."""
    similar = [f"{other}=" for other in get_close_matches(name, known, 1)]
    text = _SUCCESSORS.get(name, "".join(similar))
    argument = text.partition("=")[0]
    if argument == "at_most" and "accept" in known and argument not in known:
        return "at_most= to assert_cumsum() or assert_sum()"
    return text if argument in known else ""


def names_successors(options: Any = None) -> Callable[[Function], Function]:
    """A function's TypeError for a keyword that it does not have says which one to give instead.
    options: the TypedDict of its **options."""

    def wrapped(function: Function) -> Function:
        known = {*inspect.signature(function).parameters, *getattr(options, "__annotations__", ())}

        @functools.wraps(function)
        def checked(*arguments: Any, **given: Any) -> Any:
            __tracebackhide__ = True  # pytest shows the test instead
            for name in given.keys() - known:
                instead = _instead(name, known)
                hint = f"give {instead}" if instead else f"it has {', '.join(sorted(known))}"
                raise TypeError(f"{function.__name__}() has no argument {name}; {hint}")
            return function(*arguments, **given)

        return checked  # type: ignore[return-value]

    return wrapped


# The same of words.
_SUCCEEDING_WORDS = {
    "doubtful": "suspect",
    "any-order": "worst-case",
    "indeterminate": "may-overflow",
}


def word_in(argument: str, word: object, words: Iterable[Word]) -> Word:
    """The word, if it is one of the words. The ValueError for another one lists all."""
    for known in words:
        if isinstance(word, str) and word == known:
            return known
    listed = ", ".join(map(repr, words))
    successor = _SUCCEEDING_WORDS.get(word, "") if isinstance(word, str) else ""
    hint = f"; give {successor!r}" if successor in listed and successor else ""
    raise ValueError(f"{argument} is {word!r}, and must be one of {listed}{hint}")


def number_of(argument: str, word: object, words: Mapping[Word, int]) -> int:
    """The number of a word."""
    try:
        return words[word]  # type: ignore[index]
    except (KeyError, TypeError):
        return words[word_in(argument, word, words)]


def word_of(number: int, words: Mapping[Word, int]) -> Word:
    """The word for a number that the library returned."""
    return next(word for word, value in words.items() if value == number)


def in_capitals(name: str) -> str:
    """DirectML's name of a member: "DataType" for data_type."""
    return "".join(map(str.capitalize, name.split("_")))


def is_bool(value: object) -> bool:
    """Python's or NumPy's, which older versions call bool_."""
    return type(value).__name__ in ("bool", "bool_")


def flag(argument: str, value: object) -> bool:
    """A bool of Python or NumPy. Anything else is a mistake: 'no' would be true."""
    if is_bool(value):
        return bool(value)
    raise TypeError(f"{argument} is {value!r}, and must be True or False")


def numerics(
    order: str, half_accumulator: str, half_store: str, denormals: str
) -> tuple[int, int, int, int]:
    """The members of cumsum_numerics."""
    return (
        number_of("order", order, ORDERS),
        number_of("half_accumulator", half_accumulator, HALF_ACCUMULATORS),
        number_of("half_store", half_store, HALF_STORES),
        number_of("denormals", denormals, DENORMALS),
    )


def index_of(value: Any) -> int | None:
    """The value as an index, or None. Arrays have __index__ too, so only a call decides."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def integer_of(argument: str, value: object) -> int:
    """An integer of any type but bool: as in NumPy, a bool is meant for another argument."""
    number = None if is_bool(value) else index_of(value)
    if number is None:
        raise TypeError(f"{argument} is {value!r}, and must be an integer")
    return number


def one_axis(axis: SupportsIndex | None, dim: SupportsIndex | None) -> SupportsIndex | None:
    """The axis, which PyTorch calls dim."""
    if axis is not None and dim is not None:
        raise TypeError("axis and dim are two names of one argument; give one of them")
    return dim if axis is None else axis


def axis_of(dimensions: int, axis: SupportsIndex | None) -> int:
    """The axis as a number from 0 on. None means the only axis. An array without dimensions is
    summed as one of a single element, as in NumPy and PyTorch."""
    dimensions = dimensions or 1
    if axis is None and dimensions > 1:
        raise ValueError(f"axis must be given, since x has {dimensions} dimensions")
    return axis_within(dimensions, 0 if axis is None else axis)


def axis_within(dimensions: int, axis: SupportsIndex) -> int:
    """The axis as a number from 0 on."""
    number = integer_of("axis", axis)
    if not -dimensions <= number < dimensions:
        raise ValueError(f"axis {number} is out of bounds for an array of dimension {dimensions}")
    return number % dimensions


def thread_count(threads: SupportsIndex) -> int:
    """The number of threads. More than the limit is a mistake."""
    number = integer_of("threads", threads)
    if not 0 <= number <= MAX_THREADS:
        raise ValueError(f"threads is {number}, and must be a number from 0 to {MAX_THREADS}")
    return number


def kernels() -> list[Kernel]:
    """The kernels of this build that this processor can run. All give the same bits."""
    is_available = library.cumsum_kernel_available
    return [word for word, number in KERNELS.items() if is_available(number, None)]
