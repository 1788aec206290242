# SPDX-License-Identifier: MIT
"""judge(): the oracle's verdict on a cumulative sum that something else computed, and
assert_cumsum(), which raises it."""

from __future__ import annotations

import decimal
import os
import struct
from dataclasses import asdict, dataclass, field, fields
from ctypes import byref, create_string_buffer, pointer
from typing import Any, Literal, Sequence, SupportsIndex, get_args

import numpy

from . import _library
from ._arrays import Array, as_numpy, judged, type_name, widened
from ._layout import Layout, address, layout_of, unmerged
from ._library import bytes_of, call, library
from ._scan import check_agreement
from ._words import (
    DENORMALS,
    HALF_ACCUMULATORS,
    HALF_STORES,
    Denormals,
    HalfAccumulator,
    HalfStore,
    axis_of,
    flag,
    integer_of,
    one_axis,
    numerics,
    word_in,
    word_of,
)

# By type: the struct formats of the bits and of the value. A bfloat16 is the upper half of a
# float32.
_FORMATS = {
    "float64": ("<Q", "<d"),
    "bfloat16": ("<I", "<f"),
    "float32": ("<I", "<f"),
    "float16": ("<H", "<e"),
    "uint32": ("<I", "<I"),
    "int32": ("<I", "<i"),
    "uint64": ("<Q", "<Q"),
    "int64": ("<Q", "<q"),
    "uint16": ("<H", "<H"),
    "int16": ("<H", "<h"),
    "uint8": ("<B", "<B"),
    "int8": ("<B", "<b"),
}
_ELEMENTS = ("expected", "actual", "lower", "upper")

ErrorClass = Literal[
    "correctly-rounded", "h<=1", "h<=log2(m)", "h<=2*log2(m)", "any-order", "indeterminate"
]


def _packed(value: float, dtype: str) -> int:
    """The bits of the element that a number rounds to."""
    bits, number = _FORMATS[dtype]
    packed: int = struct.unpack(bits, struct.pack(number, value))[0]
    return (packed + 0x7FFF + (packed >> 16 & 1)) >> 16 if dtype == "bfloat16" else packed


def _reads_back(text: str, value: float, dtype: str) -> bool:
    try:
        return _packed(float(text), dtype) == _packed(value, dtype)
    except OverflowError:
        return False


