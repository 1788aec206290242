# SPDX-License-Identifier: MIT
"""fingerprint() and fingerprint_sum(): the order in which a function adds, as the command
`cumsum fingerprint` finds it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any, Callable, Literal, Tuple, Union

import numpy

from ._judgement import made
from ._words import flag, integer_of, names_successors, word_in


@dataclass(frozen=True)
class Fingerprint:
    """The order in which a function adds, and its arithmetic. It is true if one order was found
    that gives all sums: depends_on is empty then."""

    order: str
    """ "sequential", "sequential-16 of sequential", ...; "unnamed" for other trees of additions,
    "none" if no trees of additions give the sums, "unstable" if the same elements have other sums
    in another run or line."""
    also: tuple[str, ...] = ()
    """Other orders that add the same, as far as lines were compared."""
    accumulator: str = ""
    """What the sums are kept in: "binary32", "binary16", "binary64",
    "binary64-through-binary32" or "exact"."""
    store: str = ""
    """How float16 is stored: "nearest-even", "toward-zero" or "ieee"."""
    denormals: str = ""
    """What happens to subnormal numbers of float32 and float64: "preserve" or "flush"."""
    minus_zero: bool | None = None
    """Whether -0 alone gives -0."""
    minus_zeros: int | str | None = None
    """If not all outputs treat -0 alike: how many of them, from the first, keep it, or "any"."""
    limit: int | None = None
    """The number of terms up to which the order holds, or was tried, if there is such a limit."""
    depends_on: tuple[str, ...] = ()
    """The checks that found other bits."""
    checks: tuple[tuple[str, str, str], ...] = ()
    """The answers: what was asked ("runs", "line", "lines", "length", "layout", "place"), whether
    the bits are the "same", or the question is "answered", and what was tried or found."""
    trees: tuple[str, ...] = ()
    """The sum of each output as a formula, of unnamed orders of up to 32 elements."""
    reason: str = ""
    """Why there is no order."""

    def __bool__(self) -> bool:
        return self.order not in ("none", "unstable") and not self.depends_on

    def __str__(self) -> str:
        if self.reason:
            return f"{self.order}: {self.reason}"
        names = ", also ".join((self.order, *self.also))
        if "place" in self.depends_on:
            names += f" of the first {self.limit} terms, then another"
        store = f", stored {self.store}" if self.store else ""
        differing = (check for check in self.checks if check[1] == "differs")
        others = "".join(f"; other bits, {what}: {text}" for what, _, text in differing)
        return f"{names}; sums in {self.accumulator}{store}{others}"


def _fingerprint(said: dict[str, Any]) -> Fingerprint:
    checks = tuple(
        (name, check["outcome"], check["answer" if check["outcome"] == "answered" else "text"])
        for name, check in said.get("checks", {}).items()
    )
    lists = {key: tuple(value) for key, value in said.items() if isinstance(value, list)}
    found: Fingerprint = made(Fingerprint, {**said, **lists}, checks=checks)
    return found


_PARTS = {"complex64": "float32", "complex128": "float64"}


def _sums_of_parts(f: Callable[[Any], Any], dtype: str, x: Any) -> Any:
    """The sums of lines as f gives them for complex numbers: the real parts are every other line,
    and the imaginary ones those between them."""
    pairs = numpy.zeros((-(-len(x) // 2), x.shape[1], 2), x.dtype)
    pairs[..., 0] = x[::2]
    pairs[: len(x) // 2, :, 1] = x[1::2]
    given = pairs.view(dtype)[..., 0]
    sums = numpy.asarray(f(given))
    if sums.dtype != given.dtype or sums.shape != given.shape:
        return sums  # which is refused
    y = numpy.empty_like(x)
    y[::2], y[1::2] = sums.real, sums.imag[: len(x) // 2]
    return y


@names_successors()
def fingerprint(
    f: Callable[[Any], Any],
    dtype: Literal["float32", "float16", "float64", "complex64", "complex128"] = "float32",
    *,
    length: int = 128,
    reverse: bool = False,
    exclusive: bool = False,
) -> Fingerprint:
    """Finds the order in which a function adds, from its outputs alone: the answer of the command
    `cumsum fingerprint`, which must be installed.

    f: takes a NumPy array of two dimensions, and returns its sums along the last axis, an array of
        the same type and shape that numpy.asarray() takes. It is called about 30 times, with up to
        1,025 lines or 65,539 elements in a line, and sums that overflow, of which NumPy does not
        warn then. For PyTorch: lambda x: torch.cumsum(torch.from_numpy(x), -1).
    dtype: the type of the array. Complex numbers have two lines each, those of their parts.
    length: the number of elements of a line, 4 to 2048.
    reverse, exclusive: what f computes, as in cumsum().

    After a second, a line on the terminal says how far it is, if standard error is a terminal.

    Raises FileNotFoundError if there is no program `cumsum` in PATH, RuntimeError with its words if
    it fails, ValueError if f returns another type or shape, and what f raises.
    """
    word_in("dtype", dtype, (*_PARTS.values(), "float16", *_PARTS))
    length = integer_of("length", length)
    reverse, exclusive = flag("reverse", reverse), flag("exclusive", exclusive)
    from ._program import run_fingerprint

    asked: Callable[[Any], Any] = f
    if dtype in _PARTS:
        asked = functools.partial(_sums_of_parts, f, dtype)
    how = _PARTS.get(dtype, dtype), length
    return _fingerprint(run_fingerprint(asked, *how, reverse=reverse, exclusive=exclusive))


Tree = Union[int, Tuple["Tree", "Tree"]]


@dataclass(frozen=True)
class SumFingerprint:
    """How a function adds the terms of one sum."""

    length: int
    """The number of terms."""
    name: str | None
    """The name of the order; None if the tree has none."""
    tree: Tree | None
    """The additions as nested pairs of indices: ((0, 1), 2) is (x[0] + x[1]) + x[2]. None if the
    sum is exact, or no tree of additions of two numbers."""

    def __str__(self) -> str:
        if self.name is not None:
            return f"{self.length} terms: {self.name}"
        return f"{self.length} terms: " + ("a tree without a name" if self.tree else "no tree")


def _tree_of(formula: str) -> Tree:
    """The tree of a formula as "((x0 + x1) + x2)"."""
    parts: list[Tree] = []
    for term in re.findall(r"x\d+|\)", formula):
        if term == ")":
            second = parts.pop()
            parts.append((parts.pop(), second))
        else:
            parts.append(int(term[1:]))
    return parts[0]


@names_successors()
def fingerprint_sum(
    f: Callable[[Any], Any],
    dtype: Literal["float32", "float16", "float64"] = "float32",
    *,
    length: int = 128,
) -> SumFingerprint:
    """Finds the tree in which f adds the elements of an array: the answer of the command
    `cumsum fingerprint --sum`, which must be installed.

    f: a function of a one-dimensional array of NumPy, which returns the sum of its elements. It is
        called some thousands of times; NumPy does not warn of overflows meanwhile.
    dtype: the type of the array.
    length: the number of elements, from 4 to 2048, of float16 to 1024. Many functions add short and
        long arrays in different ways.

    The name lists levels from the elements outwards, as those of scans do: `strided-8 of pairwise`
    is numpy.sum of up to 128 elements. docs/python.md has the grammar. A sum that loses no unit is
    "exact": a compensated one, or of float16 one with a binary64 accumulator.

    Raises what fingerprint() raises.
    """
    word_in("dtype", dtype, ("float32", "float16", "float64"))
    length = integer_of("length", length)
    from ._program import run_fingerprint

    said = run_fingerprint(f, dtype, length, total=True)
    order = said["order"]
    trees = said.get("trees", ())
    named = order not in ("none", "unstable", "unnamed")
    return SumFingerprint(length, order if named else None, _tree_of(trees[0]) if trees else None)
