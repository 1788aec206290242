# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""Cumulative sums of dask's arrays, whose bits depend neither on chunks nor on workers, and
verdicts on sums in chunks.

    import cumsum.dask
    y = cumsum.dask.cumsum(x, axis)                    lazily, as all of dask
    assert cumsum.dask.judge(x, y, axis).compute()     a Judgement of the whole

dask's own cumsum adds what came before a chunk to the chunk's sums, which rounds twice and in
another order, so that its bits depend on the chunks.
"""

from __future__ import annotations

import collections
import importlib
import itertools
import math
import operator
from typing import Any, Callable, Iterator, Sequence, SupportsIndex, Unpack

try:
    array: Any = importlib.import_module("dask.array")
    optimize: Any = importlib.import_module("dask.array.optimization").optimize
    tokenize: Any = importlib.import_module("dask.base").tokenize
    core: Any = importlib.import_module("dask.core")
    Delayed: Any = importlib.import_module("dask.delayed").Delayed
    bind: Any = importlib.import_module("dask.graph_manipulation").bind
    cull: Any = importlib.import_module("dask.optimization").cull
    inline: Any = importlib.import_module("dask.optimization").inline
    HighLevelGraph: Any = importlib.import_module("dask.highlevelgraph").HighLevelGraph
except ImportError as missing:
    raise ImportError(
        f"cumsum.dask needs dask ({missing}); Debian has it in the package python3-dask"
    ) from missing

from . import _judging
from ._arrays import holds
from ._carry import CARRIED_TYPES, Carry
from ._judgement import JudgeOptions, Judgement, Orders, no_outputs
from ._judging import Found, Judging, Kind
from ._library import MAX_DIMENSIONS
from ._sum import cumsum as _cumsum_of_array
from ._words import TYPE_NUMBERS, ScanOptions, axis_of, flag, names_successors, numerics

__all__ = ["cumsum", "judge"]

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


def _step(block: Any, carry: Carry | None, axis: int, options: dict[str, Any]) -> tuple[Any, Carry]:
    """The sums of a piece and the carry behind it, where a piece has no total."""
    after = Carry() if carry is None else carry.copy()
    return _cumsum_of_array(block, axis, carry=after, **options), after


class _Graph:
    """The tasks of one sum."""

    def __init__(self, x: Any, axis: int, token: str) -> None:
        self.tasks: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.x, self.axis, self.token = x, axis, token
        self.name = f"cumsum-{token}"
        self.carries: list[tuple[Any, ...]] = []  # the last one of each line of blocks
        # The carry before each, if it is known.
        self.pieces: dict[_Block, tuple[Any, ...] | None] = {}

    def add(self, kind: str, block: _Block, *task: Any) -> tuple[Any, ...]:
        key = (f"{kind}-{self.token}", *block)
        self.tasks[key] = task
        return key

    def add_line(
        self, blocks: list[_Block], mergeable: Callable[[int], bool], options: dict[str, Any]
    ) -> None:
        """Adds the tasks of blocks that follow each other along the axis, in the order of sums."""
        without_output = {
            name: word for name, word in options.items() if name not in ("exclusive", "half_store")
        }
        carry: tuple[Any, ...] | None = None
        position = 0
        for block in blocks:
            is_last = block is blocks[-1]
            data = (self.x.name, *block)
            if is_last or mergeable(position):
                self.pieces[block] = carry
            else:
                step = self.add("cumsum-step", block, _step, data, carry, self.axis, options)
                self.add("cumsum", block, operator.itemgetter(0), step)
                carry = self.add("cumsum-carry", block, operator.itemgetter(1), step)
            if not is_last and mergeable(position):
                total = self.add(
                    "cumsum-total", block, _total, data, self.axis, position, without_output
                )
                carry = self.add("cumsum-carry", block, _append, carry, total)
            position += self.x.chunks[self.axis][block[self.axis]]
        if carry is not None:
            self.carries.append(carry)

    def add_pieces(self, again: _Again | None, options: dict[str, Any]) -> None:
        """Adds the tasks of the blocks whose carry is known."""
        for block, carry in self.pieces.items():
            data = again.chunk(block) if again else (self.x.name, *block)
            self.add("cumsum", block, _piece, data, carry, self.axis, options)


class _Again:
    """An array that is made once more, but not before `befores`, the last of `tasks`, are done. A
    chunk
    is made in the task that uses it, both times, unless several use it: so none waits in memory.
    `kept`: the keys that tasks which come later use."""

    def __init__(self, x: Any, tasks: Any, befores: list[Any], kept: list[Any], token: str) -> None:
        name = f"cumsum-behind-{token}"
        layers = HighLevelGraph.from_collections(name, {**tasks, name: (_nothing, befores)}, [x])
        self.x = bind(x, Delayed(name, layers), seed=token)
        once, twice = (list(core.flatten(made.__dask_keys__())) for made in (x, self.x))
        graph = self.x.__dask_graph__()
        self.tasks = dict(optimize(graph, [*twice, *kept], rename_fused_keys=False))
        self.users = collections.Counter(twice)
        for key in self.tasks:
            self.users.update(core.get_dependencies(self.tasks, key))
        parts = {key for key in once if self.users[key] == 1 and key in self.tasks}
        self.tasks = _inline(self.tasks, parts)

    def chunk(self, block: _Block) -> Any:
        """The task that makes a chunk, to be a part of the one that uses it; its key, if others use
        it."""
        key = (self.x.name, *block)
        return self.tasks.pop(key) if self.users[key] == 1 else key


def _inline(tasks: dict[Any, Any], parts: set[Any]) -> dict[Any, Any]:
    """Makes some tasks parts of those that use them. In newer versions of dask all tasks are
    objects, which inline() leaves as they are."""
    if not all(hasattr(task, "substitute") for task in tasks.values()):
        parts = {key for key in parts if type(tasks[key]) is tuple}
        tasks = inline(tasks, parts, inline_constants=False)
        return {key: task for key, task in tasks.items() if key not in parts}

    def whole(key: Any) -> Any:
        used = core.get_dependencies(tasks, key) & parts
        return tasks[key].substitute({part: whole(part) for part in used})

    return {key: whole(key) for key in tasks if key not in parts}


def _nothing(_: Any) -> None:
    """Depends on its argument."""


def _check(name: str, x: Any, types: Sequence[str], instead: str, convert: str) -> None:
    """Raises TypeError or ValueError for what is no array that can be summed or judged in
    chunks."""
    if not isinstance(x, array.Array):
        raise TypeError(
            f"{name} is a {type(x).__qualname__}, and must be a dask.array.Array; {instead} others"
        )
    if x.dtype.name not in types or not x.dtype.isnative:
        raise TypeError(
            f"{name} has type {x.dtype}, and must have one of {', '.join(types)}, in this "
            f"machine's byte order; {convert} converts it"
        )
    if not 0 < x.ndim <= MAX_DIMENSIONS:
        raise ValueError(f"{name} has {x.ndim} dimensions, and must have 1 to {MAX_DIMENSIONS}")


def _check_sizes(name: str, x: Any, axes: Sequence[int]) -> None:
    for number in axes:
        if any(map(math.isnan, x.chunks[number])):
            raise ValueError(
                f"{name} has chunks of unknown sizes along axis {number}; "
                f"{name}.compute_chunk_sizes() finds them"
            )


def _lines(x: Any, axis: int, backwards: bool) -> Iterator[list[_Block]]:
    """The blocks that follow each other along the axis, in the order of sums, for each place in the
    other dimensions."""
    others = (range(1 if d == axis else n) for d, n in enumerate(x.numblocks))
    for first in itertools.product(*others):
        line = [(*first[:axis], k, *first[axis + 1 :]) for k in range(x.numblocks[axis])]
        yield line[::-1] if backwards else line


_DEFAULTS: ScanOptions = {
    "order": "exact",
    "half_accumulator": "float32",
    "half_store": "nearest-even",
    "denormals": "preserve",
    "exclusive": False,
    "reverse": False,
}


@names_successors(ScanOptions)
def cumsum(
    x: Any,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    *,
    reread: bool = False,
    **given: Unpack[ScanOptions],
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
    reread: make each chunk twice: for its total, and for its sums when all carries are known. It is
        made in the tasks that use it, so that no chunk of x waits in memory, unless other tasks use
        it as well. It must have the same values both times. Otherwise chunks stay in memory until
        their carry is known.

    given: exclusive, reverse, half_accumulator, half_store and denormals, as in cumsum.cumsum().

    Tasks raise what cumsum.cumsum() raises. A carry, which is what workers send each other, has 41
    bytes for each line of float32 in the exact order.
    """
    options: dict[str, Any] = {**_DEFAULTS, **given}
    numerics(*(options[name] for name in ("order", "half_accumulator", "half_store", "denormals")))
    for name in ("exclusive", "reverse"):
        options[name] = flag(name, options[name])
    order, backwards = options["order"], options["reverse"]
    if dtype is not None and isinstance(x, array.Array):
        x = x.astype(dtype)
    _check("x", x, tuple(CARRIED_TYPES), "cumsum.cumsum() sums", "dtype=")
    along = axis_of(x.ndim, axis)
    _check_sizes("x", x, [along])
    token = tokenize(x.name, along, options, reread)
    graph = _Graph(x, along, token)

    def mergeable(position: int) -> bool:
        if x.dtype.kind != "f" or order == "exact":
            return True
        return order == "blocked" and position % _TILE == 0

    for line in _lines(x, along, backwards):
        graph.add_line(line, mergeable, options)
    again: _Again | None = None
    if flag("reread", reread) and graph.carries:
        kept = [key for key in graph.tasks if key[0] == graph.name]
        kept += [carry for carry in graph.pieces.values() if carry]
        again = _Again(x, graph.tasks, graph.carries, kept, token)
        graph.tasks = again.tasks
    graph.add_pieces(again, options)
    sources = [] if again else [x]
    layers = HighLevelGraph.from_collections(graph.name, graph.tasks, dependencies=sources)
    return array.Array(layers, graph.name, x.chunks, meta=x._meta)


