# SPDX-License-Identifier: MIT
"""Binary formats, and the sums that additions in some order give, without any rounding error here.

A finite number is an integer: how many of the format's smallest subnormals it has. Sums of them
are exact. An infinity is math.inf or -math.inf, and NOT_A_NUMBER is one object, so that sets hold
it once. Zeros have no sign."""

import itertools
import math
from dataclasses import dataclass

NOT_A_NUMBER = math.nan


@dataclass(frozen=True)
class Format:
    """precision: significant bits; least: log2 of the smallest subnormal; top: the exponent of the
    greatest finite number."""

    name: str
    precision: int
    least: int
    top: int

    @property
    def greatest(self):
        return (2**self.precision - 1) << (self.top - self.precision + 1 - self.least)

    @property
    def smallest_normal(self):
        return 1 << (self.precision - 1)

    def of(self, value):
        """The number that a Python float or a NumPy scalar is."""
        value = float(value)
        if math.isnan(value):
            return NOT_A_NUMBER
        if math.isinf(value):
            return value
        numerator, denominator = value.as_integer_ratio()
        units, rest = divmod(numerator << -self.least, denominator)
        assert rest == 0, f"{value} is no number of {self.name}"
        return units

    def value(self, number):
        """The Python float that a number of the format is."""
        if isinstance(number, float):
            return number
        shift = max(number.bit_length() - 64, 0)  # a number has 64 significant bits at most
        return math.ldexp(number >> shift, shift + self.least)

    def neighbours(self, exact, bits=0):
        """The greatest number below an exact sum and the least one above it: alike if it is one.
        The sum is times 2^bits."""
        size = abs(exact)
        if size > self.greatest << bits:
            return (self.greatest, math.inf) if exact > 0 else (-math.inf, -self.greatest)
        spare = max(size.bit_length() - self.precision, bits)
        low = exact >> spare << spare
        high = low if low == exact else low + (1 << spare)
        return low >> bits, high >> bits

    def _bounded(self, number):
        if abs(number) <= self.greatest:
            return number
        return math.inf if number > 0 else -math.inf

    def step(self, number, steps):
        """The number that is `steps` steps above another one, or below it if steps is negative."""
        for _ in range(abs(steps)):
            if isinstance(number, float):
                return number
            size = max(abs(number).bit_length() - self.precision, 0)
            toward_zero = (number > 0) != (steps > 0) and number != 0
            # At a power of two the step toward zero is the smaller one.
            if toward_zero and size and abs(number) == 1 << (abs(number).bit_length() - 1):
                size -= 1
            number = self._bounded(number + (1 << size if steps > 0 else -(1 << size)))
        return number


BINARY16 = Format("FLOAT16", 11, -24, 15)
BFLOAT16 = Format("BFLOAT16", 8, -133, 127)
BINARY32 = Format("FLOAT32", 24, -149, 127)
BINARY64 = Format("FLOAT64", 53, -1074, 1023)


def round_nearest(form, exact, bits=0):
    low, high = form.neighbours(exact, bits)
    if low == high:
        return low
    # An infinity counts as the power of two that follows the greatest number.
    beyond = form.greatest + (1 << (form.top - form.precision + 1 - form.least))
    low_at = -beyond if low == -math.inf else low
    high_at = beyond if high == math.inf else high
    below, above = exact - (low_at << bits), (high_at << bits) - exact
    if below != above:
        return low if below < above else high
    unit = high_at - low_at
    return low if low_at // unit % 2 == 0 else high


def roundings(form, exact, rounding, bits=0):
    """All numbers that a sum, times 2^bits, may be rounded to."""
    low, high = form.neighbours(exact, bits)
    if rounding == "either":
        return {low, high}
    if rounding == "nearest":
        return {round_nearest(form, exact, bits)}
    assert rounding == "toward-zero"
    return {low if exact > 0 else high}


@dataclass(frozen=True)
class Profile:
    """What one addition may return, and in which order terms may be added: docs/for-suites.md."""

    rounding: str = "nearest"
    flush_inputs: str = "never"
    flush_results: str = "never"
    order: str = "any"
    wider: bool = False


def _flushed(form, number, flush):
    if flush == "never" or isinstance(number, float) or abs(number) >= form.smallest_normal:
        return {number}
    return {0} if flush == "must" else {number, 0}


def _added(form, profile, left, right):
    sums = set()
    for a in _flushed(form, left, profile.flush_inputs):
        for b in _flushed(form, right, profile.flush_inputs):
            if isinstance(a, float) or isinstance(b, float):
                exact = float(a if isinstance(a, float) else 0) + (b if isinstance(b, float) else 0)
                sums.add(NOT_A_NUMBER if math.isnan(exact) else exact)
                continue
            for rounded in roundings(form, a + b, profile.rounding):
                sums |= _flushed(form, rounded, profile.flush_results)
    return sums


def all_sums(form, profile, terms):
    """Every value that a tree over the terms gives, found by trying each cut of each subset. A term
    alone may be read with flushing as well."""
    assert 0 < len(terms) <= 7
    whole = (1 << len(terms)) - 1
    sums = {1 << i: _flushed(form, term, profile.flush_inputs) for i, term in enumerate(terms)}
    for subset in range(1, whole + 1):
        if subset in sums:
            continue
        if profile.order == "contiguous":
            runs = subset // (subset & -subset)
            if runs & (runs + 1):  # not a run of neighbours
                continue
        found = set()
        part = (subset - 1) & subset
        while part > subset ^ part:  # each cut once
            rest = subset ^ part
            if part in sums and rest in sums:
                for left in sums[part]:
                    for right in sums[rest]:
                        found |= _added(form, profile, left, right)
            part = (part - 1) & subset
        sums[subset] = found
    return sums[whole]


def _stored(form, profile, exact, bits, rounding):
    if isinstance(exact, float):
        return set()
    numbers = roundings(form, exact, rounding, bits)
    return set().union(*(_flushed(form, number, profile.flush_results) for number in numbers))


def wider_sums(form, profile, terms):
    """The finite sums of two terms or more in a wider accumulator, or in one that never rounds, which
    is stored as additions round, or to nearest. It flushes all subnormal terms, or none."""
    if len(terms) < 2:
        return set()
    operands = [_flushed(form, term, profile.flush_inputs) for term in terms]
    found = set()
    for wide in BINARY32, BINARY64:
        if wide.precision > form.precision:
            bits = form.least - wide.least
            for chosen in itertools.product(*operands):
                for number in all_sums(wide, profile, [term << bits for term in chosen]):
                    found |= _stored(form, profile, number, bits, profile.rounding)
    for flush in min, max:
        exact = sum(flush(choice, key=abs) for choice in operands)
        for rounding in profile.rounding, "nearest":
            found |= _stored(form, profile, exact, 0, rounding)
    return {number for number in found if not isinstance(number, float)}


def right_sums(form, profile, terms):
    """What some order gives, or a wider sum where the profile allows one."""
    wider = wider_sums(form, profile, terms) if profile.wider else set()
    return all_sums(form, profile, terms) | wider


def is_right(form, profile, terms, output):
    return is_among(right_sums(form, profile, terms), output)


def is_among(sums, output):
    return any(found is output or found == output for found in sums)