def _element_text(value: int | float, dtype: str) -> str:
    """The shortest decimal that reads back as this element, in Python's notation: 0.1 for the
    float32 whose exact value is 0.100000001490116...
    """
    if isinstance(value, int) or value != value or value in (0, float("inf"), -float("inf")):
        return repr(value)
    if dtype == "float64":
        return repr(value)
    # Near a power of 2 the nearest decimal may be that of a neighbour, but not the one beyond.
    roundings = (decimal.ROUND_HALF_EVEN, decimal.ROUND_DOWN, decimal.ROUND_UP)
    for digits in range(1, 9):
        for rounding in roundings:
            context = decimal.Context(prec=digits, rounding=rounding)
            text = str(context.create_decimal(value))
            if _reads_back(text, value, dtype):
                return repr(float(text))
    return repr(float(f"{value:.9g}"))


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
    lower and upper it is an element of type dtype, and printed as the shortest decimal that reads
    back."""
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

    def __str__(self) -> str:
        at = ", ".join(map(str, self.coordinates))
        expected, actual, lower, upper = (self._shown(name) for name in _ELEMENTS)
        bounds = lower if lower == upper else f"{lower}..{upper}"
        terms = "1 term" if self.terms == 1 else f"{self.terms} terms"
        return (
            f"{self.verdict}: y[{at}] is {actual}, the sum of {terms} is {expected}, "
            f"allowed is {bounds} ({_distance(self)})"
        )

    def __repr__(self) -> str:
        members = (f"{field.name}={self._shown(field.name)}" for field in fields(self))
        return f"Finding({', '.join(members)})"

    def _shown(self, name: str) -> str:
        value = getattr(self, name)
        return _element_text(value, self.dtype) if name in _ELEMENTS else repr(value)


def _distance(finding: Finding) -> str:
    """A NaN has no distance from a number."""
    if (finding.actual != finding.actual) != (finding.expected != finding.expected):
        return "a NaN against a number"
    return f"{finding.ulps} ulps"


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
    """Why outputs are doubtful, and one of them: the first, or the one with the greatest jump, of
    the first line with the strongest reason. Errors are in the unit of the elements."""

    reason: str
    """ "not-by-neighbours": no order that adds neighbours, as every scan does, gives the output;
    "error-jumps": its error differs far more from that of the output before it than in any scan
    that is known; "nothing-known": the bound accepts nearly everything, and the error is larger than
    that of a balanced tree."""
    model: str
    """The model of rounding that leaves the weakest doubt."""
    outputs: int
    """The number of doubtful outputs."""
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

    def __str__(self) -> str:
        at = ", ".join(map(str, self.coordinates))
        if self.reason == "error-jumps":
            change = f"goes from {self.error_before:.4g} to {self.error:.4g}"
            text = f"the error {change}, by more than {self.bound:.4g}"
        else:
            text = f"the error is {self.error:.4g}, beyond {self.bound:.4g}"
        stays = ", and stays" if self.stays else ""
        return f"{self.reason} at y[{at}], where {text}{stays}"


@dataclass(frozen=True)
class Power:
    """What the judgement of this x would have found, whatever y is: the faults that make an output
    FAIL or DOUBTFUL."""

    exact: bool
    """No order of additions rounds: any wrong bit is found."""
    lost_term: float
    """A term of this magnitude or more, missing from an output on or added twice."""
    lost_carry: float
    """A carry of this magnitude or more, missing at one place or at every multiple of a length."""

    @property
    def is_known(self) -> bool:
        """Not of sums (judge_sum())."""
        return self.exact or self.lost_term > 0

    def __str__(self) -> str:
        if self.exact:
            return "any wrong bit would have been found"
        return (
            f"a lost term above {self.lost_term:.2g}, or a lost carry above {self.lost_carry:.2g}, "
            "would have been found"
        )


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
    """ "correctly-rounded", "h<=1", "h<=log2(m)", "h<=2*log2(m)", "any-order", "indeterminate" or
    "FAIL"."""
    h: float
    """The largest error, in roundings of the sum of the terms' magnitudes; infinite if an output
    that does not fail may be due to an overflow."""
    orders: tuple[OrderMatch, ...]
    """The named orders that give y bit for bit: the first one, or all with orders="all"."""
    first: Finding | None
    """The first output that fails. If none fails, the first indeterminate one; if all pass, the one
    with the largest error, or None for integers."""
    worst: Finding | None
    """The same, with the largest distance instead of the first place."""
    near: OrderMatch | None
    """If no named order gives y: the one that gives nearly all of its outputs."""
    differing: int
    """The number of outputs that this order does not give."""
    doubt: Doubt | None
    """Why outputs that pass otherwise are doubtful. They fail y, except with doubtful=True."""
    seam: int
    """A note: if not 0, errors jump at multiples of so many elements, by less than is doubtful, as
    in scans that add chunks."""
    power: Power
    """What would have been found."""
    not_tried: tuple[str, ...] = field(default=(), kw_only=True)
    """The named orders that need whole lines, if y was judged in chunks (cumsum.dask)."""

    @property
    def verdict(self) -> str:
        """ "PASS", "FAIL" or "DOUBTFUL"."""
        return "PASS" if self.passed else "DOUBTFUL" if self.doubt else "FAIL"

    def __bool__(self) -> bool:
        return self.passed

    def to_dict(self) -> dict[str, Any]:
        """All of it as dicts, lists, strings and numbers, for json.dumps() or a table, with
        `verdict`. What is not finite stays a float: json.dumps() writes NaN and Infinity."""
        return {"verdict": self.verdict, **_plain(asdict(self))}

    def _repr_html_(self) -> str:
        """A table, for notebooks."""
        from ._html import judgement_table

        return judgement_table(self)

    def __str__(self) -> str:
        if self.doubt or self.passed:
            return f"{self.verdict}: {self._summary()}"
        wrong = self.counts.get("FAIL", 0) or self.counts.get("overflow-indeterminate", 0)
        same = self.worst and self.first and self.worst.coordinates == self.first.coordinates
        worst = "" if same else f"; worst {self.worst}"
        return f"FAIL: {wrong} of {self.outputs} outputs; first {self.first}{worst}"

    def __repr__(self) -> str:
        """The same, with the order that gives the others, or with what would have been found. A
        failing assert shows this."""
        if self.verdict == "FAIL":
            near = f"; but for {self.differing} in the order {self.near.order}" if self.near else ""
            return f"{self}{near}"
        return f"{self}; {self.power}" if self.power.is_known else str(self)

    def _summary(self) -> str:
        """The class and the order, and what is doubtful."""
        text = f"{self.outputs} outputs, {self.error_class}"
        if self.orders:
            text += f", in the order {self.orders[0].order}"
        if self.seam:
            text += f", errors jump every {self.seam} elements"
        if self.doubt:
            text += f"; {self.doubt.outputs} of them are doubtful: {self.doubt}"
        return text


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    return [_plain(member) for member in value] if isinstance(value, (tuple, list)) else value


def details(judgement: Judgement) -> str:
    """All of a judgement, in several lines."""
    counts = ", ".join(f"{count} {verdict}" for verdict, count in judgement.counts.items())
    found = {"first": judgement.first, "worst": judgement.worst}
    if found["first"] == found["worst"]:
        del found["first"]
    lines = [
        f"{judgement.verdict}: {judgement.outputs} outputs: {counts}",
        f"class {judgement.error_class}, h={judgement.h:.3g}",
    ]
    if judgement.orders:
        lines.append(f"order {', '.join(match.order for match in judgement.orders)}")
    if judgement.not_tried:
        lines.append(f"not tried: {', '.join(judgement.not_tried)}")
    if judgement.near:
        lines.append(f"order {judgement.near.order}, but for {judgement.differing} outputs")
    if judgement.seam:
        lines.append(f"errors jump every {judgement.seam} elements")
    if judgement.doubt:
        lines.append(str(judgement.doubt))
    else:
        lines += [f"{name} {finding}" for name, finding in found.items() if finding]
    if judgement.verdict != "FAIL" and judgement.power.is_known:
        lines.append(str(judgement.power))
    return "\n".join(lines)


def _element_of(bits: int, dtype: str) -> int | float:
    as_bits, value = _FORMATS[dtype]
    read: int | float = struct.unpack(
        value, struct.pack(as_bits, bits << (16 if dtype == "bfloat16" else 0))
    )[0]
    return read


def _named(function: Any, number: int) -> str:
    name: str = function(number).decode()
    return name


def _finding_of(f: Any, dtype: str, coordinates: tuple[int, ...]) -> Finding:
    return Finding(
        dtype=dtype,
        verdict=_named(library.cumsum_verdict_name, f.verdict),
        coordinates=coordinates,
        terms=f.terms,
        ulps=f.ulps,
        error=f.error,
        decided=f.decided,
        **{name: _element_of(getattr(f, name), dtype) for name in _ELEMENTS},
    )


def _match_of(match: Any) -> OrderMatch:
    name = _named(library.cumsum_named_order_name, match.order)
    if match.order == _library.NAMED_COMPOSED:
        written = create_string_buffer(128)
        library.cumsum_order_write(byref(match.composed), written)
        name = written.value.decode()
    return OrderMatch(
        name,
        word_of(match.half_accumulator, HALF_ACCUMULATORS),
        word_of(match.half_store, HALF_STORES),
        word_of(match.denormals, DENORMALS),
    )


def _doubt_of(d: Any, coordinates: tuple[int, ...]) -> Doubt | None:
    if not d.reason:
        return None
    return Doubt(
        reason=_named(library.cumsum_doubt_reason_name, d.reason),
        model=_named(library.cumsum_verdict_name, d.model),
        coordinates=coordinates,
        **{
            name: getattr(d, name)
            for name in "outputs lines terms error error_before bound jump seam stays".split()
        },
    )


def judgement_of(
    j: Any, data_type: int, places: Sequence[tuple[int, ...]], not_tried: tuple[str, ...] = ()
) -> Judgement:
    """The judgement of the library's structure, with the places of first, worst and doubt."""
    dtype = type_name(data_type)
    names = [_named(library.cumsum_verdict_name, v) for v in range(_library.VERDICTS)]
    findings = [
        _finding_of(f, dtype, place) if f.terms or f.verdict else None
        for f, place in zip((j.first, j.worst), places)
    ]
    return Judgement(
        passed=j.passed,
        outputs=j.outputs,
        counts={name: count for name, count in zip(names, j.counts) if count},
        models=tuple(name for v, name in enumerate(names) if j.models >> v & 1),
        error_class=_named(library.cumsum_error_class_name, j.error_class),
        h=j.h,
        orders=tuple(_match_of(match) for match in j.matches[: j.match_count]),
        first=findings[0],
        worst=findings[1],
        near=_match_of(j.near.match) if j.near.differing else None,
        differing=j.near.differing,
        doubt=_doubt_of(j.doubt, places[2]),
        seam=0 if j.doubt.reason else j.doubt.seam,
        power=Power(j.power.exact, j.power.lost_term, j.power.lost_carry),
        not_tried=not_tried,
    )


