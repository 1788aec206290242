#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge_library.py [--seed N] [--share PERCENT]: the library's oracle, as the package cumsum loads it,
by the rules with exact rationals, on lines of make_vectors.py: its verdicts and intervals, its exact
sums, and the errors and classes of outputs near them."""

import argparse
import random
import struct
import sys
from ctypes import byref, c_ubyte
from itertools import zip_longest

import make_vectors
from cumsum import _library
from cumsum._judgement import options_of
from cumsum._library import bytes_of, call, library, numbers, tensor_of
from rules import FORMATS, INFINITY, Line, Profile, finite

TYPES = {"FLOAT32": 1, "FLOAT16": 2, "FLOAT64": 9, "BFLOAT16": 256}
WORDS = {64: "Q", 32: "I", 16: "H"}
FINDING = struct.Struct("i8I5Q")  # a cumsum_finding; the last two are the interval
# Verdicts of cumsum/oracle.h. The others pass; of these the last two pass by a profile alone.
NAMES = {11: "MAY_OVERFLOW", 12: "FAIL", 13: "SUSPECT"}
FLUSHED, WIDER = 2, 10
VERDICTS = ("PASS", *NAMES.values())
CLASSES = range(5)  # of what passes, as cumsum_error_class has them: correctly rounded, one, ...
_library.declared(library, "\nexact_sums i ppqpqp\n")


class LibraryLine(Line):
    """What the library does otherwise: it knows the jumps of the whole line before it doubts, and
    counts exactly what additions make of what is flushed."""

    def __init__(self, entry, jumps=()):
        super().__init__(profile_of(entry), entry.get("orders-of", 4))
        self.jumps = list(jumps)

    def expected(self):
        """S, rounded."""
        if len(self.finite_terms) == len(self.terms):
            return self.profile.t.nearest(self.sum)
        special = {x for x in self.terms if not finite(x)}
        return special.pop() if len(special) == 1 else None

    def error_of(self, y):
        """The error of an output in units of u A, and its class."""
        error = abs(y - self.sum) * 2 ** self.profile.t.precision / (self.magnitudes() or 1)
        if y == self.expected():
            return error, CLASSES[0]
        levels = (len(self.raw) - 1).bit_length()
        limits = (1, levels, 2 * levels, error)
        return error, next(c for c, limit in zip(CLASSES[1:], limits) if error <= limit)

    def explained(self, r):
        return self.lost() * (1 + self.compound(r))

    def may_differ(self, bits, right, said):
        """Where the library knows less: it has a bound for sequential sums of wider accumulators,
        and does not follow sums that stop at the greatest number to the store and to a flush."""
        p, y = self.profile, self.profile.t.value(bits)
        if (right, said) == ("PASS", "MAY_OVERFLOW"):
            return p.rounding == "either" and p.f is not p.t and y in (INFINITY, -INFINITY)
        return (right, said) == ("FAIL", "PASS") and (
            (p.order == "sequential" and p.wider == "allowed")
            or (p.flush_results == "must" and p.rounding != "nearest" and p.t.subnormal(y)))

    def interval(self, bits):
        """What the library shows with an output that fails; None where it shows something else."""
        p, few = self.profile, len(self.terms) <= self.few
        ends = self.answer().intervals if few else self.answer().intervals[:1]
        if (p.flushes or p.wider == "allowed" or not all(map(finite, self.raw)) or not ends
                or (p.strict_zero and bits == 1 << (p.t.width - 1))):
            return None
        return [p.t.bits(min(ends)[0]), p.t.bits(max(high for _, high in ends))]


class Library:
    """The library's verdicts on lines of one profile: by it, or by the library's own models."""

    def __init__(self, entry, by_profile):
        p = profile_of(entry)
        self.kind, self.word, self.by_profile = TYPES[p.type], WORDS[p.t.width], by_profile
        half = p.t.width == 16 and not by_profile
        members = {"accumulator": p.accumulator, "rounding": p.rounding, "order": p.order,
                   "flush-inputs": p.flush_inputs, "flush-results": p.flush_results,
                   "specials": p.specials, "wider": p.wider}
        rules = ["zero=signed"] * p.strict_zero
        if by_profile:
            rules += ["ieee"] + [f"{name}={word}" for name, word in members.items()]
        options = {"reachable": "orders-of" in entry, "rules": ",".join(rules) or None}
        if half:
            options["half_accumulator"] = "float16" if p.f is p.t else "float32"
            options["half_store"] = "ieee"
        self.options = options_of(self.kind, "none", options)

    def memory(self, words, tensor):
        size = bytes_of(tensor)
        return struct.pack(f"{len(words)}{self.word}", *words).ljust(size, b"\0"), size

    def ask(self, function, desc, judgement, terms, outputs):
        verdicts = (c_ubyte * len(outputs))()
        memory = self.memory(terms, desc.input_tensor) + self.memory(outputs, desc.output_tensor)
        call(function, byref(desc), *memory, byref(self.options), verdicts, byref(judgement))
        passed = "PASS" if self.by_profile else "FAIL"
        return [passed if v in (FLUSHED, WIDER) else NAMES.get(v, "PASS") for v in verdicts]

    def line(self, length, exclusive=False):
        tensor = tensor_of(self.kind, [length], [1])
        return _library.OperatorDesc(tensor, tensor, 0, 0, exclusive)

    def scan(self, terms, outputs, exclusive, doubt, judgement=None):
        """The verdicts on a scan."""
        self.options.no_doubt = not doubt
        desc, judgement = self.line(len(terms), exclusive), judgement or _library.Judgement()
        return self.ask(library.cumsum_judge, desc, judgement, terms, outputs)

    def exact_sums(self, terms):
        desc = self.line(len(terms))
        bits, size = self.memory(terms, desc.input_tensor)
        sums = (c_ubyte * size)()
        call(library.cumsum_exact_sums, byref(desc), bits, size, sums, size)
        return list(struct.unpack_from(f"{len(terms)}{self.word}", sums))

    def sum(self, terms, output, orders=False):
        """The verdict on a sum, the interval that is shown if it fails, and, where orders are
        searched for, whether one gives it."""
        count, found = len(terms), _library.SumsJudgement()
        self.options.no_doubt, self.options.no_orders = False, not orders
        tensors = tensor_of(self.kind, [1, count], [count, 1]), tensor_of(self.kind, [1, 1], [1, 1])
        desc = _library.SumsDesc(*tensors, 1, numbers([1]))
        said, = self.ask(library.cumsum_judge_sums, desc, found, terms, [output])
        first = FINDING.unpack_from(found.judgement.first)
        return said, list(first[-2:]), found.judgement.match_count > 0


def profile_of(entry):
    return Profile(**{name.replace("-", "_"): word for name, word in entry["profile"].items()})


def judge_scan(entry, lib):
    """Yields what was asked, what the rules say and what the library does, and if that is right, for
    a line with all outputs. The first exclusive one is not among them: it is 0."""
    added = [int(bits, 16) for what, *rest in entry["steps"] if what == "add" for bits in rest]
    asked = [int(rest[0], 16) for what, *rest in entry["steps"] if what == "judge"]
    exclusive = len(asked) < len(added)
    said = lib.scan(added, [0] * exclusive + asked, exclusive, True)[exclusive:]
    jumps = ()
    for _ in range(2):  # a jump may turn out to be one of many at a regular distance
        line, answers = LibraryLine(entry, jumps), []
        for term, output, verdict in zip_longest(added, asked, said):
            line.add(term)
            if output is not None:
                right = line.judge(output)
                right = "PASS" if right == "SUSPECT" and "FAIL" in said else right
                same = right == verdict or line.may_differ(output, right, verdict)
                answers.append((f"judge {output:x}", right, verdict, same))
        jumps = line.jumps
    return answers


def judge_sum(line, lib, terms, output):
    right, (said, interval, _) = line.judge(output, False), lib.sum(terms, output)
    same = right == said or line.may_differ(output, right, said)
    if (right, said) == ("SUSPECT", "PASS"):  # the rules know the sequential order alone
        same = lib.sum(terms, output, orders=True)[2]
    yield f"judge-sum {output:x}", right, said, same
    if said == "FAIL" and lib.by_profile:
        right = line.interval(output)
        yield f"range of {output:x}", right, interval, right in (None, interval)


def judge_outputs(entry, lib):
    """The same for outputs that are asked about alone: as sums, or as the last one of a scan, in
    which nothing is suspect."""
    line, terms = LibraryLine(entry), []
    for what, *rest in entry["steps"]:
        words = [int(word, 16) for word in rest if what != "range" and word not in VERDICTS]
        if what == "add":
            terms += words
            for bits in words:
                line.add(bits)
        elif what == "judge-sum" and not line.profile.strict_zero:
            yield from judge_sum(line, lib, terms, *words)
        elif what != "range":
            right = line.judge(*words, False).replace("SUSPECT", "PASS")
            said = lib.scan(terms, [0] * (len(terms) - 1) + words, False, False)[-1]
            same = right == said or line.may_differ(*words, right, said)
            yield f"judge {words[0]:x}", right, said, same


def judge_exact(entry, lib):
    """The exact sums of a line."""
    line, terms, right = LibraryLine(entry), [], []
    for what, *rest in entry["steps"]:
        for bits in (int(word, 16) for word in rest if what == "add"):
            line.add(bits)
            terms.append(bits)
            right.append(line.profile.t.bits(line.expected()))
    said = lib.exact_sums(terms)
    yield "exact sums", right, said, right == said


def judge_near(rng, seen):
    """The greatest error and the class of outputs that are so many steps from S, and pass; and the
    interval of each prefix, which a NaN shows."""
    p = make_vectors.Vectors(rng.random()).profile()  # of neighbours the library's bound is larger
    p = Profile(p.type, p.accumulator, p.rounding, order=rng.choice(("any", "any", "sequential")))
    entry = {"profile": p.json()}
    line, lib, by_profile = LibraryLine(entry), Library(entry, False), Library(entry, True)
    t, n, judgement = line.profile.t, rng.randint(1, 60), _library.Judgement()
    most, kind = rng.choice((0, 1, 3, n)), rng.choice(("uniform", "near", "cancel", "tiny"))
    sign = rng.choice((1, -1))
    terms = [t.bits(sign * x) for x in make_vectors.Terms(rng, line.profile.type).draw(kind, n)]
    outputs, errors, nan = [], [], t.bits(None)
    for k, bits in enumerate(terms):
        line.add(bits)
        steps = min(most, max(len(line.terms) - 6, 0) // 3)
        outputs.append(t.of_rank(t.rank(t.bits(line.expected())) + rng.randint(-steps, steps)))
        errors.append(line.error_of(t.value(outputs[-1])))
        said, interval, _ = by_profile.sum(terms[:k + 1], nan)
        right = line.interval(nan) if said == "FAIL" else None
        yield f"interval of {k + 1} terms", right, interval, right in (None, interval)
    lib.scan(terms, outputs, False, False, judgement)
    if judgement.error_class in CLASSES:
        right = max(error for error, _ in errors), max(c for _, c in errors)
        seen.add(right[1])
        same = abs(judgement.h - right[0]) <= right[0] / 2**20 and judgement.error_class == right[1]
        yield f"{most} steps from S", right, (judgement.h, judgement.error_class), same


def is_plain(p):
    """Does the library have a model of this profile?"""
    return (p.rounding, p.specials, p.order, p.wider) == ("nearest", "ieee", "any", "forbidden") and (
        not p.flushes and (p.f is p.t or p.accumulator == "FLOAT32"))


def answers(seed, share, seen):
    """Yields a line and what judge_scan yields, for all lines."""
    for entry in make_vectors.make(seed, share):
        p = None if "error" in entry or not entry["steps"] else profile_of(entry)
        if not p or p.type not in FORMATS or entry["steps"][0][0] != "add":
            continue
        for answer in judge_exact(entry, Library(entry, False)):
            yield entry["name"], *answer
        if "orders-of" in entry and (p.rounding != "nearest" or p.flushes):
            continue  # the library tries orders without choices
        judge = judge_scan if entry["name"].startswith("scan-") else judge_outputs
        for by_profile in (True, False) if is_plain(p) else (True,):
            for answer in judge(entry, Library(entry, by_profile)):
                yield f"{entry['name']}, {p}", *answer
    rng = random.Random(seed)
    for _ in range(100 + 8 * share):
        for answer in judge_near(rng, seen):
            yield "near", *answer


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--share", type=int, default=10, help="percent of the random lines")
    compared = suspect = differences = 0
    seen = set()
    for line, what, right, said, same in answers(**vars(parser.parse_args()), seen=seen):
        compared += 1
        suspect += right == said == "SUSPECT"
        differences += not same
        if not same:
            print(f"{line}, {what}: {right}, the library {said}")
    print(f"{compared} verdicts, intervals, sums and errors, {suspect} suspect, {differences} differ")
    return differences > 0 or suspect == 0 or seen != set(CLASSES)


if __name__ == "__main__":
    sys.exit(main())