def _chunks_to_judge(x: Any, y: Any, axis: SupportsIndex | None) -> tuple[Any, Any, int]:
    """Both arrays with the same type and chunks, and the axis."""
    for name, values in (("x", x), ("y", y)):
        types = [*TYPE_NUMBERS, *["bool"] * (name == "x")]
        _check(name, values, types, "cumsum.judge() judges", f"{name}.astype()")
        _check_sizes(name, values, range(values.ndim))
    if x.shape != y.shape:
        raise ValueError(f"x has the shape {x.shape}, but y has {y.shape}")
    if holds(y.dtype.name, x.dtype.name):
        x = x.astype(y.dtype)
    if x.dtype != y.dtype:
        raise TypeError(
            f"x has type {x.dtype}, but y has {y.dtype}, which does not hold its values"
        )
    return x, y.rechunk(x.chunks), axis_of(x.ndim, axis)


@names_successors(JudgeOptions)
def judge(
    x: Any,
    y: Any,
    axis: SupportsIndex | None = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    orders: Orders = "first",
    **options: Unpack[JudgeOptions],
) -> Any:
    """Can y be the cumulative sum of x along an axis, added in any order? A dask.delayed.Delayed,
    whose compute() gives the Judgement of the whole.

    The Judgement does not depend on the chunks, on the scheduler, or on the number of workers, but
    for doubt in float16: lines that are not in one chunk are doubted apart (docs/python.md). It is
    that of cumsum.judge(), but for what needs whole lines: of the orders only the sequential and
    the exact one of float32 and float64 are named (`not_tried` has the others), there is no near
    order, and what would have been found is not known. SUSPECT are the same lines, or a few less.

    x, y: dask arrays of one shape, of any of the types that cumsum.judge() takes of NumPy. y gets
        the chunks of x. Lines may be longer than 2**32 elements; chunks may not.

    The other arguments are those of cumsum.judge(). The lines of each block are judged by one task,
    chunk after chunk along the axis; blocks along other axes are parallel. That task makes the
    chunks that nothing else uses when it is their turn, so that they do not wait in memory;
    persist() makes them before, in parallel. What tasks send each other is a judgement of some
    lines. """
    backwards, leaves_out = flag("reverse", reverse), flag("exclusive", exclusive)
    x, y, along = _chunks_to_judge(x, y, axis)
    token = tokenize(x.name, y.name, along, backwards, leaves_out, orders, sorted(options.items()))
    compared: Orders = "all" if orders == "first" else orders  # of which join() takes the first
    length = max(int(x.shape[along]), 1)
    number = TYPE_NUMBERS[x.dtype.name]
    kind = Kind(number, 1, 1, backwards, leaves_out, length, compared, options)
    Judging(kind)  # refuses wrong options and lengths now
    name = f"cumsum-judge-{token}"
    tasks: dict[Any, Any] = {}
    for line, chunks in _groups_of_lines(x, y, along, backwards):
        sizes = _sizes(x, line[0])
        outer, inner = math.prod(sizes[:along]), math.prod(sizes[along + 1 :])
        begin = (0 if d == along else k for d, k in enumerate(line[0]))
        origin = tuple(sum(map(int, x.chunks[d][:k])) for d, k in enumerate(begin))
        of_lines = kind._replace(outer=outer, inner=inner)
        place = origin, sizes, along
        tasks[f"{name}-lines", *line[0]] = chunks, list(chunks.given), of_lines, *place
    tasks[name] = (_join, list(tasks), along, backwards, orders, kind.data_type)
    return Delayed(name, HighLevelGraph.from_collections(name, tasks, dependencies=[x, y]))


