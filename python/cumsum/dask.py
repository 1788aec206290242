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
import inspect
import itertools
import math
import operator
from typing import Any, Callable, Iterator, Sequence, SupportsIndex, Unpack

try:
    array: Any = importlib.import_module("dask.array")
    tokenize: Any = importlib.import_module("dask.base").tokenize
    core: Any = importlib.import_module("dask.core")
    Delayed: Any = importlib.import_module("dask.delayed").Delayed
    cull: Any = importlib.import_module("dask.optimization").cull
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


# Functions of a sum's tasks. `chunks` is a list of one chunk.


def _total(chunks: list[Any], axis: int, position: int, options: dict[str, Any]) -> Carry:
    return Carry.total(chunks[0], axis, position=position, **options)


def _append(carry: Carry | None, total: Carry) -> Carry:
    """The carry behind a piece, from that before it and the piece's total. Tasks must not change
    their arguments: others may use them."""
    after = Carry() if carry is None else carry.copy()
    if total.end > total.begin:  # not so if a chunk has no elements, for example no lines
        after.append(total)
    return after


def _step(
    chunks: list[Any], carry: Carry | None, axis: int, options: dict[str, Any]
) -> tuple[Any, Carry]:
    """The sums of a piece and the carry behind it."""
    after = Carry() if carry is None else carry.copy()
    return _cumsum_of_array(chunks[0], axis, carry=after, **options), after


def _piece(*arguments: Any) -> Any:
    return _step(*arguments)[0]


class _Graph:
    """The tasks of one sum."""

    def __init__(self, x: Any, axis: int, token: str, options: dict[str, Any]) -> None:
        self.tasks: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        self.x, self.axis, self.token, self.options = x, axis, token, options

    def add(self, kind: str, block: _Block, *task: Any) -> tuple[Any, ...]:
        key = (f"{kind}-{self.token}", *block)
        self.tasks[key] = task
        return key

    def add_line(self, line: list[tuple[_Block, Any]], mergeable: Callable[[int], bool]) -> None:
        """Adds the tasks of blocks that follow each other along the axis, in the order of sums,
        each with what gives its chunk."""
        axis, options = self.axis, self.options
        of_total = {name: options[name] for name in options.keys() - {"exclusive", "half_store"}}
        carry: tuple[Any, ...] | None = None
        position = 0
        for block, chunks in line[:-1]:
            if mergeable(position):
                self.add("cumsum", block, _piece, chunks, carry, axis, options)
                total = self.add("cumsum-total", block, _total, chunks, axis, position, of_total)
                carry = self.add("cumsum-carry", block, _append, carry, total)
            else:
                step = self.add("cumsum-step", block, _step, chunks, carry, axis, options)
                self.add("cumsum", block, operator.itemgetter(0), step)
                carry = self.add("cumsum-carry", block, operator.itemgetter(1), step)
            position += self.x.chunks[axis][block[axis]]
        last, chunks = line[-1]
        self.add("cumsum", last, _piece, chunks, carry, axis, options)


class _Maker:
    """Makes some chunks, by tasks that nothing else uses, from what other tasks have given. A task
    that uses the chunks calls it, so that they do not wait in memory."""

    def __init__(self, chunks: Sequence[Any], tasks: dict[Any, Any], given: list[Any]) -> None:
        self.chunks, self.tasks, self.given = chunks, tasks, given

    def __call__(self, results: list[Any]) -> list[Any]:
        made = collections.ChainMap({}, dict(zip(self.given, results)))
        for key, task in self.tasks.items():
            made[key] = _result(key, task, made)
        return [made[key] for key in self.chunks]


def _makers_of(arrays: Sequence[Any], groups: Sequence[tuple[Any, ...]]) -> list[_Maker]:
    """What makes each group of chunks of some arrays."""
    graph = HighLevelGraph.merge(*(x.__dask_graph__() for x in arrays))
    tasks, dependencies = cull(dict(graph), [key for group in groups for key in group])
    makers = []
    for group, own in zip(groups, _tasks_of_one(tasks, dependencies, groups)):
        needed = {*group, *itertools.chain(*(dependencies[key] for key in own))}
        makers.append(_Maker(group, own, list(needed - own.keys())))
    return makers


def _result(key: Any, task: Any, made: Any) -> Any:
    """In newer versions of dask tasks are objects. Some of them drop from what they are given what
    is done with, and take a key, which is a tuple, for several keys: so each gets a dictionary of
    its own, and a list."""
    if hasattr(task, "substitute"):
        return task(made)
    used = {needed: made[needed] for needed in core.keys_in_tasks(made, [task])}
    return core.get({key: task}, [key], used)[0]