def no_outputs() -> Judgement:
    """The verdict on no outputs."""
    power = Power(exact=True, lost_term=0.0, lost_carry=0.0)
    return Judgement(
        True, 0, {}, (), "correctly-rounded", 0.0, (), None, None, None, 0, None, 0, power
    )


def _with_initial(x: Any, axis: int, reverse: bool) -> Any:
    """x with a zero behind it. The exclusive sums of that are those of x which begin with 0."""
    shape = list(x.shape)
    shape[axis] = 1
    parts = [x, numpy.zeros(shape, x.dtype)]
    return numpy.concatenate(parts[::-1] if reverse else parts, axis=axis)


def options_of(
    data_type: int,
    *,
    strict_zero: bool,
    strict: bool,
    orders: str,
    reachable: bool,
    doubtful: bool,
    half_accumulator: str | None,
    half_store: str | None,
    profile: str | None,
    whole_lines: bool = False,
) -> _library.JudgeOptions:
    """The library's options. whole_lines: with what only lines that are given at once have."""
    word_in("orders", orders, ("first", "all", "none"))
    promised = half_accumulator is not None or half_store is not None
    if promised and profile is not None:
        raise ValueError(
            "profile cannot be combined with half_accumulator or half_store: both say in which "
            "arithmetic sums are"
        )
    words = numerics(
        "sequential",
        "float32" if half_accumulator is None else half_accumulator,
        "nearest-even" if half_store is None else half_store,
        "preserve",
    )
    options = _library.JudgeOptions(
        strict_zero=flag("strict_zero", strict_zero),
        strict=flag("strict", strict),
        reachable=flag("reachable", reachable),
        accept_doubtful=flag("doubtful", doubtful),
        promised=promised,
        all_orders=orders == "all",
        no_orders=orders == "none",
        near_order=whole_lines and orders != "none",
        composed_orders=whole_lines and orders != "none",
        power=whole_lines,
        numerics=_library.Numerics(*words),
    )
    if profile is not None:
        read = _library.Profile()
        call(library.cumsum_profile_read, profile.encode(), data_type, byref(read))
        options.profile = pointer(read)
    return options


