# SPDX-License-Identifier: MIT
# mypy: enable-incomplete-feature=Unpack
"""judge(): the oracle's verdict on a cumulative sum that something else computed, and
assert_cumsum(), which raises it."""

from __future__ import annotations

import functools
import json
from ctypes import byref, create_string_buffer, pointer
from dataclasses import dataclass, field, fields, replace
from html import escape
from typing import Any, Callable, Literal, Sequence, SupportsIndex, TypedDict, Unpack, get_args

import numpy

from . import _library
from ._arrays import Array, judged, name_of_elements, type_name, widened
from ._cuda import on_host
from ._layout import address, layout_of, unmerged
from ._library import bytes_of, call, library
from ._scan import check_agreement
from ._segments import Cuts, is_complex, parts_of, segments_of
from ._words import JUDGED_TYPES, Accept, Denormals, HalfAccumulator, HalfStore
from ._words import axis_of, flag, in_capitals, names_successors, numerics, one_axis, word_in

Orders = Literal["first", "all", "none"]
Types = Literal["numpy", "torch", "array-api", "onnx"]
AtMost = Literal[
    "correctly-rounded",
    "one",
    "log",
    "2log",
    "worst-case",
    "may-overflow",
    "h<=1",
    "h<=log2(m)",
    "h<=2*log2(m)",
]
_SHORT = {"one": "h<=1", "log": "h<=log2(m)", "2log": "h<=2*log2(m)"}
_CLASSES = ("correctly-rounded", *_SHORT.values(), "worst-case", "may-overflow")


@dataclass(frozen=True)
class Finding:
    """One output: the first or the worst of a judgement."""

    dtype: str
    """The type of the elements: "float32", ..."""
    verdict: str
    """ "FAIL", or the model of rounding that the output fits."""
    coordinates: tuple[int, ...]
    """The indices of the output in y."""
    terms: int
    """The number of elements of x in its sum."""
    expected: int | float
    """The exact sum, rounded once; for integers, modulo 2**8, 2**16, 2**32 or 2**64. Like actual,
    lower and upper it is an element of type dtype."""
    actual: int | float
    """The element of y."""
    lower: int | float
    upper: int | float
    """Every order of additions gives a value between lower and upper."""
    ulps: int
    """The distance from expected to actual in units in the last place; 2**64 - 1 between a number
    and a NaN."""
    error: float
    """h: the error, in roundings of the sum of the terms' magnitudes."""
    decided: bool
    """Every order of additions was tried: lower and upper are the ends of what they give."""


@dataclass(frozen=True)
class OrderMatch:
    """A named order of additions that gives y bit for bit. For bfloat16 the half_accumulator
    "float16" means sums in bfloat16."""

    order: str
    half_accumulator: HalfAccumulator
    half_store: HalfStore
    denormals: Denormals


@dataclass(frozen=True)
class Doubt:
    """Why outputs are suspect, and one of them: the first, or the one with the greatest jump, of
    the first line with the strongest reason. Errors are in the unit of the elements."""

    reason: str
    """ "not-by-neighbours": no order that adds neighbours, as every scan does, gives the output;
    "error-jumps": its error differs far more from that of the output before it than in any scan
    that is known; "nothing-known": the bound accepts nearly everything, and the error is larger
    than that of a balanced tree."""
    model: str
    """The model of rounding that leaves the weakest doubt."""
    outputs: int
    """The number of suspect outputs."""
    lines: int
    """The number of lines with such outputs."""
    coordinates: tuple[int, ...]
    """The indices of the output in y."""
    terms: int
    """The number of elements of x in its sum."""
    error: float
    """What the output is above the exact sum."""
    error_before: float
    """The same of the output before it in its line."""
    bound: float
    """What |error| may be, or |error - error_before| for "error-jumps"."""
    jump: float
    """|error - error_before|, in units of what one addition rounds off, times the bits of terms."""
    seam: int
    """The distance of all jumps of the line, if they come at a regular one; else 0."""
    stays: bool
    """At the end of the line, 16 or more outputs on, the error still has the change from
    error_before to error: as if a carry were lost there."""