def _tasks_of_one(
    tasks: dict[Any, Any], dependencies: dict[Any, Any], groups: Sequence[tuple[Any, ...]]
) -> list[dict[Any, Any]]:
    """The tasks that only one group of chunks uses, for each group, in an order in which they can
    be done. Data, and results that are there, are left where they are."""
    users: dict[Any, set[int | None]] = collections.defaultdict(set)
    for number, group in enumerate(groups):
        for key in group:
            users[key].add(number)
    alone: list[dict[Any, Any]] = [{} for _ in groups]
    order = core.toposort(tasks, dependencies)
    for key in reversed(order):
        is_task = core.istask(tasks[key]) or hasattr(tasks[key], "func")
        user = users[key].pop() if is_task and len(users[key]) == 1 else None
        if user is not None:
            alone[user][key] = tasks[key]
        for needed in dependencies[key]:
            users[needed].add(user)
    return [dict(reversed(own.items())) for own in alone]


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


_PARAMETERS = inspect.signature(_cumsum_of_array).parameters
_DEFAULTS = {name: _PARAMETERS[name].default for name in ScanOptions.__annotations__}


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
    options: dict[str, Any] = {**_DEFAULTS, "order": "exact", **given}
    numerics(*(options[name] for name in ("order", "half_accumulator", "half_store", "denormals")))
    for name in ("exclusive", "reverse"):
        options[name] = flag(name, options[name])
    order, backwards = options["order"], options["reverse"]
    if dtype is not None and isinstance(x, array.Array):
        x = x.astype(dtype)
    _check("x", x, tuple(CARRIED_TYPES), "cumsum.cumsum() sums", "dtype=")
    along = axis_of(x.ndim, axis)
    _check_sizes("x", x, [along])
    token = tokenize(x.name, along, options, flag("reread", reread))
    graph = _Graph(x, along, token, options)

    def mergeable(position: int) -> bool:
        if x.dtype.kind != "f" or order == "exact":
            return True
        return order == "blocked" and position % _TILE == 0

    lines = list(_lines(x, along, backwards))
    keys = [[(x.name, *block) for block in line] for line in lines]
    chunks: Iterator[Any] = ([key] for line in keys for key in line)
    sources = [x]
    if reread:
        makers = _makers_of([x], [(key,) for line in keys for key in line])
        chunks = ((maker, maker.given) for maker in makers)
        # In one layer, since layers that only a third one names may be fused with others.
        graph.tasks |= dict(x.__dask_graph__())
        sources = []
    for line in lines:
        graph.add_line(list(zip(line, chunks)), mergeable)
    name = f"cumsum-{token}"
    layers = HighLevelGraph.from_collections(name, graph.tasks, dependencies=sources)
    return array.Array(layers, name, x.chunks, meta=x._meta)


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
    for line, makers in _groups_of_lines(x, y, along, backwards):
        sizes = _sizes(x, line[0])
        outer, inner = math.prod(sizes[:along]), math.prod(sizes[along + 1 :])
        begin = (0 if d == along else k for d, k in enumerate(line[0]))
        origin = tuple(sum(map(int, x.chunks[d][:k])) for d, k in enumerate(begin))
        of_lines = kind._replace(outer=outer, inner=inner)
        place = origin, sizes, along
        given = [maker.given for maker in makers]
        tasks[f"{name}-lines", *line[0]] = _judge_lines, makers, given, of_lines, *place
    tasks[name] = (_join, list(tasks), along, backwards, orders, kind.data_type)
    return Delayed(name, HighLevelGraph.from_collections(name, tasks, dependencies=[x, y]))


def _join(parts: list[Found], axis: int, backwards: bool, orders: str, data_type: int) -> Judgement:
    return _judging.join(parts, axis, backwards, orders) if parts else no_outputs(data_type)


def _judge_lines(makers: list[_Maker], given: list[Any], kind: Kind, *place: Any) -> Found:
    """Judges chunks of x and y that follow each other along the axis."""
    judging = Judging(kind)
    for maker, results in zip(makers, given):
        judging.feed(*maker(results))
    return judging.end(*place)


def _sizes(x: Any, block: _Block) -> _Block:
    return tuple(int(sizes[k]) for sizes, k in zip(x.chunks, block))


def _groups_of_lines(
    x: Any, y: Any, axis: int, backwards: bool
) -> Iterator[tuple[list[_Block], list[_Maker]]]:
    """The blocks that follow each other along the axis, and what makes each one's chunks, of each
    group of lines."""
    lines = [
        [block for block in line if 0 not in _sizes(x, block)]
        for line in _lines(x, axis, backwards)
    ]
    pairs = [((x.name, *block), (y.name, *block)) for line in lines for block in line]
    makers = iter(_makers_of([x, y], pairs))
    for line in filter(None, lines):
        yield line, list(itertools.islice(makers, len(line)))
