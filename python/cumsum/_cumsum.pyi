# SPDX-License-Identifier: MIT
from typing import Any, Sequence

version: str

_Numerics = tuple[int, int, int, int]
_Kind = tuple[int, int, bool, _Numerics]
_Options = tuple[bool, bool, bool, bool, bool, bool, bool]
_Judging = tuple[int, int, int, bool, bool, int, _Numerics, _Options, str | None]
_Place = tuple[int, int, int]
_Tensor = tuple[int, int, int, int, Sequence[int] | None, Sequence[int] | None, int | None, int]

def scan(
    x: Any,
    out: Any,
    axis: int,
    decreasing: bool,
    exclusive: bool,
    numerics: _Numerics,
    kernel: int,
    threads: int,
    carry: Any = None,
    /,
) -> None: ...
def carry_new(kind: _Kind, position: int | None, length: int, /) -> Any: ...
def carry_load(kind: _Kind, saved: bytes, /) -> Any: ...
def carry_save(carry: Any, /) -> bytes: ...
def carry_append(carry: Any, total: Any, /) -> None: ...
def carry_extent(carry: Any, /) -> tuple[int, int, int]: ...
def judge(
    x: Any,
    y: Any,
    axis: int,
    decreasing: bool,
    exclusive: bool,
    numerics: _Numerics,
    options: _Options,
    bits: tuple[bool, bool],
    profile: str | None,
    /,
) -> dict[str, Any]: ...
def judging_new(kind: _Judging, /) -> Any: ...
def judging_feed(judging: Any, count: int, x: Any, y: Any, /) -> None: ...
def judging_end(
    judging: Any, /
) -> tuple[dict[str, Any], list[str], dict[str, int], _Place, _Place, _Place]: ...
def judge_sum(
    x: Any,
    y: Any,
    axes: int,
    numerics: _Numerics,
    options: _Options,
    bits: tuple[bool, bool],
    profile: str | None,
    /,
) -> tuple[dict[str, Any], int]: ...
def validate(
    input: _Tensor | None,
    output: _Tensor | None,
    axis: int,
    direction: int,
    exclusive: int,
    level: int,
    /,
) -> dict[str, Any] | None: ...
def type_of(
    x: Any, judged: bool = False, name: str = "x", /
) -> tuple[str, tuple[int, ...]]: ...
def kernel_available(kernel: int, /) -> bool: ...
def sum_order_name(sums: Any, /) -> str | None: ...