def judge(
    x: Array,
    y: Array,
    axis: SupportsIndex | None = None,
    *,
    dim: SupportsIndex | None = None,
    exclusive: bool = False,
    reverse: bool = False,
    include_initial: bool = False,
    strict: bool = False,
    strict_zero: bool = False,
    reachable: bool = False,
    orders: Literal["first", "all", "none"] = "first",
    half_accumulator: HalfAccumulator | None = None,
    half_store: HalfStore | None = None,
    profile: str | None = None,
    doubtful: bool = False,
) -> Judgement:
    """Can y be the cumulative sum of x along an axis, added in any order?

    x, y: arrays of one shape, as cumsum() accepts them. They may also be of bfloat16 (PyTorch's, or
        NumPy's with ml_dtypes), and of integers of 8 or 16 bits. x holds the values before the sum.
        Its type is y's, or a narrower one whose values y's type holds: NumPy sums int32 in int64.
        Such an x is converted first, and judged by the rules of y's type. judge() copies y unless
        it is packed. If there are no elements, y passes.
    axis, dim, exclusive, reverse, include_initial: as in cumsum(). With include_initial y is longer
        than x by one.
    strict: fail an infinity or NaN that may be an overflow in some order of additions.
    strict_zero: treat +0 and -0 as different.
    reachable: try every order of sums of up to 8 terms other than zeros, instead of 4.
    orders: name the first order of additions that gives y, name all of them, or do not search.
    half_accumulator, half_store: the promised arithmetic of float16 and bfloat16; "float16" means
        sums in the type itself. If you give one of them, only that arithmetic counts (the other is
        then "float32" or "nearest-even").
    profile: the only arithmetic that counts: "wgsl", "vulkan", "opencl", "sycl", "hlsl", "cuda" or
        "ieee", or members as in "ieee,rounding=either,order=contiguous". The section "Profiles" of
        docs/oracle.md has them all.
    doubtful: accept outputs that some order of additions may give, but no scan that is known; else
        they fail y, with the verdict "DOUBTFUL" instead of "FAIL".

    The verdict FAIL is a theorem, not a tolerance: no order of additions gives an output that fails.
    Use it in a test:

        assert cumsum.judge(x, y, axis=1)

    Raises what cumsum() raises.
    """
    along = one_axis(axis, dim)
    source, x_type = judged("x", widened(x, y))
    actual, y_type = judged("y", y)
    number = axis_of(source.ndim, along)
    exclusive, reverse = flag("exclusive", exclusive), flag("reverse", reverse)
    if source.ndim == 0:
        source, actual = source.reshape(1), numpy.atleast_1d(actual)
    if flag("include_initial", include_initial):
        if exclusive:
            raise ValueError("exclusive sums begin with 0 already: include_initial must be False")
        source, exclusive = _with_initial(source, number, reverse), True
    check_agreement("y", source, x_type, actual, y_type)
    options = options_of(
        x_type,
        strict_zero=strict_zero,
        strict=strict,
        orders=orders,
        reachable=reachable,
        doubtful=doubtful,
        half_accumulator=half_accumulator,
        half_store=half_store,
        profile=profile,
        whole_lines=True,
    )
    if actual.size == 0:
        return no_outputs()
    # In other layouts several outputs may share an address.
    actual = numpy.require(actual, requirements=["C", "A"])
    shape, aligned = source.shape, (source.flags.aligned, True)
    strides = source.strides, actual.strides
    layout = layout_of(shape, *strides, source.itemsize, number, reverse, aligned, name="y")
    source = source if layout.copied is None else source[layout.copied].copy("C")
    desc = layout.describe(x_type, exclusive)
    found = _library.Judgement()
    memory = (
        address(source),
        bytes_of(desc.input_tensor),
        address(actual),
        bytes_of(desc.output_tensor),
    )
    call(library.cumsum_judge, byref(desc), *memory, byref(options), None, byref(found))
    places = [
        unmerged(one.coordinates, layout.sizes, shape)
        for one in (found.first, found.worst, found.doubt)
    ]
    return judgement_of(found, x_type, places)


