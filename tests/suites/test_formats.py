# SPDX-License-Identifier: MIT
"""What the examples and the counts rest on: the arithmetic of formats.py beside NumPy's, all trees
beside trees that are written out, and a comparison with a document that finds a changed number."""

import itertools
import math
import random

import count_errors
import numpy
import pytest
from formats import (
    BFLOAT16,
    BINARY16,
    BINARY32,
    BINARY64,
    Profile,
    all_sums,
    is_right,
    round_nearest,
    roundings,
    wider_sums,
)

FORMS = {"float16": BINARY16, "float32": BINARY32, "float64": BINARY64}


def some_numbers(dtype, generator):
    """Random bits; a number near the negative of one before; powers of two."""
    kind = numpy.dtype(dtype)
    before = kind.type(1)
    while True:
        choice = generator.randrange(3)
        if choice == 0:
            bits = generator.getrandbits(8 * kind.itemsize)
            number = numpy.array([bits], f"uint{8 * kind.itemsize}").view(dtype)[0]
        elif choice == 1:
            number = numpy.nextafter(-before, kind.type(generator.choice([-1, 1]) * numpy.inf))
        else:
            number = kind.type(math.ldexp(generator.choice([-1, 1]), generator.randint(-150, 16)))
        if numpy.isfinite(number):
            before = number
            yield number


@pytest.mark.parametrize("dtype", FORMS)
def test_additions_and_steps_are_numpys(dtype):
    form, stream = FORMS[dtype], some_numbers(dtype, random.Random(1))
    toward = numpy.dtype(dtype).type(numpy.inf)
    with numpy.errstate(all="ignore"):
        for _ in range(3000):
            a, b = next(stream), next(stream)
            exact = form.of(a) + form.of(b)
            assert form.value(round_nearest(form, exact)) == float(a + b)
            low, high = form.neighbours(exact)
            assert {round_nearest(form, exact)} <= {low, high} == roundings(form, exact, "either")
            assert form.step(form.of(a), 1) == form.of(numpy.nextafter(a, toward))
            assert form.step(form.of(a), -1) == form.of(numpy.nextafter(a, -toward))


def test_toward_zero_and_overflow():
    greatest = BINARY32.greatest
    assert roundings(BINARY32, 2 * greatest, "toward-zero") == {greatest}
    assert roundings(BINARY32, 2 * greatest, "nearest") == {math.inf}
    assert roundings(BINARY32, -2 * greatest, "either") == {-math.inf, -greatest}
    ones = [BFLOAT16.of(1.0), BFLOAT16.of(2.0**-8)]
    assert all_sums(BFLOAT16, Profile("toward-zero"), ones) == {ones[0]}
    assert all_sums(BFLOAT16, Profile("either"), ones) == {ones[0], BFLOAT16.of(1 + 2.0**-7)}


def written_out(terms):
    """All trees, one by one: two of the values are replaced by their sum."""
    if len(terms) == 1:
        return {terms[0]}
    found = set()
    for i, j in itertools.combinations(range(len(terms)), 2):
        rest = [term for k, term in enumerate(terms) if k not in (i, j)]
        found |= written_out([*rest, round_nearest(BINARY32, terms[i] + terms[j])])
    return found


def test_all_trees():
    generator = random.Random(2)
    for count in 1, 2, 3, 4, 5:
        for _ in range(20):
            terms = []
            for _ in range(count):
                size = math.ldexp(generator.uniform(-1, 1), generator.randrange(9))
                terms.append(BINARY32.of(numpy.float32(size)))
            assert all_sums(BINARY32, Profile(), terms) == written_out(terms)


def test_contiguous_orders_and_flushing():
    terms = [BINARY32.of(value) for value in (1.0, 2.0**24, 1.0)]
    even, odd = BINARY32.of(2.0**24), BINARY32.of(2.0**24 + 2)
    assert all_sums(BINARY32, Profile(), terms) == {even, odd}
    assert all_sums(BINARY32, Profile(order="contiguous"), terms) == {even}
    difference = [BINARY32.of(1.5 * 2.0**-126), BINARY32.of(-(2.0**-126))]
    exact = BINARY32.of(2.0**-127)
    for flush, sums in ("never", {exact}), ("may", {exact, 0}), ("must", {0}):
        assert all_sums(BINARY32, Profile(flush_results=flush), difference) == sums
    assert not is_right(BINARY32, Profile(flush_results="may", wider=True), difference, exact >> 3)


def test_wider_sums():
    one, small = BFLOAT16.of(1.0), BFLOAT16.of(2.0**-8)
    up = BFLOAT16.of(1 + 2.0**-7)
    assert all_sums(BFLOAT16, Profile(), [one, small, small * 3 // 4]) == {one, up}
    assert wider_sums(BFLOAT16, Profile(), [one, small, small * 3 // 4]) == {up}
    assert wider_sums(BFLOAT16, Profile("toward-zero"), [one, small * 3 // 2]) == {one, up}
    for rounding in "nearest", "either":
        profile = Profile(rounding, flush_inputs="may", flush_results="may")
        for a, b in (one, -small), (one, BFLOAT16.of(2.0**-133)), (BFLOAT16.of(2.0**-127), one):
            assert wider_sums(BFLOAT16, profile, [a, b]) == all_sums(BFLOAT16, profile, [a, b])


def test_a_changed_number_in_the_document_is_found():
    rows = ["| a | 1, 0 |", "| b | 2, 0 |", ""]
    assert count_errors.missing_rows(rows, ["text", *rows]) == []
    assert count_errors.missing_rows(rows, ["text", "| a | 1, 0 |", "| b | 3, 0 |"]) == [rows[1]]
