#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""judge_library.py PROGRAM OUTPUTS: the library's oracle by the rules with exact rationals. PROGRAM,
check_agreement, draws the lines and prints the verdicts that the library gives."""

import json
import subprocess
import sys

from rules import FORMATS, INFINITY, Line, Profile, finite


class LibraryLine(Line):
    """What the library does otherwise: it knows the jumps of the whole line before it doubts, and
    counts exactly what additions make of what is flushed."""

    def __init__(self, entry, jumps):
        members = {name.replace("-", "_"): value for name, value in entry["profile"].items()}
        super().__init__(Profile(**members), entry.get("orders-of", 4))
        self.jumps = jumps

    def explained(self, r):
        return self.lost() * (1 + self.compound(r))

    def may_differ(self, bits, right, said):
        """Where the library knows less: it has a bound for sequential sums of wider accumulators,
        and does not follow sums that stop at the greatest number to the store and to a flush."""
        p, y = self.profile, self.profile.t.value(bits)
        if (right, said) == ("PASS", "INDETERMINATE"):
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


def judge(entry, line):
    """Yields what was asked, what the rules say and what the library does, and if that is right."""
    doubts = "no-doubt" not in entry and all(step[-1] != "FAIL" for step in entry["steps"])
    bits = 0
    for what, *rest in entry["steps"]:
        if what == "add":
            line.add(int(rest[0], 16))
        elif what == "range":
            right, said = line.interval(bits), [int(end, 16) for end in rest]
            yield what, right, said, right in (None, said) or "models" in entry
        else:
            bits, said = int(rest[0], 16), rest[1]
            right = line.judge(bits, what == "judge")
            right = "PASS" if right == "SUSPECT" and not doubts else right
            yield f"{what} {bits:x}", right, said, right == said or line.may_differ(bits, right, said)


def main(program, outputs):
    drawn = subprocess.run([program, outputs, "library"], check=True, capture_output=True).stdout
    compared = suspect = differences = 0
    for entry in json.loads(drawn)["lines"]:
        if entry["profile"]["type"] not in FORMATS:
            continue
        line = LibraryLine(entry, [])
        answers = list(judge(entry, line))
        if line.jumps:  # which may turn out to be regular
            answers = list(judge(entry, LibraryLine(entry, line.jumps)))
        for what, right, said, same in answers:
            compared += 1
            suspect += right == said == "SUSPECT"
            differences += not same
            if not same:
                print(f"{entry['name']}, {entry['profile']}, {what}: {right}, the library {said}")
    print(f"{compared} verdicts and intervals, {suspect} suspect, {differences} differ")
    return differences > 0 or suspect == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