def assert_cumsum(
    x: Array,
    y: Array,
    axis: SupportsIndex | None = None,
    *,
    at_most: ErrorClass = "any-order",
    dim: SupportsIndex | None = None,
    exclusive: bool = False,
    reverse: bool = False,
    include_initial: bool = False,
    strict: bool = False,
    strict_zero: bool = False,
    reachable: bool = False,
    half_accumulator: HalfAccumulator | None = None,
    half_store: HalfStore | None = None,
    profile: str | None = None,
    doubtful: bool = False,
    save: str | os.PathLike[str] | None = None,
) -> None:
    """Asserts that y is a cumulative sum of x along an axis, and a good one.

    at_most: the worst class of errors that is accepted, from the best: "correctly-rounded", "h<=1",
        "h<=log2(m)", "h<=2*log2(m)", "any-order", "indeterminate" (an output may be due to an
        overflow). h is the error of an output in roundings of the sum of its m terms' magnitudes.
    save: a folder, for x.npy and y.npy if the assertion fails. The text then has what the command
        `cumsum judge` says of these files, if it is in PATH: what y is instead of the sum.
    Other arguments: as in judge().

    Raises AssertionError with the verdict; otherwise what judge() raises.
    """
    __tracebackhide__ = True  # pytest shows the test instead of this function
    axis = one_axis(axis, dim)
    classes: tuple[str, ...] = get_args(ErrorClass)
    word_in("at_most", at_most, classes)
    options: dict[str, Any] = {
        "exclusive": exclusive,
        "reverse": reverse,
        "include_initial": include_initial,
        "strict": strict,
        "strict_zero": strict_zero,
        "reachable": reachable,
        "half_accumulator": half_accumulator,
        "half_store": half_store,
        "profile": profile,
        "doubtful": doubtful,
    }
    judgement = judge(x, y, axis, orders="none", **options)
    good = judgement.error_class in classes[: classes.index(at_most) + 1]
    if judgement and good:
        return
    judgement = judge(x, y, axis, **options)  # with orders
    text = details(judgement)
    if judgement:
        text = (
            f"the class is {judgement.error_class} (h={judgement.h:.3g}), and must be {at_most} or "
            f"better\n{text}"
        )

    from ._command import explain, judge_command, save_and_explain

    number = 0 if axis is None else integer_of("axis", axis)
    dtype = judgement.worst.dtype if judgement.worst else "an integer"
    if dtype != "bfloat16":
        x = widened(x, y)  # the file of a bfloat16 x has its bits
    if include_initial:  # the program has no such option
        values = as_numpy("x", x)
        x = _with_initial(values, axis_of(values.ndim, axis), reverse)
        options["exclusive"] = True
    words = judge_command(save or "", number, dtype, options)
    if judgement:
        words += ["--min-class", at_most]
    more = explain(words) if save is None else save_and_explain(save, x, y, words)
    raise AssertionError(f"{text}\n{more}")
