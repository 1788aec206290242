# SPDX-License-Identifier: MIT
"""fingerprint_sum(): the tree in which a function adds, found by probing it.

The probes are those of FPRev (Xie, Gao, Xue: "Revealing Floating-Point Accumulation Orders", arXiv
2411.00442): +M and -M at two places, and units at all others, so small that they vanish beside M.
The result counts the units that were added after M was cancelled, and so tells how many terms lie
below the lowest addition that both places share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, FrozenSet, Iterator, List, Optional, Tuple, Union

from ._progress import Progress
from ._words import integer_of, word_in

Tree = Union[int, Tuple["Tree", "Tree"]]
_Node = FrozenSet[int]
_Units = List[_Node]

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


def _reveal(probe: _Prober, leaves: list[int]) -> Tree:
    """The tree over the leaves, which are those of one addition: the path from the first leaf to the
    root, at each of whose additions the leaves that are new are a tree of their own."""
    first = leaves[0]
    levels: dict[int, list[int]] = {}
    for leaf in leaves[1:]:
        levels.setdefault(probe.shared(first, leaf), []).append(leaf)
    tree: Tree = first
    size = 1
    for total in sorted(levels):
        if size + len(levels[total]) != total:
            raise _NoTree
        tree = (tree, _reveal(probe, levels[total]))
        size = total
    return tree



def _nodes(tree: Tree, into: set[_Node]) -> _Node:
    """The sets of leaves below each addition."""
    if isinstance(tree, int):
        return frozenset([tree])
    node = _nodes(tree[0], into) | _nodes(tree[1], into)
    into.add(node)
    return node


def _in_sequence(units: _Units, nodes: set[_Node]) -> _Node | None:
    total = units[0]
    for unit in units[1:]:
        total |= unit
        if total not in nodes:
            return None
    return total


def _right_to_left(units: _Units, nodes: set[_Node]) -> _Node | None:
    return _in_sequence(units[::-1], nodes)


def _in_pairs(units: _Units, nodes: set[_Node]) -> _Node | None:
    """Neighbours are added in rounds; an odd one waits for the next."""
    while len(units) > 1:
        pairs = [units[k] | units[k + 1] for k in range(0, len(units) - 1, 2)]
        if any(pair not in nodes for pair in pairs):
            return None
        units = pairs + units[len(units) & ~1 :]
    return units[0]


_KINDS = {"sequential": _in_sequence, "pairwise": _in_pairs, "right-to-left": _right_to_left}
_Kind = Callable[[_Units, "set[_Node]"], Optional[_Node]]


def _totals(units: _Units, size: int, kind: _Kind, nodes: set[_Node]) -> _Units | None:
    """The totals of blocks of `size` units."""
    totals = []
    for k in range(0, len(units), size):
        total = kind(units[k : k + size], nodes)
        if total is None:
            return None
        totals.append(total)
    return totals


def _lanes(units: _Units, lanes: int, size: int, nodes: set[_Node]) -> _Units | None:
    """The totals of lanes: in each block of `size` units, every unit so many places further on."""
    totals = []
    for k in range(0, len(units), size):
        for lane in range(min(lanes, len(units) - k)):
            total = _in_sequence(units[k + lane : k + size : lanes], nodes)
            if total is None:
                return None
            totals.append(total)
    return totals


def _levels(units: _Units, nodes: set[_Node]) -> Iterator[tuple[str, _Units]]:
    """The levels that the tree allows, and the units that each leaves."""
    sizes = [1 << k for k in range(1, len(units).bit_length()) if 1 << k < len(units)]
    for lanes in sizes:
        for size in [len(units)] + [size for size in sizes[::-1] if size > lanes]:
            name = f"strided-{lanes}" + ("" if size == len(units) else f"-{size}")
            totals = _lanes(units, lanes, size, nodes)
            if totals is not None:
                yield name, totals
    for size in sizes:
        for name, kind in _KINDS.items():
            totals = _totals(units, size, kind, nodes)
            if totals is not None:
                yield f"{name}-{size}", totals


def _name(units: _Units, nodes: set[_Node], depth: int) -> str | None:
    """The name with the fewest levels, at most `depth` besides the last kind."""
    for name, kind in _KINDS.items():
        if kind(units, nodes) is not None:
            return name
    if depth == 0:
        return None
    for most in range(depth):
        for name, totals in _levels(units, nodes):
            rest = _name(totals, nodes, most)
            if rest is not None:
                return f"{name} of {rest}"
    return None


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
        kind  = "sequential" | "pairwise" | "right-to-left"

    Each level adds blocks of N units, and its totals are the units of the next one. pairwise adds
    neighbours in rounds. A strided level has lanes, each of which adds every unit so many places
    further on in sequence, in blocks of N units or all of them. `strided-8 of pairwise` is
    numpy.sum of up to 128 elements. A sum that loses no unit is "exact": a compensated one, or of
    float16 one with a binary64 accumulator.

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
    nodes: set[_Node] = set()
    _nodes(tree, nodes)
    return SumFingerprint(number, _name([frozenset([k]) for k in range(number)], nodes, 3), tree)
