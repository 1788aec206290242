# SPDX-License-Identifier: MIT
"""judge_sum() and assert_sum(): NumPy's sums of every type and layout, and what is no sum."""

import cumsum
import numpy
import pytest

FLOATS = ("float64", "float32", "float16")
AXES = (None, (), 0, 1, -1, (0, 2), (2, 1), (0, 1, 2))


def data(shape, dtype, seed=1):
    values = numpy.random.default_rng(seed).uniform(-1, 1, shape)
    return values.astype(dtype) if dtype in FLOATS else (values * 50).astype(dtype)


@pytest.mark.parametrize("dtype", [*FLOATS, *"int8 uint8 int16 int32 int64 uint64 bool".split()])
def test_numpy(dtype):
    x = data((5, 33, 7), dtype)
    for layout in (x, x.T, x[::-1, ::2], numpy.broadcast_to(x, (3, 5, 33, 7))[1]):
        for axis in AXES:
            for keep in (False, True):
                y = layout.sum(axis=axis, keepdims=keep)
                cumsum.assert_sum(layout, y, axis)
                assert cumsum.judge_sum(layout, y, axis)


def test_wrong():
    x = data((6, 50), "float32")
    y = x.sum(axis=1)
    y[4] += x[4, 7]
    judgement = cumsum.judge_sum(x, y, 1)
    assert not judgement and judgement.counts["FAIL"] == 1 and judgement.first.terms == 50
    assert repr(judgement) == f"<SumJudgement {judgement}>"
    assert judgement.first.coordinates == (4,)
    assert cumsum.judge_sum(x, y[:, None], 1).first.coordinates == (4, 0)
    with pytest.raises(AssertionError, match=r"FAIL: 1 of 6 outputs"):
        cumsum.assert_sum(x, y, 1)
    with pytest.raises(AssertionError, match="asks for the class correctly-rounded or better, and"):
        cumsum.assert_sum(x, x.sum(axis=1), 1, at_most="correctly-rounded")


def test_orders_and_classes():
    x = data((50, 33), "float32")
    judgement = cumsum.judge_sum(x, numpy.cumsum(x, axis=1)[:, -1], 1)
    assert [match.order for match in judgement.orders] == ["sequential"] and hash(judgement)
    exact = x.astype("float64").sum(axis=1).astype("float32")
    assert cumsum.judge_sum(x, exact, 1).error_class == "correctly-rounded"


def test_closer():
    x = numpy.array([2.0**25, 1.5, 2, -(2.0**25)], "float32")
    judgement = cumsum.judge_sum(x, numpy.float32(3))
    assert not judgement and judgement.closer == judgement.to_dict()["closer"] == 1


def test_rules():
    few, other = numpy.array([1, 2.0**24, 1], "float32"), numpy.float32(16777218)
    assert cumsum.judge_sum(few, other, rules="ieee")
    assert not cumsum.judge_sum(few, other, rules="ieee,order=contiguous")
    for empty in (numpy.zeros((3, 0), "float32"), numpy.full((3, 2), -0.0, "float32")):
        minus = numpy.full(3, -0.0, "float32")
        assert cumsum.judge_sum(empty, minus, 1)
        given = bool(cumsum.judge_sum(empty, minus, 1, rules="zero=signed"))
        assert given == bool(empty.size)  # the sum of nothing is +0
        assert cumsum.judge_sum(empty, empty.sum(axis=0), 0)
    x = numpy.array([[-0.0, 0, -0.0]], "float32")
    assert not cumsum.judge_sum(x, minus[:1], 1, rules="zero=signed")
    assert cumsum.judge_sum(numpy.float32(2), numpy.float32(2))