def _join(parts: list[Found], axis: int, backwards: bool, orders: str, data_type: int) -> Judgement:
    return _judging.join(parts, axis, backwards, orders) if parts else no_outputs(data_type)


class _Chunks:
    """The chunks of x and y that follow each other along the axis, which one task judges. It makes
    those that nothing else uses, from what others make: `given` are the keys of that."""

    def __init__(self) -> None:
        self.pairs: list[tuple[tuple[Any, Any], dict[Any, Any]]] = []  # x and y, what makes them
        self.given: dict[Any, None] = {}

    def add(self, pair: tuple[Any, Any], tasks: dict[Any, Any], needed: set[Any]) -> None:
        self.pairs.append((pair, tasks))
        self.given.update(dict.fromkeys(needed))

    def __call__(self, results: list[Any], kind: Kind, *place: Any) -> Found:
        given = dict(zip(self.given, results))
        judging = Judging(kind)
        for (x, y), tasks in self.pairs:
            made = collections.ChainMap({}, given)
            for key, task in tasks.items():
                made[key] = _result(key, task, made)
            judging.feed(made[x], made[y])
        return judging.end(*place)


def _result(key: Any, task: Any, made: Any) -> Any:
    """In newer versions of dask tasks are objects. Some of them drop from what they are given what
    is done with, and take a key, which is a tuple, for several keys: so each gets a dictionary of
    its own, and a list."""
    if hasattr(task, "substitute"):
        return task(made)
    used = {needed: made[needed] for needed in core.keys_in_tasks(made, [task])}
    return core.get({key: task}, [key], used)[0]


