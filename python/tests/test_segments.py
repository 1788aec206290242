# SPDX-License-Identifier: MIT
"""segments=, initial= and complex numbers: against sums by hand, and what is refused. The C tests
have the bits and the verdicts of all types and orders."""

import functools
import itertools

import numpy as np
import pytest

import cumsum
from array_samples import check_refused


def by_hand(x, axis, segments, initial, exclusive, reverse):
    """Sequential sums of each segment."""
    sums = np.empty_like(x)
    lines, to = np.moveaxis(x, axis, 0), np.moveaxis(sums, axis, 0)
    for begin, end in zip(segments, segments[1:]):
        order = range(end - 1, begin - 1, -1) if reverse else range(begin, end)
        total = np.full(lines.shape[1:], initial or 0, x.dtype)
        for at in order:
            before, total = total, total + lines[at]
            to[at] = before if exclusive else total
    return sums


@pytest.mark.parametrize("axis, segments", [(0, [0, 1, 4]), (1, [0, 3, 3, 40]), (-1, [0, 3])])
@pytest.mark.parametrize("initial", [None, 2.5])
@pytest.mark.parametrize("exclusive, reverse", itertools.product([False, True], repeat=2))
def test_each_segment_is_a_line(axis, segments, initial, exclusive, reverse):
    x = np.random.default_rng(1).standard_normal((4, 40, 3)).astype("float32")
    how = dict(segments=segments, initial=initial, exclusive=exclusive, reverse=reverse)
    y = cumsum.cumsum(np.asfortranarray(x), axis, **how)
    assert np.array_equal(y, by_hand(x, axis, **how))
    assert cumsum.judge(x, y, axis, **how)
    wrong = y.copy()
    wrong[2, 20 if axis == 1 else 0, 1] += 50
    found = cumsum.judge(x, wrong, axis, **how)
    assert not found
    assert found.first.coordinates == (2, 20 if axis == 1 else 0, 1)
    assert "order" not in cumsum.judge(x, y, axis, orders="none", **how).text


WORDS = np.array(["a", "a", "b", "b", "b", "a"])


@pytest.mark.parametrize(
    "how, ends",
    [
        (dict(keys=WORDS), [0, 2, 5, 6]),
        (dict(keys=np.array([7, 7, -1, -1, -1, 7], "<i8")), [0, 2, 5, 6]),
        (dict(keys=np.array([np.nan, np.nan, 0, 0, -0.0, 1])), [0, 2, 5, 6]),
        (dict(keys=list("aabbba")), [0, 2, 5, 6]),
        (dict(keys=WORDS.astype(object)), [0, 2, 5, 6]),
        (dict(flags=WORDS == "b"), [0, 2, 3, 4, 6]),
        (dict(flags=np.array([0, 0, 9, 0, 0, 200], np.uint8)), [0, 2, 5, 6]),
        (dict(segments=np.array([0, 2, 2, 5, 6], ">u8")), [0, 2, 5, 6]),
        (dict(segments=np.array([0, 2, 5, 6, 6], np.uint8)), [0, 2, 5, 6]),
    ],
)
def test_kinds_of_segments(how, ends):
    x = np.arange(12, dtype="int32").reshape(2, 6) + 1
    y = cumsum.cumsum(x, 1, **how)
    assert np.array_equal(y, by_hand(x, 1, ends, None, False, False))
    assert cumsum.judge(x, y, 1, **how)
    assert not cumsum.judge(x, np.cumsum(x, 1, dtype="int32"), 1, **how)


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int32"])
@pytest.mark.parametrize("axis", [0, 1])
def test_each_line_has_its_own(axis, dtype):
    lines = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]
    keys = [[1, 1, 2], [1, 2, 2], [1, 1, 1], [1, 2, 3]]
    offsets = [[0, 2, 3, 3], [0, 1, 3, 3], [0, 0, 3, 3], [0, 1, 2, 3]]
    expected = [[1, 3, 3], [4, 5, 11], [7, 15, 24], [10, 11, 12]]
    x, keys, offsets, expected = (
        np.array(rows) if axis else np.array(rows).T for rows in (lines, keys, offsets, expected)
    )
    x = x.astype(dtype)
    for how in (dict(keys=keys), dict(segments=offsets)):
        y = cumsum.cumsum(x, axis, **how)
        assert np.array_equal(y, expected)
        assert cumsum.judge(x, y, axis, **how)
        y[1, 1] += 1
        assert cumsum.judge(x, y, axis, **how).first.coordinates[:2] == (1, 1)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers_are_two_lines(dtype):
    random = np.random.default_rng(2)
    x = (random.standard_normal((5, 30)) + 1j * random.standard_normal((5, 30))).astype(dtype)
    y = cumsum.cumsum(x, 1)
    assert y.dtype == x.dtype
    assert np.array_equal(y.imag, cumsum.cumsum(np.ascontiguousarray(x.imag), 1))
    assert cumsum.judge(x, y, axis=-1)
    assert not cumsum.judge(x, y, axis=0)
    y[3, 7] += 9j
    assert cumsum.judge(x, y, axis=1).first.coordinates == (3, 7, 1)
    out = np.empty_like(x)
    assert cumsum.cumsum(x, 0, out=out) is out
    assert cumsum.judge(x, out, axis=0)
    with pytest.raises(TypeError, match=f"y has type float.*, but x has type {dtype}"):
        cumsum.judge(x, out.real, axis=0)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32", "int64", "uint64", "float16"])
