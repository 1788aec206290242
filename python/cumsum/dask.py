# SPDX-License-Identifier: MIT
"""Cumulative sums of dask's arrays, whose bits depend neither on chunks nor on workers.

    import cumsum.dask
    y = cumsum.dask.cumsum(x, axis)     lazily, as all of dask

dask's own cumsum adds what came before a chunk to the chunk's sums, which rounds twice and in
another order, so that its bits depend on the chunks.
"""

from __future__ import annotations

import importlib
import itertools
from typing import Any, Callable, SupportsIndex

try:
    array: Any = importlib.import_module("dask.array")
    tokenize: Any = importlib.import_module("dask.base").tokenize
    clone: Any = importlib.import_module("dask.graph_manipulation").clone
    HighLevelGraph: Any = importlib.import_module("dask.highlevelgraph").HighLevelGraph
except ImportError as missing:
    raise ImportError(
        f"cumsum.dask needs dask ({missing}); Debian has it in the package python3-dask"
    ) from missing

from ._carry import TYPE_NUMBERS, Carry
from ._sum import cumsum as _cumsum_of_array
from ._words import Denormals, HalfAccumulator, HalfStore, Order, axis_of, flag, numerics

__all__ = ["cumsum"]

# Positions at which totals of the blocked order may begin.
_TILE = 1024

_Block = tuple[int, ...]


def _total(block: Any, axis: int, position: int, options: dict[str, Any]) -> Carry:
    return Carry.total(block, axis, position=position, **options)


def _append(carry: Carry | None, total: Carry) -> Carry:
    """The carry behind a piece, from that before it and the piece's total. Tasks must not change
    their arguments: others may use them."""
    after = Carry() if carry is None else carry.copy()
    if total.end > total.begin:  # not so if a chunk has no elements, for example no lines
        after.append(total)
    return after


def _piece(block: Any, carry: Carry | None, axis: int, options: dict[str, Any]) -> Any:
    before = None if carry is None else carry.copy()
    return _cumsum_of_array(block, axis, carry=before, **options)


def _step(
    block: Any, carry: Carry | None, axis: int, options: dict[str, Any]
) -> tuple[Any, Carry]:
    """The sums of a piece and the carry behind it, where a piece has no total."""
    after = Carry() if carry is None else carry.copy()
    return _cumsum_of_array(block, axis, carry=after, **options), after


def _first(results: tuple[Any, Carry]) -> Any:
    return results[0]


def _second(results: tuple[Any, Carry]) -> Carry:
    return results[1]


class _Graph:
    """The tasks of one sum."""

    def __init__(self, x: Any, source: Any, axis: int, token: str) -> None:
        self.tasks: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.x, self.source, self.axis, self.token = x, source, axis, token
        self.name = f"cumsum-{token}"

    def add(self, kind: str, block: _Block, *task: Any) -> tuple[Any, ...]:
        key = (f"{kind}-{self.token}", *block)
        self.tasks[key] = task
        return key

    def add_line(
        self, blocks: list[_Block], mergeable: Callable[[int], bool], options: dict[str, Any]
    ) -> None:
        """Adds the tasks of blocks that follow each other along the axis, in the order of sums."""
        without_output = {
            name: value for name, value in options.items() if name not in ("exclusive", "half_store")
        }
        carry: tuple[Any, ...] | None = None
        position = 0
        for block in blocks:
            is_last = block is blocks[-1]
            data = (self.x.name, *block)
            if is_last or mergeable(position):
                self.add("cumsum", block, _piece, data, carry, self.axis, options)
            else:
                step = self.add("cumsum-step", block, _step, data, carry, self.axis, options)
                self.add("cumsum", block, _first, step)
                carry = self.add("cumsum-carry", block, _second, step)
            if not is_last and mergeable(position):
                data = (self.source.name, *block)
                total = self.add(
                    "cumsum-total", block, _total, data, self.axis, position, without_output
                )
                carry = self.add("cumsum-carry", block, _append, carry, total)
            position += self.x.chunks[self.axis][block[self.axis]]


def _check(x: Any, axis: SupportsIndex | None) -> int:
    if not isinstance(x, array.Array):
        raise TypeError(
            f"x is a {type(x).__qualname__}, and must be a dask.array.Array; cumsum.cumsum() sums "
            "others"
        )
    if x.dtype.name not in TYPE_NUMBERS or not x.dtype.isnative:
        raise TypeError(
            f"x has type {x.dtype}, and must have one of {', '.join(TYPE_NUMBERS)}, in this machine's "
            "byte order; dtype= converts it"
        )
    if x.ndim == 0:
        raise ValueError("x has no dimensions, so there is no axis to sum along")
    number = axis_of(x.ndim, axis)
    if any(size != size for size in x.chunks[number]):
        raise ValueError(
            f"x has chunks of unknown sizes along axis {number}; x.compute_chunk_sizes() finds them"
        )
    return number


def cumsum(
    x: Any,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    order: Order = "exact",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
    reread: bool = False,
) -> Any:
    """The cumulative sum of a dask array along an axis, as an array of the same chunks.

    The bits are those of cumsum.cumsum() for the whole array. They do not depend on the chunks
    (along any axes), on the scheduler, or on the number of workers.

    x: a dask.array.Array whose chunks are NumPy's, of float32, float16, int32, uint32, int64 or
        uint64. The sizes of its chunks along the axis must be known.
    order: "exact", and integers, in three stages: the total of each chunk, the carry before each
        from the totals, and each chunk from its carry. The first and the third are parallel.
        "blocked" does the same where a chunk begins at a multiple of 1024 elements, and waits for
        the chunk before where it does not. "sequential" sums the chunks of each line one after the
        other: lines are parallel, and the bits are NumPy's.
    reread: make each chunk twice, for its total and for its sums. Otherwise chunks stay in memory
        until their carry is known. It must have the same values both times.

    The other arguments are those of cumsum.cumsum(). Tasks raise what it raises. A carry, which is
    what workers send each other, has 49 bytes for each line of float32 in the exact order.
    """
    words: dict[str, Any] = {"order": order, "half_accumulator": half_accumulator, "denormals": denormals}
    numerics(order, half_accumulator, half_store, denormals)  # refuses unknown words now
    backwards = flag("reverse", reverse)
    options = {**words, "reverse": backwards, "half_store": half_store}
    options["exclusive"] = flag("exclusive", exclusive)
    if dtype is not None and isinstance(x, array.Array):
        x = x.astype(dtype)
    along = _check(x, axis)
    token = tokenize(x.name, along, options, reread)
    source = clone(x, seed=token) if flag("reread", reread) else x
    graph = _Graph(x, source, along, token)

    def mergeable(position: int) -> bool:
        if x.dtype.kind != "f" or order == "exact":
            return True
        return order == "blocked" and position % _TILE == 0

    others = (range(1 if d == along else n) for d, n in enumerate(x.numblocks))
    for first in itertools.product(*others):
        line = [(*first[:along], k, *first[along + 1 :]) for k in range(x.numblocks[along])]
        graph.add_line(line[::-1] if backwards else line, mergeable, options)
    sources = [x] if source is x else [x, source]
    layers = HighLevelGraph.from_collections(graph.name, graph.tasks, dependencies=sources)
    return array.Array(layers, graph.name, x.chunks, meta=x._meta)
