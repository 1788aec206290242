# SPDX-License-Identifier: MIT
"""cumsum_pieces(): sums of lines that come in pieces."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, SupportsIndex

from ._carry import Carry
from ._sum import cumsum
from ._words import Denormals, HalfAccumulator, HalfStore, Kernel, Order


def cumsum_pieces(
    pieces: Iterable[Any],
    axis: SupportsIndex | None = None,
    *,
    dtype: Any = None,
    exclusive: bool = False,
    reverse: bool = False,
    order: Order = "sequential",
    half_accumulator: HalfAccumulator = "float32",
    half_store: HalfStore = "nearest-even",
    denormals: Denormals = "preserve",
    threads: SupportsIndex = 1,
    kernel: Kernel = "auto",
    carry: Carry | None = None,
) -> Iterator[Any]:
    """The sums of each piece of longer lines, in turn: together they have the bits that cumsum()
    gives for the whole lines, wherever these are cut. It reads a piece when its sums are asked for,
    and keeps none.

    pieces: arrays as cumsum() takes them, in the order of the sums: with reverse the last piece of
        the lines comes first.
    carry: where to begin and what to move on; a new Carry if omitted.

    The other arguments are those of cumsum(), which says what is raised.
    """
    carry = Carry() if carry is None else carry
    for piece in pieces:
        yield cumsum(
            piece,
            axis,
            dtype=dtype,
            exclusive=exclusive,
            reverse=reverse,
            order=order,
            half_accumulator=half_accumulator,
            half_store=half_store,
            denormals=denormals,
            threads=threads,
            kernel=kernel,
            carry=carry,
        )
