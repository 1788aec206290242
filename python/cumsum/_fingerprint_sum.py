# SPDX-License-Identifier: MIT
"""fingerprint_sum(): the tree in which a function adds, found by probing it.

The probes are those of FPRev (Xie, Gao, Xue: "Revealing Floating-Point Accumulation Orders", arXiv
2411.00442): +M and -M at two places, and units at all others, so small that they vanish beside M.
The result counts the units that were added after M was cancelled, and so tells how many terms lie
below the lowest addition that both places share.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any, Callable, Tuple, Union

from . import _cumsum
from ._progress import Progress
from ._words import integer_of, word_in

Tree = Union[int, Tuple["Tree", "Tree"]]

# M, and the unit: n units are less than half a unit in the last place of M in binary64, too.
_PROBES = {
    "float64": (2.0**900, 1.0),
    "float32": (2.0**100, 1.0),
    "float16": (2.0**15, 2.0**-24),
}
_MOST_TERMS = 512  # the trees nest as deep, and Python limits that


@dataclass(frozen=True)
class SumFingerprint:
    """How a function adds the terms of one sum."""

    length: int
    """The number of terms."""
    name: str | None
    """The name of the order; None if the tree has none."""
    tree: Tree | None
    """The additions as nested pairs of indices: ((0, 1), 2) is (x[0] + x[1]) + x[2]. None if the sum
    is exact, or no tree of additions of two numbers."""

    def __str__(self) -> str:
        if self.name is not None:
            return f"{self.length} terms: {self.name}"
        return f"{self.length} terms: " + ("a tree without a name" if self.tree else "no tree")


class _NoTree(Exception):
    """The counts contradict each other."""


class _Prober:
    """Asks the function, and remembers its answers."""

    def __init__(self, f: Callable[[Any], Any], dtype: str, length: int) -> None:
        import numpy

        self.f = f
        self.length = length
        self.large, self.unit = _PROBES[dtype]
        self.x = numpy.full(length, self.unit, dtype)
        self.known: dict[tuple[int, int], int] = {}
        self.progress = Progress("fingerprint_sum")
        self.most_calls = length * (length - 1) // 2

    def shared(self, i: int, j: int) -> int:
        """The number of terms below the lowest addition that has both i and j below it."""
        if (i, j) not in self.known:
            x = self.x.copy()
            x[i], x[j] = self.large, -self.large
            self.progress.show(f"at most {self.most_calls}")
            count = float(self.f(x)) / self.unit
            if not 0 <= count <= self.length - 2 or count != int(count):
                raise _NoTree
            self.known[i, j] = self.length - int(count)
        return self.known[i, j]


def _reveal(probe: _Prober, leaves: list[int], from_first: bool = True) -> Tree:
    """The tree over the leaves, which are those of one addition: the path from the first leaf to the
    root, at each of whose additions the leaves that are new are a tree of their own. A chain that
    ends at the first leaf has one of these only, whose path begins at its last leaf then."""
    end = leaves[0 if from_first else -1]
    levels: dict[int, list[int]] = {}
    for leaf in leaves:
        if leaf != end:
            levels.setdefault(probe.shared(*sorted((end, leaf))), []).append(leaf)
    tree: Tree = end
    size = 1
    for total in sorted(levels):
        if size + len(levels[total]) != total:
            raise _NoTree
        other = _reveal(probe, levels[total], len(levels) > 1 or not from_first)
        tree = (tree, other) if from_first else (other, tree)
        size = total
    return tree



def _additions(tree: Tree, length: int, sums: array[int]) -> int:
    """Appends the additions of a tree; returns the number of its root, as the extension
    takes it."""
    if isinstance(tree, int):
        return tree
    a = _additions(tree[0], length, sums)
    sums.extend((a, _additions(tree[1], length, sums)))
    return length + len(sums) // 2 - 1


def fingerprint_sum(
    f: Callable[[Any], Any], dtype: str = "float32", *, length: int = 128
) -> SumFingerprint:
    """Finds the tree in which f adds the elements of an array.

    f: a function of a one-dimensional array of NumPy, which returns the sum of its elements.
    dtype: "float32", "float64" or "float16".
    length: the number of elements, from 2 to 512. Many functions add short and long arrays in
        different ways.

    The name lists levels from the elements outwards, as those of scans do:

        order = { level " of " } kind
        level = kind "-" N | "strided-" LANES [ "-" N ]
        kind  = "sequential" | "pairwise" | "halving" | "right-to-left" | "hillis-steele" |
                "blelloch"

    Each level adds blocks of N units, and its totals are the units of the next one. pairwise adds
    neighbours in rounds; halving adds in each round the second half of the units to the first.
    A strided level has lanes: of 8 lanes, each adds every eighth unit in sequence, in blocks of N
    units or all of them. `strided-8 of pairwise` is numpy.sum of up to 128 elements.
    `cumsum fingerprint --sum` has the same names. A sum that loses no unit is "exact": a compensated
    one, or of float16 one with a binary64 accumulator.

    After a second, a line on the terminal says how far it is, if standard error is a terminal. NumPy
    does not warn of overflows meanwhile.

    Raises ValueError for another dtype or length.
    """
    word_in("dtype", dtype, _PROBES)
    number = integer_of("length", length)
    if not 2 <= number <= _MOST_TERMS:
        raise ValueError(f"length is {number}, and must be a number from 2 to {_MOST_TERMS}")
    probe = _Prober(f, dtype, number)
    import numpy

    try:
        with numpy.errstate(all="ignore"):  # a lane of float16 may overflow
            return _search(probe)
    finally:
        probe.progress.clear()


def _search(probe: _Prober) -> SumFingerprint:
    number = probe.length
    if number > 2:
        pairs = ((0, 1), (0, number - 1), (number - 2, number - 1), (1, number // 2))
        try:
            if all(i == j or probe.shared(i, j) == 2 for i, j in pairs):
                return SumFingerprint(number, "exact", None)
        except _NoTree:
            return SumFingerprint(number, None, None)
    try:
        tree = _reveal(probe, list(range(number)))
    except _NoTree:
        return SumFingerprint(number, None, None)
    sums = array("I")
    _additions(tree, number, sums)
    return SumFingerprint(number, _cumsum.sum_order_name(sums), tree)