def _sizes(x: Any, block: _Block) -> _Block:
    return tuple(int(sizes[k]) for sizes, k in zip(x.chunks, block))


def _groups_of_lines(
    x: Any, y: Any, axis: int, backwards: bool
) -> Iterator[tuple[list[_Block], _Chunks]]:
    """The blocks that follow each other along the axis, and what judges them, of each group of
    lines."""
    lines = [
        [block for block in line if 0 not in _sizes(x, block)]
        for line in _lines(x, axis, backwards)
    ]
    pairs = [((x.name, *block), (y.name, *block)) for line in lines for block in line]
    graph = HighLevelGraph.merge(x.__dask_graph__(), y.__dask_graph__())
    tasks, dependencies = cull(dict(graph), [key for pair in pairs for key in pair])
    alone = iter(_tasks_of_one(tasks, dependencies, pairs))
    rest = iter(pairs)
    for line in filter(None, lines):
        chunks = _Chunks()
        for pair, own in zip(itertools.islice(rest, len(line)), alone):
            needed = {*pair, *itertools.chain(*(dependencies[key] for key in own))}
            chunks.add(pair, own, needed - own.keys())
        yield line, chunks


def _tasks_of_one(
    tasks: dict[Any, Any], dependencies: dict[Any, Any], pairs: list[tuple[Any, Any]]
) -> list[dict[Any, Any]]:
    """The tasks that only one pair of chunks uses, for each pair, in an order in which they can be
    done. Data, and results that are there, are left where they are."""
    users: dict[Any, set[int | None]] = collections.defaultdict(set)
    for number, pair in enumerate(pairs):
        for key in pair:
            users[key].add(number)
    alone: list[dict[Any, Any]] = [{} for _ in pairs]
    order = core.toposort(tasks, dependencies)
    for key in reversed(order):
        is_task = core.istask(tasks[key]) or hasattr(tasks[key], "func")
        user = users[key].pop() if is_task and len(users[key]) == 1 else None
        if user is not None:
            alone[user][key] = tasks[key]
        for needed in dependencies[key]:
            users[needed].add(user)
    return [dict(reversed(own.items())) for own in alone]