@dataclass(frozen=True)
class Power:
    """What the judgement of this x would have found, whatever y is: the faults that make an output
    FAIL or SUSPECT."""

    exact: bool
    """No order of additions rounds: any wrong bit is found."""
    lost_term: float
    """A term of this magnitude or more, missing from an output on or added twice."""
    lost_carry: float
    """A carry of this magnitude or more, missing at one place or at every multiple of a length."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on an array. It is true if the array passes, so a test can assert it."""

    passed: bool
    outputs: int
    counts: dict[str, int] = field(hash=False)
    """The number of outputs of each verdict that occurs."""
    models: tuple[str, ...]
    """The models of rounding that every output fits."""
    error_class: str
    """ "correctly-rounded", "h<=1", "h<=log2(m)", "h<=2*log2(m)", "worst-case", "may-overflow" or
    "FAIL"."""
    h: float
    """The largest error, in roundings of the sum of the terms' magnitudes; infinite if an output
    that does not fail may be due to an overflow."""
    orders: tuple[OrderMatch, ...]
    """The named orders that give y bit for bit: the first one, or all with orders="all"."""
    first: Finding | None
    """The first output that fails. If none fails, the first that may overflow; if all pass, the one
    with the largest error, or None for integers."""
    worst: Finding | None
    """The same, with the largest distance instead of the first place."""
    near: OrderMatch | None
    """If no named order gives y: the one that gives nearly all of its outputs."""
    differing: int
    """The number of outputs that this order does not give."""
    doubt: Doubt | None
    """Why outputs that pass otherwise are suspect. They fail y, unless they are accepted."""
    seam: int
    """A note: if not 0, errors jump at multiples of so many elements, by less than is suspect, as
    in scans that add chunks."""
    power: Power
    """What would have been found. Infinite where that is not known."""
    text: str = field(compare=False)
    """All of the verdict in one line: what the program says of it."""
    report: str = field(compare=False)
    """The same with what is worth a look, the failures, and the lines around them."""
    said: str = field(compare=False, repr=False)
    """All of it as JSON, with the members that the program writes."""
    not_tried: tuple[str, ...] = field(default=(), kw_only=True)
    """The named orders that need whole lines, if y was judged in chunks (cumsum.dask)."""
    unmet: tuple[str, ...] = field(default=(), kw_only=True)
    """What fails y, whatever its elements are: "the type is UINT8, and numpy sums UINT8 in
    UINT64"."""

    @property
    def verdict(self) -> str:
        """ "PASS", "FAIL" or "SUSPECT"."""
        return "PASS" if self.passed else "SUSPECT" if self.doubt and not self.unmet else "FAIL"

    def __bool__(self) -> bool:
        return self.passed

    def to_dict(self) -> dict[str, Any]:
        """The members that the program writes as JSON (docs/formats.md, "JSON and JUnit"), as
        dicts, lists, strings and numbers."""
        members: dict[str, Any] = json.loads(self.said)
        return members

    def _repr_html_(self) -> str:
        """The report, for notebooks."""
        return f"<pre>{escape(self.report)}</pre>"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """A failing assert shows this; the plugin of pytest adds the report."""
        return f"<{type(self).__name__} {self.text}>"


_ELEMENTS = ("expected", "actual", "lower", "upper")
_UNKNOWN_POWER = {"exact": False, "lostTerm": "inf", "lostCarry": "inf"}

# The parts of a text.
_STATUS, _NOTES, _FINDINGS, _ALL, _CLASS = 1, 4, 8, 16, 32


def _written(function: Any, *arguments: Any) -> str:
    """What a function writes that returns the length of its text."""
    room = 4096
    while True:
        text = create_string_buffer(room)
        length = function(*arguments, text, room)
        if length < room:
            return text.value.decode("utf-8", "replace")
        room = length + 1


def _element(hexadecimal: str, dtype: str) -> int | float:
    """A bfloat16 is the upper half of a float32."""
    dtype, shift = ("float32", 16) if dtype == "bfloat16" else (dtype, 0)
    bits = (int(hexadecimal, 16) << shift).to_bytes(8, "little")
    value: int | float = numpy.frombuffer(bits, numpy.dtype(dtype).newbyteorder("<"))[0].item()
    return value


@functools.cache
def _members_of(kind: Any) -> list[tuple[str, str, bool]]:
    """The members of a dataclass: the name, the name in JSON, and whether it is a float."""
    members = []
    for member in fields(kind):
        key = member.name[0] + in_capitals(member.name)[1:]
        members.append((member.name, key, str(member.type) == "float"))
    return members


def made(kind: Any, said: dict[str, Any], /, **members: Any) -> Any:
    """An object of a dataclass: these members, and the others from JSON, where numbers that are not
    finite are strings."""
    for name, key, is_float in _members_of(kind):
        if name not in members and key in said:
            members[name] = float(said[key]) if is_float else said[key]
    return kind(**members)


_Place = Callable[[Sequence[int]], tuple[int, ...]]


