# SPDX-License-Identifier: MIT
"""The rules of anyorder.h with exact rationals, written from docs/oracle.md and anyorder/README.md.

Nothing is shared with the C code: numbers are Fractions, the growth of errors is followed addition
by addition, and orders are tried tree by tree. An infinity is a float, NaN is None.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

INFINITY = math.inf
FLOATS = ("FLOAT64", "FLOAT32", "FLOAT16", "BFLOAT16")
WIDTHS = {"FLOAT64": 64, "FLOAT32": 32, "FLOAT16": 16, "BFLOAT16": 16}
WIDTHS |= {f"{sign}INT{n}": n for sign in ("", "U") for n in (8, 16, 32, 64)}


@dataclass(frozen=True)
class Format:
    precision: int
    quantum: int  # the exponent of the smallest subnormal
    highest: int  # the exponent of the greatest power of two
    width: int

    @property
    def greatest(self):
        return (2 - Fraction(2) ** (1 - self.precision)) * Fraction(2) ** self.highest

    @property
    def normal(self):
        return Fraction(2) ** (self.quantum + self.precision - 1)

    def subnormal(self, x):
        return finite(x) and x != 0 and abs(x) < self.normal

    def value(self, bits):
        """The value of bits; -0 is 0."""
        field = bits >> (self.precision - 1) & ((1 << (self.width - self.precision)) - 1)
        rest = bits & ((1 << (self.precision - 1)) - 1)
        sign = -1 if bits >> (self.width - 1) else 1
        if field == (1 << (self.width - self.precision)) - 1:
            return None if rest else sign * INFINITY
        if field:
            rest += 1 << (self.precision - 1)
        return sign * rest * Fraction(2) ** (self.quantum + max(field - 1, 0))

    def bits(self, x):
        """The bits of a number of the format."""
        infinity = ((1 << (self.width - self.precision)) - 1) << (self.precision - 1)
        if x is None:
            return infinity | 1 << (self.precision - 2)
        sign = (1 << (self.width - 1)) if x < 0 else 0
        if not finite(x):
            return sign | infinity
        if x == 0:
            return 0
        shift = max(floor_log2(abs(x)) - self.precision + 1, self.quantum)
        significand = abs(x) / Fraction(2) ** shift
        assert significand.denominator == 1
        return sign | (((shift - self.quantum) << (self.precision - 1)) + significand.numerator)

    def rank(self, bits):
        low = bits & ((1 << (self.width - 1)) - 1)
        return -low if bits >> (self.width - 1) else low

    def of_rank(self, rank):
        return -rank | 1 << (self.width - 1) if rank < 0 else rank

    def down(self, x):
        """The greatest number that is not above x."""
        if not finite(x):
            return x
        if x > self.greatest:
            return self.greatest
        if x < -self.greatest:
            return -INFINITY
        if x == 0:
            return x
        unit = Fraction(2) ** max(floor_log2(abs(x)) - self.precision + 1, self.quantum)
        return math.floor(x / unit) * unit

    def up(self, x):
        return negated(self.down(negated(x)))

    def nearest(self, x):
        if not finite(x):
            return x
        if abs(x) >= self.greatest + Fraction(2) ** (self.highest - self.precision):
            return INFINITY if x > 0 else -INFINITY
        low, high = (min(max(end, -self.greatest), self.greatest) for end in (self.down(x), self.up(x)))
        if x - low != high - x:
            return low if x - low < high - x else high
        return low if self.bits(low) % 2 == 0 else high

    def truncated(self, x):
        return self.down(x) if x > 0 else self.up(x)


FORMATS = {
    "FLOAT64": Format(53, -1074, 1023, 64),
    "FLOAT32": Format(24, -149, 127, 32),
    "FLOAT16": Format(11, -24, 15, 16),
    "BFLOAT16": Format(8, -133, 127, 16),
}


def finite(x):
    return x is not None and x not in (INFINITY, -INFINITY)


def negated(x):
    return None if x is None else -x


def floor_log2(x):
    """Of a positive Fraction."""
    power = x.numerator.bit_length() - x.denominator.bit_length()
    return power if Fraction(2) ** power <= x else power - 1


@dataclass(frozen=True)
class Profile:
    type: str
    accumulator: str = ""
    rounding: str = "nearest"
    flush_inputs: str = "never"
    flush_results: str = "never"
    specials: str = "ieee"
    order: str = "any"
    wider: str = "forbidden"
    strict_zero: bool = False

    def __post_init__(self):
        if not self.accumulator:
            object.__setattr__(self, "accumulator", self.type)

    @property
    def t(self):
        return FORMATS[self.type]

    @property
    def f(self):
        return FORMATS[self.accumulator]

    @property
    def flushes(self):
        return (self.flush_inputs, self.flush_results) != ("never", "never")

    @property
    def must_flush(self):
        return "must" in (self.flush_inputs, self.flush_results)

    def json(self):
        """Its members; strict-zero where it is set."""
        return {name.replace("_", "-"): value for name, value in self.__dict__.items()
                if value is not False}


def roundings(f, x, how):
    """The results that an operation with this exact result may have."""
    if not finite(x):
        return {x}
    if how == "nearest":
        return {f.nearest(x)}
    if how == "either":
        return {f.down(x), f.up(x)}
    return {f.truncated(x)}


def plus(a, b):
    if a is None or b is None or {a, b} == {INFINITY, -INFINITY}:
        return None
    if not finite(a):
        return a
    return b if not finite(b) else a + b


def stores(profile, x):
    """The outputs that a sum may be stored as."""
    outputs = set()
    for y in roundings(profile.t, x, profile.rounding):
        subnormal = profile.t.subnormal(y)
        if not (subnormal and profile.flush_results == "must"):
            outputs.add(y)
        if subnormal and profile.flushes:
            outputs.add(Fraction(0))
    return outputs


def node(profile, x, last):
    """The values of a node whose exact sum is x: outputs of the last one, operands of others."""
    values = set()
    for y in roundings(profile.f, x, profile.rounding):
        subnormal = profile.f.subnormal(y)
        must = profile.flush_results == "must" or (profile.flush_inputs == "must" and not last)
        if not (subnormal and must):
            values.add(y)
        if subnormal and profile.flushes:  # as a result, or as an operand: of a zero, if of nothing else
            values.add(Fraction(0))
    return values


def leaf(profile, x):
    """The operands that a term may become."""
    if profile.t.subnormal(x) and profile.flushes:
        return {Fraction(0)} if profile.flush_inputs == "must" else {x, Fraction(0)}
    return {x}


def lone(profile, x):
    """The outputs of one term, which is copied, or added to zero."""
    return {x, Fraction(0)} if profile.t.subnormal(x) and profile.flushes else {x}


def leaves(profile, raw):
    """The terms that a tree adds. Zeros change nothing, or do what a choice of flushing does; where
    flushing must they are leaves: neighbouring ones as one, which they are if they are added first,
    and where terms may be permuted all of them."""
    if not profile.must_flush:
        return [x for x in raw if x != 0]
    if profile.order == "any":
        return [x for x in raw if x != 0] + ([Fraction(0)] if 0 in raw else [])
    return [x for i, x in enumerate(raw) if x != 0 or i == 0 or raw[i - 1] != 0]


def splits(order, indices):
    """The ways to cut a tuple of indices in two."""
    if order == "sequential":
        yield indices[:-1], indices[-1:]
    elif order == "contiguous":
        for cut in range(1, len(indices)):
            yield indices[:cut], indices[cut:]
    else:
        rest = indices[1:]
        for size in range(len(rest)):
            for chosen in combinations(rest, size):
                yield (indices[0],) + chosen, tuple(i for i in rest if i not in chosen)


def all_values(profile, terms):
    """The outputs of all trees over the terms, and whether some sum is infinite or NaN."""
    memo = {}
    special = False

    def values(indices):
        nonlocal special
        if indices not in memo:
            last = len(indices) == len(terms)
            found = set()
            if len(indices) == 1:
                found = leaf(profile, terms[indices[0]])
            else:
                for part, rest in splits(profile.order, indices):
                    for a in values(part):
                        for b in values(rest):
                            found |= node(profile, plus(a, b), last)
            special = special or not all(finite(x) for x in found)
            memo[indices] = found
        return memo[indices]

    sums = values(tuple(range(len(terms))))
    outputs = set().union(*(stores(profile, x) for x in sums))
    return outputs, special or not all(finite(y) for y in outputs)


class Answer:
    """What passes: intervals of outputs, a set of outputs, NaN."""

    def __init__(self, profile):
        self.t = profile.t
        self.intervals = []
        self.nan = False
        self.may_be_overflow = lambda y: False  # asked of an output that does not pass
        self.always_may_overflow = False
        self.refused = lambda y: False

    def add(self, low, high):
        if low <= high:
            self.intervals.append((low, high))

    def add_values(self, values):
        for y in values:
            if y is None:
                self.nan = True
            else:
                self.add(y, y)

    def verdict(self, y):
        if self.always_may_overflow:
            return "MAY_OVERFLOW"
        inside = self.nan if y is None else any(low <= y <= high for low, high in self.intervals)
        if inside:
            return "FAIL" if self.refused(y) else "PASS"
        return "MAY_OVERFLOW" if self.may_be_overflow(y) else "FAIL"

    def range(self):
        """The bits of the least and the greatest that pass, or None."""
        if self.intervals:
            return (self.t.bits(min(low for low, _ in self.intervals)),
                    self.t.bits(max(high for _, high in self.intervals)))
        return (self.t.bits(None),) * 2 if self.nan else None


class Line:
    """A line, and its verdicts."""

    def __init__(self, profile, few=4):
        self.profile = profile
        self.few = few
        self.known = None  # the answer for these terms
        self.raw = []  # all terms, as values
        self.terms = []  # those that are not zero
        self.finite_terms = []
        self.sum = Fraction(0)
        self.sides = {1: Fraction(0), -1: Fraction(0)}
        self.reach = [Fraction(0), Fraction(0)]  # the least and the greatest prefix sum
        self.runs = {}  # sequential sums by accumulator, of all terms but the last ones
        self.before = None  # the output before: (terms, error interval, was it unknown)
        self.in_sequence = True
        self.jumps = []

    def add(self, bits):
        p, x = self.profile, self.profile.t.value(bits)
        self.known = None
        self.raw.append(x)
        if x == 0:
            return
        self.terms.append(x)
        if finite(x):
            self.finite_terms.append(x)
            self.sum += x
            self.sides[1 if x > 0 else -1] += abs(x)
            self.reach = [min(self.reach[0], self.sum), max(self.reach[1], self.sum)]

    @property
    def unit_error(self):
        """v: how far an addition may be from the exact sum, relative to that."""
        twice = 1 if self.profile.rounding == "nearest" else 2
        return twice * Fraction(2) ** -self.profile.f.precision

    @property
    def unit_bits(self):
        return self.profile.f.precision - (self.profile.rounding != "nearest")

    def magnitudes(self):
        return self.sides[1] + self.sides[-1]

    def range_of_sums(self):
        return self.reach[1] - self.reach[0]

    def lowest_bit(self):
        return min(Fraction(x.numerator & -x.numerator, x.denominator) for x in self.finite_terms)

    def rounding_additions(self):
        """r."""
        if not self.finite_terms:
            return 0
        exact = Fraction(2) ** self.profile.f.precision * self.lowest_bit()
        if self.magnitudes() <= exact:
            return 0
        heavy = max(2, exact // max(map(abs, self.finite_terms)) + 1)
        return len(self.terms) + 1 - heavy

    def compound(self, k):
        return (1 + self.unit_error) ** k - 1

    def grown(self, k, a):
        """G^k(A) - A."""
        x = a
        end = 2 ** (self.profile.f.highest + 4) + 4 * a
        while k > 0 and x < end:
            power = Fraction(2) ** floor_log2(x)
            steps = min(k, math.ceil((2 * power - x) / (self.unit_error * power)))
            x += steps * self.unit_error * power
            k -= steps
        return x - a

    # The bounds.

    def lost(self):
        """F: what flushing may take away, at n terms and n - 1 sums."""
        p = self.profile
        if not p.flushes or not self.finite_terms or self.lowest_bit() >= p.t.normal:
            return Fraction(0)
        return (2 * len(self.terms) - 1) * p.t.normal

    def may_round(self):
        return len(self.terms) - 1 if self.lost() else self.rounding_additions()

    def error(self, k):
        """How far sums are from S after k additions that round."""
        p, lost = self.profile, self.lost()
        a = self.magnitudes() + lost
        error = self.grown(k, a) if p.rounding == "either" else k * self.unit_error * a
        x = k * self.unit_error
        if p.order == "contiguous" and (x <= 1 or math.ceil(x * 3 / 2) <= 60 - self.unit_bits):
            error = min(error, (self.range_of_sums() + lost) * self.compound(k))
        return error + lost

    def ends(self, low, high, rounded):
        p = self.profile
        if rounded:
            low, high = p.f.up(low), p.f.down(high)
        else:
            low = min(roundings(p.f, low, p.rounding))
            high = max(roundings(p.f, high, p.rounding))
            low, high = self.with_sign(low, high)
        if p.f is not p.t:
            low = min(roundings(p.t, low, p.rounding))
            high = max(roundings(p.t, high, p.rounding))
        return self.flushed_ends(p.t, "may" if self.lost() else "never", low, high)

    def least_size(self):
        """Of terms of one sign: the least number z of the accumulator, a multiple of the type's
        quantum, that is not below |S| - F - k v z, rounded."""
        p, left = self.profile, abs(self.sum) - self.lost()
        if left <= 0:
            return Fraction(0)
        errors = max(self.may_round() - 1, 0) * self.unit_error
        quotient = left / (1 + errors)
        unit = Fraction(2) ** max(floor_log2(quotient) - p.f.precision + 1, p.t.quantum)
        size = min(quotient // unit * unit, p.f.greatest)
        if min(roundings(p.f, left - errors * size, p.rounding)) <= size:
            return size
        return p.f.up(size + unit)

    def with_sign(self, low, high):
        if self.sides[-1] == 0:
            return max(low, self.least_size()), high
        return (low, min(high, -self.least_size())) if self.sides[1] == 0 else (low, high)

    @staticmethod
    def flushed_ends(f, flush, low, high):
        zero_low = Fraction(0) if f.subnormal(low) else low
        zero_high = Fraction(0) if f.subnormal(high) else high
        if flush == "must":
            return zero_low, zero_high
        return (min(low, zero_low), max(high, zero_high)) if flush == "may" else (low, high)

    def may_pass(self, sign):
        """May a partial sum pass the greatest number?"""
        p, n = self.profile, len(self.terms) - 1
        side = self.sides[sign]
        if side == 0 or n < 1:
            return False
        side += self.lost()
        if p.rounding == "toward-zero":
            return side > p.f.greatest
        side += side * n * self.unit_error if n * self.unit_error <= 1 else self.error(n)
        if p.rounding == "either":
            return side > p.f.greatest
        return side >= p.f.greatest + Fraction(2) ** (p.f.highest - p.f.precision)

    def may_overflow(self, sign):
        return self.profile.rounding != "toward-zero" and self.may_pass(sign)

    # The answers.

    def answer(self):
        self.known = self.known or self.new_answer()
        return self.known

    def new_answer(self):
        p = self.profile
        a = Answer(p)
        if p.specials == "absent" and not all(finite(x) for x in self.raw):
            a.always_may_overflow = True
            return a
        if len(self.terms) <= self.few:
            self.answer_few(a)
        elif p.order == "sequential":
            self.answer_sequence(a)
        elif len(self.finite_terms) < len(self.terms):
            self.answer_special(a)
        else:
            self.answer_many(a)
        if p.flush_results == "must" and len(self.raw) > 1:
            a.refused = p.t.subnormal
        return a

    def wider_profiles(self):
        p = self.profile
        if p.wider == "allowed":
            for name in ("FLOAT32", "FLOAT64"):
                if FORMATS[name].precision > p.f.precision:
                    yield replace(p, accumulator=name)

    def add_exact(self, a):
        exact = self.profile.t.nearest(self.sum)
        if finite(exact):
            a.add(exact, exact)

    def unrounded(self):
        """The finite outputs of a few terms whose sum is not rounded before it is stored. Where
        flushing is allowed all subnormal terms may be zeros."""
        p = self.profile
        if p.flush_inputs == "must":
            sums = {sum((x for x in self.terms if not p.t.subnormal(x)), Fraction(0))}
        elif p.flushes:
            sums = {sum((x for x in self.terms if abs(x) >= p.t.normal), Fraction(0)), self.sum}
        else:
            sums = {self.sum}
        outputs = {y for x in sums for y in stores(p, x) | stores(replace(p, rounding="nearest"), x)}
        return {y for y in outputs if finite(y)}

    def as_far(self, values):
        """Of a sequence: all outputs that are at most as far from S as one of these."""
        far = max(abs(y - self.sum) for y in values)
        return self.profile.t.up(self.sum - far), self.profile.t.down(self.sum + far)

    def add_infinity(self, a):
        """An infinity among the terms is what more precise sums give, which do not overflow."""
        special = {x for x in self.terms if not finite(x)}
        if len(special) == 1 and None not in special:
            a.add_values(special)

    def answer_few(self, a):
        p, terms = self.profile, self.terms
        added = leaves(p, self.raw)
        if len(added) < 2:
            values = lone(p, added[0]) if added else {Fraction(0)}
            special = bool(terms) and not finite(terms[0])
        else:
            values, special = all_values(p, added)
        a.add_values(values)
        if special and p.specials == "absent":
            a.always_may_overflow = True
        elif len(terms) >= 2 and p.wider == "allowed" and not all(map(finite, terms)):
            self.add_infinity(a)
        elif len(terms) >= 2 and p.wider == "allowed":
            for wider in self.wider_profiles():
                a.add_values(all_values(wider, added)[0])
            a.add_values(self.unrounded())

    def sequence(self, profile):
        """The least and the greatest sequential sum, and whether it may be NaN; no ends if it must
        be."""
        done, low, high, nan = self.runs.get(profile.accumulator, (0, None, None, False))
        while done < len(self.raw):
            low, high, nan = self.sequence_step(profile, done, low, high, nan)
            done += 1
        self.runs[profile.accumulator] = done, low, high, nan
        return low, high, nan

    def sequence_step(self, profile, k, low, high, nan):
        x = self.raw[k]
        if x is None or (k > 0 and low is None):
            return None, None, True
        if k == 0:
            term = lone(profile, x)
            return min(term), max(term), False
        term = leaf(profile, x)
        may = "may" if profile.flushes else "never"
        must = profile.flush_inputs == "must"
        low, high = self.flushed_ends(profile.f, "must" if must else may, low, high)
        least, most = plus(low, min(term)), plus(high, max(term))
        if least is None and most is None:
            return None, None, True
        nan = nan or least is None or most is None
        least, most = (most if least is None else least), (least if most is None else most)
        low = min(roundings(profile.f, least, profile.rounding))
        high = max(roundings(profile.f, most, profile.rounding))
        low, high = self.flushed_ends(profile.f, profile.flush_results, low, high)
        return self.flushed_ends(profile.f, may, low, high) + (nan,)

    def add_sequence(self, a, profile):
        low, high, nan = self.sequence(profile)
        a.nan = a.nan or nan
        if low is None:
            return None
        if profile.f is not profile.t:
            low = min(roundings(profile.t, low, profile.rounding))
            high = max(roundings(profile.t, high, profile.rounding))
        low, high = self.flushed_ends(profile.t, "may" if profile.flushes else "never", low, high)
        a.add(low, high)
        return low, high

    def answer_sequence(self, a):
        p = self.profile
        ends = self.add_sequence(a, p)
        are_finite = ends is not None and all(map(finite, ends))
        if p.specials == "absent" and (a.nan or not are_finite):
            a.always_may_overflow = True
        elif p.wider == "allowed" and not all(map(finite, self.terms)):
            self.add_infinity(a)
        elif p.wider == "allowed":
            for wider in self.wider_profiles():
                self.add_sequence(a, wider)
            if are_finite:
                a.add(*self.as_far(ends))
            self.add_exact(a)

    def answer_special(self, a):
        if None in self.terms or {INFINITY, -INFINITY} <= set(self.terms):
            a.nan = True
            return
        infinity = INFINITY if INFINITY in self.terms else -INFINITY
        a.add(infinity, infinity)
        a.may_be_overflow = lambda y: y is None and self.may_overflow(-1 if infinity > 0 else 1)

    def answer_many(self, a):
        p, s, r = self.profile, self.sum, self.may_round()
        error = self.error(max(r - 1, 0))
        a.add(*self.ends(s - error, s + error, False))
        if p.rounding != "nearest" and (self.may_pass(1) or self.may_pass(-1)):
            width, most = self.error(r) + self.lost(), p.f.greatest
            low, high = self.ends(min(self.sides[1], most) - self.sides[-1] - width,
                                  self.sides[1] - min(self.sides[-1], most) + width, True)
            # Finite numbers; what stops at the greatest one stays there, if terms have one sign.
            last = p.t.greatest
            low = max(low, last if self.sides[-1] == 0 else -last)
            high = min(high, -last if self.sides[1] == 0 else last)
            a.add(low, high)
        if p.wider == "allowed":
            self.add_exact(a)
        up, down = self.may_overflow(1), self.may_overflow(-1)
        if p.specials == "absent":
            stored = any(not finite(y) for ends in a.intervals for y in ends)
            a.always_may_overflow = up or down or stored
            return

        def may_be_overflow(y):
            if y is None:
                return up and down
            if not finite(y):
                return up if y > 0 else down
            return False

        a.may_be_overflow = may_be_overflow

    # Verdicts.

    def judge(self, bits, scan=True):
        p = self.profile
        y = p.t.value(bits)
        minus_zero = bits == 1 << (p.t.width - 1)
        verdict = "FAIL" if p.strict_zero and minus_zero else self.answer().verdict(y)
        if p.order == "sequential":
            return verdict
        sequential = self.is_sequential(y)
        self.in_sequence = self.in_sequence and sequential
        suspect = self.doubt(bits, scan)
        named = self.in_sequence if scan else sequential
        if verdict == "PASS" and suspect and len(self.terms) > 4 and not named:
            return "SUSPECT"
        return verdict

    def is_sequential(self, y):
        p = self.profile
        if not self.raw:
            return y is not None and y == 0
        low, high, nan = self.sequence(p)
        if low is None:
            return y is None
        if low != high or nan or y is None:
            return False
        return roundings(p.t, low, p.rounding) == {y}

    def error_interval(self, bits):
        """The errors of the sums that are stored as an output."""
        p = self.profile
        y = p.t.value(bits)
        if p.f is p.t:
            return y - self.sum, y - self.sum
        rank = p.t.rank(bits)
        power = 2 ** (p.t.highest + 1)
        below, above = (p.t.value(p.t.of_rank(rank + step)) for step in (-1, 1))
        below = below if finite(below) else Fraction(-power)
        above = above if finite(above) else Fraction(power)
        if p.rounding == "nearest":
            below, above = (y + below) / 2, (y + above) / 2
        elif p.rounding == "toward-zero" and y != 0:
            below, above = (y, above) if y > 0 else (below, y)
        return below - self.sum, above - self.sum

    def doubt(self, bits, scan):
        """Is the output suspect? Remembers its error."""
        before, self.before = self.before, None
        p = self.profile
        y = self.profile.t.value(bits)
        m = len(self.raw)
        if not finite(y) or len(self.finite_terms) < len(self.terms) or None in self.raw:
            return False
        low, high = self.error_interval(bits)
        r, v, spread = self.rounding_additions(), self.unit_error, self.range_of_sums()
        suspect, unknown = False, False
        reach = spread if scan else self.magnitudes()
        stops = p.rounding != "nearest" and reach * (1 + self.compound(r)) >= p.f.greatest
        if r > 0 and spread > 0 and not stops:
            explained = self.explained(r)
            distance = max(low, -high, Fraction(0))
            known = max(distance - explained, Fraction(0))
            levels = (m - 1).bit_length()
            unknown = r * v >= Fraction(1, 4) and known > 2 * levels * v * self.magnitudes()
            suspect = unknown or (scan and not self.of_neighbours(known, spread, r))
            if (scan and before and before[0] in (m, m - 1) and not before[3] and not unknown
                    and distance > max(before[1], -before[2], Fraction(0))):
                jump = max(low - before[2], before[1] - high, Fraction(0)) - explained
                unit = v * spread * m.bit_length()
                if jump > 16 * unit:
                    if m not in self.jumps:
                        self.jumps.append(m)
                    suspect = suspect or jump > 256 * unit or not self.seams()
        self.before = (m, low, high, unknown)
        return suspect

    def explained(self, r):
        """What flushing may do to a sum; later additions enlarge it."""
        x = r * self.unit_error
        return self.lost() * (3 if x <= 1 else 2 ** math.ceil(x * 3 / 2))

    def of_neighbours(self, known, spread, r):
        x = r * self.unit_error
        if x <= 1:
            return known <= spread * self.compound(r)
        quantum = Fraction(2) ** (self.profile.t.quantum - 1)
        length = (spread / quantum).numerator.bit_length() + math.ceil(x * 3 / 2)
        return math.floor(known / quantum).bit_length() < length

    def seams(self):
        """Do the jumps come at a regular distance?"""
        if len(self.jumps) < 3:
            return False
        distance = math.gcd(*(b - a for a, b in zip(self.jumps, self.jumps[1:])))
        if distance < 2 or self.jumps[0] > 2 * distance:
            return False
        return (self.jumps[-1] - self.jumps[0]) // distance + 1 <= 2 * len(self.jumps)

    def range(self):
        return self.answer().range()
