#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints anyorder/vectors.json: lines of terms, outputs, and the verdicts that rules.py gives.

Each output that a tree of additions gives, with some choice of roundings, is checked not to fail.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import replace
from fractions import Fraction

from rules import (FLOATS, FORMATS, INFINITY, WIDTHS, Line, Profile, all_values, finite, floor_log2,
                   leaf, leaves, node, plus, stores)

NAMED = {
    "ieee": {},
    "cuda": {},
    "hlsl": {"FLOAT32": {"flush_inputs": "must", "flush_results": "must"}},
    "sycl": {"order": "contiguous"},
    "opencl": {"wider": "allowed", "FLOAT32": {"flush_inputs": "may", "flush_results": "may"},
               "FLOAT16": {"flush_inputs": "may", "flush_results": "may"}},
    "vulkan": {"rounding": "either", "flush_inputs": "may", "flush_results": "may",
               "specials": "absent", "wider": "allowed"},
}
NAMED["wgsl"] = NAMED["vulkan"]
NOT_OF_INTEGERS = ("rounding", "flush_inputs", "flush_results", "specials", "wider")


def named_profile(name, type_name):
    members = {key: value for key, value in NAMED[name].items() if isinstance(value, str)}
    members |= NAMED[name].get(type_name, {})
    if type_name not in FLOATS:
        members = {k: v for k, v in members.items() if k not in NOT_OF_INTEGERS}
    return Profile(type_name, **members)


FAULTS = ("none", "carry", "step", "tile", "step", "chunks")