def _finding_of(said: dict[str, Any], dtype: str, place: _Place) -> Finding | None:
    if not said["terms"] and said["verdict"] == "exact":
        return None
    elements: dict[str, Any] = {name: _element(said[f"{name}Hex"], dtype) for name in _ELEMENTS}
    ulps = 2**64 - 1 if said["ulps"] is None else said["ulps"]
    at = place(said["coordinates"])
    found: Finding = made(Finding, said, dtype=dtype, coordinates=at, ulps=ulps, **elements)
    return found


def _match_of(said: dict[str, Any]) -> OrderMatch:
    narrow = said.get("halfAccumulator", "float32") != "float32"
    return OrderMatch(
        said["order"],
        "float16" if narrow else "float32",
        said.get("halfStore", "nearest-even"),
        said.get("denormals", "preserve"),
    )


def _doubt_of(said: dict[str, Any], place: _Place) -> Doubt | None:
    if "model" not in said:
        return None
    doubt: Doubt = made(Doubt, said, coordinates=place(said["coordinates"]))
    return doubt


def judgement_of(
    judged: _library.Judged,
    dtype: str,
    *,
    explained: bool = True,
    place: _Place = tuple,
    not_tried: tuple[str, ...] = (),
) -> Judgement:
    """A judgement in the library's words, with what the outputs are instead of the sums if that is
    asked for. place: the indices in y of the library's coordinates."""
    explanation = _library.Explanation()
    if explained:
        call(library.cumsum_explain, byref(judged), byref(explanation))
    both = byref(judged), byref(explanation)
    text = _written(library.cumsum_judgement_text, *both, _STATUS | _CLASS)
    more = _written(library.cumsum_judgement_text, *both, _NOTES | _FINDINGS | _ALL)
    written = _written(library.cumsum_judgement_json, *both)
    said = json.loads(written)
    near, doubt = said.get("nearestOrder"), said.get("doubt", {"seam": 0})
    judgement: Judgement = made(
        Judgement,
        said,
        passed=said["verdict"] not in ("FAIL", "SUSPECT"),
        models=tuple(said["models"]),
        error_class=said["class"],
        orders=tuple(map(_match_of, said["orders"])),
        first=_finding_of(said["first"], dtype, place),
        worst=_finding_of(said["worst"], dtype, place),
        near=_match_of(near) if near else None,
        differing=near["differing"] if near else 0,
        doubt=_doubt_of(doubt, place),
        seam=0 if "model" in doubt else doubt["seam"],
        power=made(Power, said.get("power", _UNKNOWN_POWER)),
        text=text,
        report=f"{text}\n{more}".rstrip(),
        said=written,
        not_tried=not_tried,
    )
    return judgement


def no_outputs(data_type: int) -> Judgement:
    """The verdict on no outputs: any wrong bit would have been found."""
    judgement = _library.Judgement(passed=True)
    judged = _library.Judged(type=data_type, rank=1, judgement=pointer(judgement))
    exact = Power(exact=True, lost_term=0.0, lost_carry=0.0)
    return replace(judgement_of(judged, type_name(data_type)), power=exact)


class JudgeOptions(TypedDict, total=False):
    """The options of all judgements; judge() says what they mean."""

    accept: Accept
    reachable: bool
    half_accumulator: HalfAccumulator | None
    half_store: HalfStore | None
    rules: str | None


class _ScanOptions(JudgeOptions, total=False):
    dim: SupportsIndex | None
    exclusive: bool
    reverse: bool
    include_initial: bool
    segments: Any
    keys: Any
    flags: Any
    initial: Any
    types: Types | None


def options_of(
    data_type: int, orders: str, options: JudgeOptions, whole_lines: bool = False
) -> _library.JudgeOptions:
    """whole_lines: with what only lines that are given at once have."""
    accept = word_in("accept", options.get("accept", "conformant"), get_args(Accept))
    word_in("orders", orders, get_args(Orders))
    accumulator, store = options.get("half_accumulator"), options.get("half_store")
    promised = accumulator is not None or store is not None
    words = numerics(
        "sequential",
        "float32" if accumulator is None else accumulator,
        "nearest-even" if store is None else store,
        "preserve",
    )
    rules = options.get("rules")
    if not isinstance(rules, str | None):
        raise TypeError(f"rules is {rules!r}, and must be text, such as 'ieee'")
    members = [] if rules is None else rules.split(",")
    profile = ",".join(member for member in members if member != "zero=signed")
    if promised and profile:
        raise ValueError(
            "rules cannot be combined with half_accumulator or half_store: both say in which "
            "arithmetic sums are"
        )
    made = _library.JudgeOptions(
        strict_zero="zero=signed" in members,
        strict=accept == "decided",
        reachable=flag("reachable", options.get("reachable", False)),
        accept_suspect=accept == "suspect",
        promised=promised,
        all_orders=orders == "all",
        no_orders=orders == "none",
        near_order=whole_lines and orders != "none",
        composed_orders=whole_lines and orders != "none",
        power=whole_lines,
        numerics=_library.Numerics(*words),
    )
    if profile or not (rules is None or made.strict_zero):
        read, made.name = _library.Profile(), profile.encode()
        call(library.cumsum_profile_read, made.name, data_type, byref(read))
        made.profile = pointer(read)
    return made


