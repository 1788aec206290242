# SPDX-License-Identifier: MIT
"""Suspect sums, which some order of additions may give and no scan that is known: planted faults
in lines that are so long that the bound of any order accepts them."""

import cumsum
import numpy
import pytest
from array_samples import lost_carry


def chunks(x, length):
    """Sums in each chunk, to which the exact sum of all before is added."""
    sums = numpy.cumsum(x.reshape(-1, length), 1, dtype="float32")
    totals = numpy.cumsum(x.reshape(-1, length).sum(1, dtype="float64"))
    sums[1:] += totals[:-1, None].astype("float32")
    return sums


def test_right_sums_have_no_doubt():
    x, _ = lost_carry()
    for y in (cumsum.cumsum(x), chunks(x, 1024).ravel()):
        judgement = cumsum.judge(x, y)
        assert judgement.verdict == "PASS" and judgement.doubt is None
        assert 0.01 < judgement.power.lost_term < judgement.power.lost_carry < 2
        assert "a lost term of " in judgement.report
    few = numpy.arange(100, dtype="float32")
    judgement = cumsum.judge(few, numpy.cumsum(few, dtype="float32"))
    assert judgement.power == cumsum.Power(exact=True, lost_term=0, lost_carry=0)


def test_a_lost_carry():
    x, y = lost_carry()
    half = len(x) // 2
    judgement = cumsum.judge(x, y, orders="none")
    assert not judgement and judgement.verdict == "SUSPECT"
    assert judgement.error_class == "worst-case"
    doubt = judgement.doubt
    assert doubt.reason == "not-by-neighbours" and doubt.model == "conformant" and doubt.lines == 1
    assert doubt.coordinates == (half,) and doubt.terms == half + 1
    assert doubt.error == pytest.approx(-x[:half].sum(dtype="float64"), rel=1e-4)
    assert abs(doubt.error) > doubt.bound > abs(doubt.error_before) and doubt.jump > 1000
    assert doubt.outputs == judgement.counts["SUSPECT"] > half // 2
    assert str(judgement).startswith(
        f"SUSPECT: no order that adds neighbours gives [{half}]; "
        f"{doubt.outputs} of {len(x)} outputs are suspect: the error there is -370.9, beyond "
    )
    with pytest.raises(AssertionError, match=r"^SUSPECT: .*; \d+ of 262144 outputs are suspect"):
        cumsum.assert_cumsum(x, y)
    accepted = cumsum.judge(x, y, accept="suspect", orders="none")
    assert accepted.verdict == "PASS" and accepted.doubt == doubt
    with pytest.raises(AssertionError, match="^at_most='one' asks .* the class is worst-case "):
        cumsum.assert_cumsum(x, y, accept="suspect", at_most="one")


def test_the_place_is_that_of_the_caller():
    x, y = lost_carry()
    whole = numpy.stack([x, x], 1), numpy.stack([cumsum.cumsum(x), y], 1)
    shape = (1, 1, len(x), 1, 1, 1, 1, 1, 2, 1)
    many = cumsum.judge(*(array.reshape(shape) for array in whole), 2, orders="none")
    assert many.doubt.coordinates == (0, 0, len(x) // 2, 0, 0, 0, 0, 0, 1, 0)
    backwards = cumsum.judge(x[::-1], y[::-1], reverse=True, orders="none")
    assert backwards.doubt.coordinates == (len(x) // 2 - 1,)


def test_a_note_of_seams():
    """Chunks that are reduced in three parts first, and then scanned more precisely."""
    length = 32768
    x = numpy.full(5 * length, 0.7, "float32")
    y = numpy.empty_like(x)
    carry = numpy.float32(0)
    for first in range(0, len(x), length):
        chunk = x[first : first + length]
        y[first : first + length] = numpy.cumsum(chunk, dtype="float64").astype("float32") + carry
        for part in numpy.array_split(chunk, 3):
            carry += numpy.cumsum(part, dtype="float32")[-1]
    judgement = cumsum.judge(x, y)
    assert judgement and judgement.seam == length and judgement.doubt is None
    assert judgement.to_dict()["doubt"]["seam"] == length
