# SPDX-License-Identifier: MIT
"""segments=, initial= and complex numbers: against sums by hand, and what is refused. The C tests
have the bits and the verdicts of all types and orders."""

import itertools

import numpy as np
import pytest

import cumsum


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


def test_whole_lines_are_no_segments():
    x = np.ones(8, "int32")
    assert not cumsum.judge(x, np.cumsum(x, dtype="int32"), segments=[0, 4, 8])
    with pytest.raises(AssertionError):
        cumsum.assert_cumsum(x, np.cumsum(x, dtype="int32"), initial=1)


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


REFUSED = [
    (dict(segments=[0, 5, 4, 10]), ValueError, "segments.ends is 4, but it must not be less than"),
    (dict(segments=[1, 10]), ValueError, "segments must begin with 0 and end with 10"),
    (dict(segments=[0, 9]), ValueError, "segments must begin with 0 and end with 10"),
    (dict(segments=[0.0, 10.0]), TypeError, "segments must be offsets"),
    (dict(segments=5), TypeError, "segments must be offsets"),
    (dict(initial=1.5), TypeError, "initial is 1.5, and must be a number of x's type, int64"),
    (dict(initial="a"), TypeError, "initial is 'a', and must be a number"),
    (dict(initial=[1, 2]), TypeError, "initial is .1, 2., and must be a number"),
    (dict(initial=2**70), TypeError, "initial is 1180591620717411303424, and must be a number"),
    (dict(initial=1, include_initial=True), ValueError, "include_initial is for whole lines"),
]


@pytest.mark.parametrize("how, error, message", REFUSED)
def test_refused(how, error, message):
    x = np.arange(10)
    for call in (lambda: cumsum.cumsum(x, **how), lambda: cumsum.judge(x, x, **how)):
        with pytest.raises(error, match=message):
            call()


def test_pieces_have_a_carry():
    with pytest.raises(ValueError, match="pieces of lines have a carry"):
        cumsum.cumsum(np.arange(3), initial=1, carry=cumsum.Carry())
    with pytest.raises(TypeError, match="x has complex numbers"):
        cumsum.cumsum(np.array([1j]), carry=cumsum.Carry())