def _with_initial(x: Any, axis: int, reverse: bool) -> Any:
    """x with a zero after its end. The exclusive sums of that are those of x which begin with 0."""
    widths = [(0, 0)] * x.ndim
    widths[axis] = (1, 0) if reverse else (0, 1)
    return numpy.pad(x, widths)


def _unmet_type(types: Types | None, x_type: str | None, y_type: int) -> str | None:
    """What y's type is instead of that of a library's sums. Complex numbers have their own."""
    if types is None or x_type is None:
        return None
    rule = word_in("types", types, get_args(Types)).encode()
    boolean = x_type == "bool"
    number = JUDGED_TYPES.get("uint8" if boolean else x_type)
    if number is None:
        return None
    return _written(library.cumsum_type_text, rule, number, boolean, y_type) or None


def _failing(judgement: Judgement, unmet: str | None) -> Judgement:
    """The judgement of a y that does not meet a demand."""
    if unmet is None:
        return judgement
    said = json.dumps({**json.loads(judgement.said), "unmet": [unmet]})
    text = f"FAIL: conformant, but {unmet}" if judgement else f"{judgement.text}; {unmet}"
    report = text + judgement.report[len(judgement.text) :]
    return replace(judgement, passed=False, unmet=(unmet,), text=text, report=report, said=said)