class Terms:
    """Random terms of a type that make rounding, cancellation, overflow and flushing likely."""

    KINDS = ("near", "wide", "cancel", "ones", "tiny", "huge", "integers", "uniform", "grid", "zeros",
             "special", "endless")

    def __init__(self, rng, type_name):
        self.rng = rng
        self.t = FORMATS[type_name]

    def number(self, low, high):
        """A number with an exponent in this range, often with few bits."""
        t, rng = self.t, self.rng
        exponent = rng.randint(max(low, t.quantum), min(high, t.highest))
        bits = rng.choice((1, 2, 3, t.precision, t.precision))
        significand = rng.getrandbits(bits) | 1 << (bits - 1) | rng.randint(0, 1)
        x = significand * Fraction(2) ** (exponent - bits + 1)
        x = min(t.down(x), t.greatest)
        return x if rng.random() < 0.5 else -x

    def draw(self, kind, n):
        t, rng, p = self.t, self.rng, self.t.precision
        middle = rng.randint(-3, 3)
        if kind == "near":
            return [self.number(middle, middle + 2) for _ in range(n)]
        if kind == "wide":
            return [self.number(middle - p, middle + p) for _ in range(n)]
        if kind == "cancel":
            terms = [self.number(middle - p, middle + 2) for _ in range((n + 1) // 2)]
            terms += [-x for x in terms]
            rng.shuffle(terms)
            return terms[:n]
        if kind == "ones":
            return [rng.choice((Fraction(1), Fraction(2) ** p, -Fraction(2) ** p, Fraction(1)))
                    for _ in range(n)]
        if kind == "tiny":
            low = t.quantum
            return [self.number(low, low + p + 1) for _ in range(n)]
        if kind == "huge":
            return [self.number(t.highest - 2, t.highest) for _ in range(n)]
        if kind == "integers":
            return [Fraction(rng.randint(-9, 9)) for _ in range(n)]
        if kind == "uniform":
            return [t.nearest(Fraction(rng.random())) for _ in range(n)]
        if kind == "zeros":  # among subnormals, and among numbers that are little larger
            return [self.small() * rng.choice((0, 1)) for _ in range(n)]
        if kind in ("special", "endless"):
            greatest = t.greatest * rng.choice((1, 1, 1, -1))
            terms = [greatest] * n if kind == "endless" else self.draw("near", n)
            for _ in range(rng.choice((1, 2))):
                terms[rng.randrange(n)] = rng.choice((INFINITY, -INFINITY, None))
            return terms
        return [t.nearest(Fraction(rng.gauss(0, 1))) for _ in range(n)]

    def small(self):
        """A subnormal number, or one that is little larger than those."""
        t, rng = self.t, self.rng
        x = Fraction(rng.choice((1, 2, 3, 4, 5, 6, 8, 12)), 4) * t.normal / 2
        if rng.random() < 0.2:
            x = t.normal + Fraction(2) ** t.quantum
        return x if rng.random() < 0.6 else -x


def random_tree(rng, profile, terms):
    """The output of a random tree with random choices."""
    parts = [rng.choice(sorted(leaf(profile, x))) for x in terms]
    while len(parts) > 1:
        last = len(parts) == 2
        if profile.order == "sequential":
            i = 0
        else:
            i = rng.randrange(len(parts) - 1) if rng.random() < 0.7 else 0
        if profile.order == "any" and rng.random() < 0.5:
            k = rng.randrange(i + 1, len(parts))
            parts[i + 1], parts[k] = parts[k], parts[i + 1]
        choices = list(node(profile, plus(parts[i], parts[i + 1]), last))
        parts[i : i + 2] = [rng.choice(choices)]
    return rng.choice(list(stores(profile, parts[0])))


class RecordedLine(Line):
    """A line, and what was done with it."""

    def __init__(self, profile, terms=(), few=4):
        super().__init__(profile, few)
        self.steps = []
        for x in terms:
            self.add(profile.t.bits(x))

    def add(self, bits):
        super().add(bits)
        if not self.steps or self.steps[-1][0] != "add":
            self.steps.append(["add"])
        self.steps[-1].append(hexed(bits, self.profile.t.width))

    def tree_values(self, rng):
        """The outputs of all trees, of which none fails, and of those that leave zeros out; of many
        terms the outputs of some trees."""
        p, n = self.profile, len(self.terms)
        trees = [p]
        if p.wider == "allowed" and p.specials == "ieee" and n <= 4:
            trees += self.wider_profiles()
        if n > (5 if p.rounding == "either" or p.flushes else 7):
            values = {random_tree(rng, p, self.terms) for _ in range(3)}
        else:
            added = leaves(p, self.raw)
            values = set().union(*(all_values(tree, added)[0] for tree in trees)) if n > 1 else set()
        assert all(self.answer().verdict(y) != "FAIL" for y in values), (p, self.raw)
        spared = all_values(p, self.terms)[0] if 1 < n <= 4 and p.must_flush else set()
        return sorted({p.t.bits(y) for y in values | spared})

    def ask(self, outputs, scan=True):
        what, width = "judge" if scan else "judge-sum", self.profile.t.width
        self.steps += [[what, hexed(bits, width), self.judge(bits, scan)] for bits in outputs]

    def ask_range(self):
        width = self.profile.t.width
        self.steps.append(["range"] + [hexed(bits, width) for bits in self.range() or ()])


class Vectors:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []

    def profile(self):
        rng = self.rng
        type_name = rng.choice(("FLOAT64", "FLOAT32", "FLOAT32", "FLOAT16", "FLOAT16", "BFLOAT16"))
        wide = {"FLOAT64": ["FLOAT64"], "FLOAT32": ["FLOAT32", "FLOAT32", "FLOAT64"]}
        accumulator = rng.choice(wide.get(type_name, [type_name, type_name, "FLOAT32", "FLOAT64"]))
        flush = rng.choice(("never", "never", "may", "must"))
        other = rng.choice((flush, flush, "never", "may", "must"))
        return Profile(type_name, accumulator,
                       rng.choice(("nearest", "nearest", "toward-zero", "either")), flush, other,
                       rng.choice(("ieee", "ieee", "ieee", "absent")),
                       rng.choice(("any", "any", "contiguous", "sequential")),
                       rng.choice(("forbidden", "forbidden", "allowed")))

    def outputs_near(self, line, t):
        """Bits at the ends of the range, one step beyond, and elsewhere."""
        found = line.range()
        minus_zero = 1 << (t.width - 1)
        outputs = [self.rng.choice((0, minus_zero)), t.bits(None), self.rng.getrandbits(t.width)]
        outputs += [t.bits(sign * most) for sign in (1, -1) for most in (t.greatest, INFINITY)]
        if not finite(line.sum):
            return outputs
        near = [t.rank(t.bits(t.nearest(line.sum)))]
        near += [t.rank(bits) for bits in found] if found else []
        for rank in near:
            outputs += [t.of_rank(r) for r in (rank - 1, rank, rank + 1)]
        limit = t.rank(t.bits(INFINITY))
        return [b for b in dict.fromkeys(outputs) if abs(t.rank(b)) <= limit + 1]

    def pick(self, outputs, count):
        return self.rng.sample(outputs, count) if len(outputs) > count else outputs

    def keep(self, name, line):
        orders = {"orders-of": line.few} if line.few > 4 else {}
        self.add_line(name, line.profile, line.steps, orders)

    def add_line(self, name, profile, steps, extra=()):
        entry = {"name": name, "profile": profile.json()}
        self.lines.append(entry | dict(extra) | {"steps": steps})

    def random(self, name, count, lengths, kinds=Terms.KINDS, few=4, one_sign=False, **members):
        """Lines that are asked now and then as they grow: about outputs of trees, the ends of the
        range, what is beside them, and special values. A member of the profile is one of these."""
        rng = self.rng
        for k in range(count):
            chosen = {member: rng.choice(words) for member, words in members.items()}
            profile = replace(self.profile(), **chosen)
            t, kind, n = profile.t, kinds[k % len(kinds)], rng.choice(lengths)
            line = RecordedLine(profile, few=few)
            sign = rng.choice((1, -1)) if one_sign else 0
            for i, x in enumerate(Terms(rng, profile.type).draw(kind, n)):
                bits = t.bits(sign * abs(x) if sign and x is not None else x)
                line.add(bits or rng.choice((0, 0, 1 << (t.width - 1))))
                if i + 1 == n or rng.random() < min(0.3, 3 / n):
                    line.ask_range()
                    outputs = [1 << (t.width - 1)] * profile.strict_zero
                    outputs += self.pick(line.tree_values(rng), 4)
                    outputs += self.pick(self.outputs_near(line, t), 6)
                    line.ask(outputs, scan=rng.random() < 0.8)
            self.keep(f"{name}-{k}-{kind}", line)

    def scans(self, count, length):
        """Sequential scans, right and with faults that only doubt finds."""
        for k in range(count):
            type_name = self.rng.choice(("FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64"))
            accumulator = self.rng.choice((type_name, "FLOAT32" if type_name != "FLOAT64"
                                           else type_name))
            profile = Profile(type_name, accumulator, self.rng.choice(("nearest",) * 3 +
                                                                      ("either", "toward-zero")),
                              order=self.rng.choice(("any", "any", "contiguous")))
            fault = FAULTS[k % len(FAULTS)]
            exclusive = self.rng.random() < 0.2
            t, f, rng = profile.t, profile.f, self.rng
            n = rng.randint(length // 2, length)
            lost = rng.randrange(5, n)
            line = RecordedLine(profile)
            running, total = Fraction(0), Fraction(0)
            for i, x in enumerate(Terms(rng, type_name).draw(rng.choice(("uniform", "grid")), n)):
                if exclusive and i:
                    line.ask([t.bits(t.nearest(running + total))])
                if i == lost and fault == "carry":
                    running = Fraction(0)
                if i == lost and fault == "tile":
                    running += sum(line.raw[-3:], Fraction(0))
                    running = f.nearest(running)
                if i == lost and fault == "step":  # more than scans are off, less than any order may be
                    spread = line.range_of_sums()
                    running = f.nearest(running + rng.randint(100, 400) * line.unit_error * spread)
                if fault == "chunks" and i % 8 == 0:
                    total, running = f.nearest(total + running), Fraction(0)
                line.add(t.bits(x))
                running = f.nearest(running + x)
                if not exclusive:
                    y = t.nearest(f.nearest(total + running))
                    line.ask([t.bits(y)])
            self.keep(f"scan-{k}-{fault}", line)

    def sums(self, count):
        """Sums that stagnate, of more terms than the bound can speak of."""
        for k in range(count):
            profile = Profile("BFLOAT16", rounding=self.rng.choice(("nearest", "toward-zero",
                                                                    "either")))
            t, line = profile.t, RecordedLine(profile)
            n = self.rng.choice((70, 140, 300))
            running = Fraction(0)
            for x in Terms(self.rng, "BFLOAT16").draw("uniform", n):
                line.add(t.bits(x))
                running = t.truncated(running + x)
            line.ask_range()
            outputs = [t.bits(y) for y in (running, t.nearest(line.sum), t.nearest(line.sum / 2),
                                           t.nearest(line.sum * Fraction(3, 4)), Fraction(0))]
            line.ask(outputs, scan=False)
            self.keep(f"sum-{k}", line)

    def integers(self):
        for type_name in WIDTHS:
            if type_name in FLOATS:
                continue
            width, total, steps = WIDTHS[type_name], 0, [["judge", hexed(0, WIDTHS[type_name]), "PASS"]]
            profile = Profile(type_name)
            for _ in range(12):
                bits = self.rng.getrandbits(width)
                total = (total + bits) % 2**width
                wrong = total ^ 1 << self.rng.randrange(width)
                steps += [["add", hexed(bits, width)], ["judge", hexed(total, width), "PASS"],
                          ["judge", hexed(wrong, width), "FAIL"],
                          ["range", hexed(total, width), hexed(total, width)]]
            self.add_line(f"integers-{type_name}", profile, steps)

    def named(self):
        """The profiles of specifications, each member as listed."""
        for name in NAMED:
            for type_name in WIDTHS:
                profile = named_profile(name, type_name)
                self.add_line(f"{name}-{type_name}", profile, [], extra={"named": name})

    def wrong_profiles(self):
        wrong = [Profile("FLOAT32", "FLOAT16"), Profile("FLOAT16", "BFLOAT16"),
                 Profile("BFLOAT16", "FLOAT16"), Profile("FLOAT64", "FLOAT32"),
                 Profile("FLOAT32", "INT32"), Profile("INT32", "INT64"), Profile("INT32", "FLOAT64"),
                 Profile("INT8", rounding="either"), Profile("UINT16", flush_inputs="may"),
                 Profile("INT32", flush_results="must"), Profile("INT64", wider="allowed")]
        for k, profile in enumerate(wrong):
            self.add_line(f"wrong-{k}", profile, [], extra={"error": True})

    def chosen(self):
        """What other rules get wrong, and the examples of the documents."""
        f32 = FORMATS["FLOAT32"]

        def line(name, profile, terms, outputs, few=4, scan=True):
            state = RecordedLine(profile, terms, few)
            state.ask_range()
            state.ask([profile.t.bits(y) for y in outputs], scan)
            self.keep(name, state)

        one, half, big = Fraction(1), Fraction(1, 2), Fraction(2) ** 24
        ieee = Profile("FLOAT32")
        line("empty", ieee, [], [Fraction(0), one, None])
        line("order-any", ieee, [one, big, one], [big, big + 2, big + 4])
        line("order-contiguous", replace(ieee, order="contiguous"), [one, big, one], [big, big + 2])
        line("nan-of-two-ones", ieee, [one, one], [Fraction(2), None, 2 + half**22])
        line("lost-lane-binary16", Profile("FLOAT16"), [half, Fraction(3, 32)],
             [Fraction(19, 32), half])
        w = f32.normal
        flush = replace(ieee, flush_inputs="may", flush_results="may")
        line("flushed", flush, [3 * w / 2, -w], [Fraction(0), w / 2, w / 4])
        line("flushed-must", replace(flush, flush_inputs="must", flush_results="must"),
             [3 * w / 2, -w], [Fraction(0), w / 2])
        line("half-ones", Profile("FLOAT16"), [one] * 256, [Fraction(256), Fraction(0), Fraction(255)])
        line("many-ones", Profile("FLOAT16"), [one] * 2100,
             [Fraction(x) for x in (2046, 2048, 2100, 2152, 2154)])
        line("many-ones-either", Profile("FLOAT16", rounding="either"), [one] * 2100,
             [Fraction(x) for x in (2046, 2048, 2100, 2152, 2154, 2204, 2206, 4000)])
        line("many-ones-truncated", Profile("FLOAT16", rounding="toward-zero"), [one] * 2100,
             [Fraction(x) for x in (1990, 2048, 2100, 2152, 2202, 2204)])
        # Terms of one sign: no tree gives less than 2048, and toward zero the bound is below that.
        f16, ones = Profile("FLOAT16"), [one] * 5000
        least = [Fraction(x) for x in (-100, -3, 0, 2047, 2048, 5000, 12208)]
        line("thousands-of-ones", f16, ones, least, scan=False)
        negative = replace(f16, rounding="toward-zero")
        line("thousands-of-minus-ones", negative, [-x for x in ones[:3000]],
             [-x for x in least] + [Fraction(-1554), Fraction(-1555)], scan=False)
        for rounding in ("nearest", "toward-zero", "either"):
            profile = Profile("BFLOAT16", rounding=rounding)
            hundreds = [Fraction(x) for x in (-3, 0, 100, 149, 150, 200, 255, 256, 600)]
            line(f"hundreds-of-ones-{rounding}", profile, ones[:600], hundreds, scan=False)
            line(f"hundreds-of-ones-{rounding}-flush",
                 replace(profile, flush_inputs="may", flush_results="must"),
                 [one + half**7] + [FORMATS["BFLOAT16"].normal / 2] * 300, hundreds[:3] + [one])
            top = FORMATS["BFLOAT16"].greatest  # below which nothing has stopped
            line(f"stopped-{rounding}", profile, [top / 2] * 12,
                 [Fraction(0), top / 2, top * 127 / 255, top, INFINITY])
        line("either-grows", Profile("BFLOAT16", rounding="either"),
             [one * 2**7] + [half**7] * 600, [Fraction(2) ** k for k in (6, 7, 8, 9, 11, 12)])
        line("wgsl-overflow", named_profile("wgsl", "FLOAT32"), [f32.greatest] * 2,
             [INFINITY, f32.greatest, Fraction(0)])
        stored = Profile("FLOAT16", "FLOAT32", flush_inputs="may", flush_results="may")
        tiny = FORMATS["FLOAT16"].normal
        line("flushed-store", stored, [3 * tiny / 2, -tiny], [Fraction(0), tiny / 2, tiny])
        for x in (16192, 16320):  # of which the positive terms may overflow, or may not
            terms = [Fraction(y) for y in (16384, 16384, 16384, x, 8, -16384)]
            line("overflow", Profile("FLOAT16"), terms, [INFINITY, -INFINITY, None])
        for last in (Fraction(1008), Fraction(2015, 2)):  # just enough for an overflow, and less
            line("overflow-begins", Profile("FLOAT16"), [Fraction(2016)] * 31 + [Fraction(1008), last],
                 [INFINITY])
        # The first and the last overflow together, and no order that is allowed adds them so.
        ends = [f32.greatest, -big, -f32.greatest / 2, f32.greatest / 2]
        for order in ("contiguous", "sequential"):
            line(f"absent-{order}", Profile("FLOAT32", specials="absent", order=order), ends,
                 [f32.greatest, f32.greatest / 2])
        ones = [Fraction((2**53 - 1) * 2**14), Fraction((2**43 - 1) * 2**67)]  # 96 bits, 3 limbs
        line("carry", Profile("FLOAT64"), ones + [Fraction(2**14)] * 3,
             [Fraction(2**k) for k in (109, 110, 111)])
        # Every truncated sum is 2050; the exact one, rounded to nearest, is 2052.
        # What stops at the greatest number is finite: an infinity is an overflow.
        stops = Profile("BFLOAT16", accumulator="FLOAT32", rounding="either")
        line("stops-before-infinity", stops,
             [stops.t.value(x) for x in (0xFE80, 0x7E80, 0xFF7F, 0x7F3D, 0x7E80, 0x7F7F)],
             [INFINITY, -INFINITY, stops.t.greatest, Fraction(0)])
        for wider in ("allowed", "forbidden"):
            line(f"truncated-wider-{wider}", Profile("FLOAT16", rounding="toward-zero", wider=wider),
                 [Fraction(x) for x in (512, 512, 512, 512, 3)],
                 [Fraction(x) for x in (2048, 2050, 2052, 2054)])
        # More precise sums of two terms are those of one addition; of three S is one.
        u, least = half**24, half**149
        for name in ("vulkan", "wgsl"):
            weak = named_profile(name, "FLOAT32")
            line(f"{name}-two-terms", weak, [-one, -least], [-one, -1 - 2 * u, u - 1, -1 - 4 * u])
            line(f"{name}-cancel", weak, [3 * w / 2, -w],
                 [Fraction(0), w / 2, w / 16, w / 2 + least, w / 2 - least, w])
        line("opencl-three-terms", named_profile("opencl", "FLOAT32"), [one, u, u],
             [one, 1 + 2 * u, 1 - u, 1 + 4 * u])
        line("opencl-flushed-tie", named_profile("opencl", "FLOAT32"), [one, u, least],
             [one, 1 + 2 * u, 1 - u])
        line("tie-wider", Profile("BFLOAT16", wider="allowed"), [Fraction(256), one],
             [Fraction(x) for x in (256, 258, 260, 254)])
        line("sum-of-neighbours", Profile("FLOAT32", rounding="nearest"),
             [one, big, one, one, -big, one, one], [Fraction(5), Fraction(3), Fraction(4)])


def hexed(bits, width):
    return f"{bits:0{width // 4}x}"


def make(seed, share):
    def of(count):
        return max(count * share // 100, 1)

    v = Vectors(seed)
    v.named()
    v.wrong_profiles()
    v.chosen()
    v.integers()
    long = [*range(5, 40), 70, 150]
    v.random("short", of(350), range(1, 5))
    v.random("more", of(150), range(3, 8))
    v.random("orders-of-8", of(60), range(4, 8), few=8)
    v.random("huge", of(80), range(5, 13), ("huge", "special"))
    v.random("long", of(110), long)
    v.random("one-sign", of(90), long, one_sign=True)
    v.random("flushed", of(150), range(2, 7), ("zeros",), flush_inputs=("never", "may", "must"),
             flush_results=("must", "must", "may"), order=("any", "contiguous", "sequential"))
    v.random("wider", of(90), (2, 2, 3), wider=("allowed",), specials=("ieee",))
    v.random("sequence", of(60), range(2, 9), ("endless", "zeros", "cancel"), order=("sequential",))
    v.random("strict-zero", of(60), range(1, 9), strict_zero=(True,))
    v.scans(of(18), 250)
    v.sums(of(8))
    return v.lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=int, default=100, help="percent of the random lines")
    arguments = parser.parse_args()
    about = ("Test vectors of anyorder. Each line has a profile and steps: add BITS...; judge BITS"
             " VERDICT; judge-sum BITS VERDICT; range LOW HIGH, or without both where nothing is"
             " known. An error is that of the profile.")
    lines = make(arguments.seed, arguments.share)
    print('{"about": ' + json.dumps(about) + ',\n "lines": [')
    print(",\n".join(json.dumps(line, separators=(",", ":")) for line in lines))
    print("]}")


if __name__ == "__main__":
    sys.exit(main())
