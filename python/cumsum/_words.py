# SPDX-License-Identifier: MIT
"""The words of string arguments, and the library's numbers for them."""

from __future__ import annotations

import functools
import operator
from typing import Any, Callable, Iterable, Literal, Mapping, SupportsIndex, TypeVar, get_args

from ._library import library

Order = Literal["sequential", "blocked", "exact"]
HalfAccumulator = Literal["float32", "float16"]
HalfStore = Literal["nearest-even", "toward-zero", "ieee"]
Denormals = Literal["preserve", "flush"]
Kernel = Literal["auto", "reference", "portable", "avx2", "avx512", "neon"]
FeatureLevel = Literal["2_1", "4_0", "5_0"]
Accept = Literal["decided", "conformant", "suspect"]

ORDERS = {"sequential": 0, "blocked": 1, "exact": 2}
HALF_ACCUMULATORS: dict[HalfAccumulator, int] = {"float32": 0, "float16": 1}
HALF_STORES: dict[HalfStore, int] = {"nearest-even": 0, "toward-zero": 1, "ieee": 2}
DENORMALS: dict[Denormals, int] = {"preserve": 0, "flush": 1}
KERNELS: dict[Kernel, int] = {
    "auto": 0,
    "reference": 1,
    "portable": 2,
    "avx2": 3,
    "avx512": 4,
    "neon": 5,
}
DATA_TYPES = ("float64", "float32", "float16", "int32", "uint32", "int64", "uint64")
# The numbers of cumsum_data_type, of the types that NumPy has.
TYPE_NUMBERS = {
    "float32": 1,
    "float16": 2,
    "uint32": 3,
    "uint16": 4,
    "uint8": 5,
    "int32": 6,
    "int16": 7,
    "int8": 8,
    "float64": 9,
    "uint64": 10,
    "int64": 11,
}
BFLOAT16 = 256
MAX_THREADS = 1024
ACCEPTS: tuple[Accept, ...] = get_args(Accept)
FEATURE_LEVELS = {"2_1": 0x2100, "4_0": 0x4000, "5_0": 0x5000}


Word = TypeVar("Word", bound=str)
Function = TypeVar("Function", bound=Callable[..., Any])


def refuses(**old: str) -> Callable[[Function], Function]:
    """A function refuses keywords that it had once, with the one that is given now."""

    def wrapped(function: Function) -> Function:
        @functools.wraps(function)
        def checked(*arguments: Any, **options: Any) -> Any:
            __tracebackhide__ = True
            for name in old.keys() & options.keys():
                raise TypeError(f"{function.__name__}() has no argument {name}; give {old[name]}")
            return function(*arguments, **options)

        return checked  # type: ignore[return-value]

    return wrapped


OLD_JUDGING = {
    "strict": "accept='decided'",
    "suspect": "accept='suspect'",
    "doubtful": "accept='suspect'",
    "profile": "rules",
}


def word_in(argument: str, word: object, words: Iterable[Word]) -> Word:
    """The word, if it is one of the words. The ValueError for another one lists all."""
    for known in words:
        if isinstance(word, str) and word == known:
            return known
    raise ValueError(f"{argument} is {word!r}, and must be one of {', '.join(map(repr, words))}")


def number_of(argument: str, word: object, words: Mapping[Word, int]) -> int:
    """The number of a word."""
    try:
        return words[word]  # type: ignore[index]
    except (KeyError, TypeError):
        return words[word_in(argument, word, words)]


def flag(argument: str, value: object) -> bool:
    """A bool of Python or NumPy. Anything else is a mistake: 'no' would be true."""
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise TypeError(f"{argument} is {value!r}, and must be True or False")


def word_of(number: int, words: Mapping[Word, int]) -> Word:
    """The word for a number that the library returned."""
    return next(word for word, value in words.items() if value == number)


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
    number = None if type(value).__name__ in ("bool", "bool_") else index_of(value)
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
    number = 0 if axis is None else integer_of("axis", axis)
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
    return [word for word, number in KERNELS.items() if library.cumsum_kernel_available(number, None)]