@names_successors(JudgeOptions)
def judge(
    x: Array,
    y: Array,
    axis: SupportsIndex | None = None,
    *,
    dim: SupportsIndex | None = None,
    exclusive: bool = False,
    reverse: bool = False,
    include_initial: bool = False,
    orders: Orders = "first",
    measure: bool = False,
    segments: Any = None,
    keys: Any = None,
    flags: Any = None,
    initial: Any = None,
    types: Types | None = None,
    **options: Unpack[JudgeOptions],
) -> Judgement:
    """Can y be the cumulative sum of x along an axis, added in any order?

    x, y: arrays of one shape, as cumsum() accepts them. They may also be of bfloat16 (PyTorch's, or
        NumPy's with ml_dtypes), and of integers of 8 or 16 bits. x holds the values before the sum.
        Its type is y's, or a narrower one whose values y's type holds: NumPy sums int32 in int64.
        Such an x is converted first, and judged by the rules of y's type. judge() copies y unless
        it is packed, and what is on a GPU. If there are no elements, y passes.
    axis, dim, exclusive, reverse, include_initial: as in cumsum(). With include_initial y is longer
        than x by one.
    orders: name the first order of additions that gives y, name all of them, or search neither for
        an order nor for what y is instead of the sums.
    measure: work out the errors of all outputs, for the report and to_dict()["errors"]; of two
        arrays the one with the smaller "meanMagnitude" is nearer to the exact sums. It takes ten
        times as long. orders="none" has no report of them.
    segments, keys, flags, initial: as in cumsum(). Each segment is judged as a line of its own, and
        initial is one of the terms of its sums; there is no explanation of what else y may be, and
        no power.
    types: y must have the type that numpy.cumsum, torch.cumsum, cumulative_sum of the array API, or
        CumSum of ONNX gives sums of x's type: uint8 is summed in uint64, int64, uint64 and uint8.
    accept: what passes, "conformant" if omitted. "decided": not an infinity or NaN that may be an
        overflow in some order of additions. "conformant": this, too. "suspect": also outputs that
        some order of additions may give, but no scan that is known; else they fail y, with the
        verdict "SUSPECT".
    reachable: try every order of sums of up to 8 terms other than zeros, instead of 4.
    half_accumulator, half_store: the promised arithmetic of float16 and bfloat16; "float16" means
        sums in the type itself. If you give one of them, only that arithmetic counts (the other is
        then "float32" or "nearest-even").
    rules: the only arithmetic that counts: "wgsl", "vulkan", "opencl", "sycl", "hlsl", "cuda" or
        "ieee", or members as in "ieee,rounding=either,order=contiguous". The section "Profiles" of
        docs/oracle.md has them all. "zero=signed", alone or among them: +0 and -0 are different.

    The verdict FAIL is a theorem, not a tolerance: no order of additions gives an output that
    fails. Use it in a test:

        assert cumsum.judge(x, y, axis=1)

    Raises what cumsum() raises.
    """
    along = one_axis(axis, dim)
    x, y = on_host("x", x), on_host("y", y)
    cuts = Cuts(segments, keys, flags, initial)
    x_name = None if types is None else name_of_elements(x)
    if is_complex(x) != is_complex(y):
        raise TypeError(f"y has type {name_of_elements(y)}, but x has type {name_of_elements(x)}")
    if is_complex(x) and x.ndim:
        along = axis_of(x.ndim, along)
        x, y, cuts = parts_of(x), parts_of(y), cuts.of_parts()
    source, x_type = judged("x", widened(x, y))
    actual, y_type = judged("y", y)
    number = axis_of(source.ndim, along)
    exclusive, reverse = flag("exclusive", exclusive), flag("reverse", reverse)
    measure = flag("measure", measure)
    if source.ndim == 0:
        source, actual = source.reshape(1), numpy.atleast_1d(actual)
    if flag("include_initial", include_initial):
        cuts.check_initial_zero(exclusive)
        source, exclusive = _with_initial(source, number, reverse), True
    check_agreement("y", source, x_type, actual, y_type)
    how = options_of(x_type, orders, options, whole_lines=True)
    unmet = _unmet_type(types, x_name, y_type)
    if actual.size == 0:
        return _failing(no_outputs(x_type), unmet)
    # In other layouts several outputs may share an address.
    actual = numpy.require(actual, requirements=["C", "A"])
    shape, aligned = source.shape, (source.flags.aligned, True)
    strides = source.strides, actual.strides
    layout = layout_of(shape, strides, source.itemsize, number, aligned)
    source = source.copy() if layout.copied[0] else source
    desc = layout.describe(x_type, reverse, exclusive)
    x_bytes, y_bytes = bytes_of(desc.input_tensor), bytes_of(desc.output_tensor)
    memory = address(source), x_bytes, address(actual), y_bytes

    def place(coordinates: Sequence[int]) -> tuple[int, ...]:
        return unmerged(coordinates, layout.sizes, shape)

    cut = segments_of(cuts, type_name(x_type), shape, number)
    found = _library.PiecesJudgement()
    arguments = *memory, byref(how), None
    said = _library.Judged(
        type=x_type,
        rank=len(layout.sizes),
        options=pointer(how),
        judgement=pointer(found.judgement),
        profile=how.name,
        measure=measure,
        range=True,
    )
    if cut is None:
        call(library.cumsum_judge, byref(desc), *arguments, byref(found.judgement))
        said.desc = pointer(desc)
        said.input, said.input_in_bytes, said.actual, said.actual_in_bytes = memory
    else:
        segments_judged = byref(desc), byref(cut), *arguments, byref(found), None
        call(library.cumsum_judge_segments, *segments_judged)
        said.places = found.places()
    explained = orders != "none"
    return _failing(judgement_of(said, type_name(x_type), explained=explained, place=place), unmet)


def check_class(judgement: Judgement, at_most: AtMost) -> None:
    """Raises AssertionError with all of a judgement that fails, or whose class is worse than this
    one."""
    __tracebackhide__ = True  # pytest shows the test instead of this function
    asked = _SHORT.get(word_in("at_most", at_most, get_args(AtMost)), at_most)
    if not judgement:
        raise AssertionError(judgement.report)
    found = judgement.error_class
    if _CLASSES.index(found) > _CLASSES.index(asked):
        raise AssertionError(
            f"at_most={at_most!r} asks for the class {asked} or better, and the class is {found} "
            f"(h={judgement.h:.3g})\n{judgement.report}"
        )


@names_successors(_ScanOptions)
def assert_cumsum(
    x: Array,
    y: Array,
    axis: SupportsIndex | None = None,
    *,
    at_most: AtMost = "worst-case",
    **options: Unpack[_ScanOptions],
) -> None:
    """Asserts that y is a cumulative sum of x along an axis, and a good one.

    at_most: the worst class of errors that is accepted, from the best: "correctly-rounded"; "one",
        "log" or "2log" for h up to 1, log2(m) or twice that; "worst-case"; "may-overflow" (an
        output may be due to an overflow). h is the error of an output in roundings of the sum of
        its m terms' magnitudes. Classes may also be written as judgements have them, "h<=log2(m)".
    options: those of judge(), but orders.

    Raises AssertionError with the verdict; otherwise what judge() raises.
    """
    __tracebackhide__ = True
    check_class(judge(x, y, axis, **options), at_most)