def test_initial_values_of_all_types(dtype):
    x = np.array([1, 2, 3], dtype)
    y = (np.cumsum(x) + 200 if dtype != "int16" else np.cumsum(x) - 200).astype(dtype)
    initial = 200 if dtype != "int16" else -200
    assert cumsum.judge(x, y, initial=initial)
    assert cumsum.judge(x, y, initial=np.array(initial, dtype))
    assert not cumsum.judge(x, y, initial=initial // 2)
    with pytest.raises(TypeError if dtype != "float16" else AssertionError):
        cumsum.assert_cumsum(x, y, initial=1.5)


COMPLEX = np.ones(3, "complex64")
CARRY = cumsum.Carry()
OTHERS = [
    (lambda: cumsum.cumsum(np.ones(3), initial=1), NotImplementedError, "FLOAT64.*from an initial"),
    (lambda: cumsum.cumsum(np.arange(3), initial=1, carry=CARRY), ValueError, "pieces of lines ha"),
    (lambda: cumsum.cumsum(COMPLEX, carry=CARRY), TypeError, "x has complex numbers"),
]
REFUSED = [
    (dict(x=COMPLEX, initial=1), TypeError, "whose sums have no initial value"),
    (dict(x=COMPLEX, initial=1j), TypeError, "whose sums have no initial value"),
    (dict(segments=[0, 5, 4, 10]), ValueError, "segments.ends is 4, but it must not be less than"),
    (dict(segments=[1, 10]), ValueError, "segments must begin with 0 and end with 10"),
    (dict(segments=[0, 9]), ValueError, "segments must begin with 0 and end with 10"),
    (dict(segments=[0.0, 10.0]), TypeError, "segments must be an array of offsets"),
    (dict(segments=5), TypeError, "segments must be an array of offsets"),
    (dict(segments=[0, -1, 10]), ValueError, "segments must begin with 0"),
    (dict(segments=[[0, 10]]), ValueError, "segments has the shape .1, 2., and must be for one"),
    (dict(keys=range(9)), ValueError, "keys has 9 elements, and a line has 10"),
    (dict(keys=range(10), flags=[1] * 10), ValueError, "only one of them may be given"),
    (dict(flags=np.ones(10)), TypeError, "flags must be an array of bool or integers"),
    (dict(initial=1.5), TypeError, "initial is 1.5, and must be a number of x's type, int64"),
    (dict(initial="a"), TypeError, "initial is 'a', and must be a number"),
    (dict(initial=[1, 2]), TypeError, "initial is .1, 2., and must be a number"),
    (dict(initial=2**63), ValueError, "initial is 9223372036854775808, which int64 does not have"),
    (dict(initial=2**70), TypeError, "initial is 1180591620717411303424, and must be a number"),
    (dict(initial=1, include_initial=True), ValueError, "include_initial is for whole lines"),
]


def test_refused():
    check_refused(OTHERS)
    for how, error, message in REFUSED:
        x = how.pop("x", np.arange(10))
        calls = functools.partial(cumsum.cumsum, x, **how), functools.partial(cumsum.judge, x, x, **how)
        check_refused((call, error, message) for call in calls)
