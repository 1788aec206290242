#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plant_faults.py CC HEADER CHECK VECTORS FOLDER [FLAGS...]: plants faults in anyorder.h, one at a
time, which the test vectors must find.

Exit status 1: one was not found, its place is no longer once in the header, or the header fails
without any.
"""

import pathlib
import subprocess
import sys

# A name, a place, and what stands there instead.
FAULTS = [
    ("one term too few", "return line->nonzero + 1 - heavy;", "return line->nonzero - heavy;"),
    ("the heaviest node has one term too many", ")) / value + 1;", ")) / value + 2;"),
    ("two additions below the last are free", "r > 1 ? r - 1 : 0", "r > 2 ? r - 2 : 0"),
    ("NaN by a false comparison", "if (!ao_is_nan(t, y) && ends.low <= ao_rank(t, y) &&",
     "if (ao_is_nan(t, y) || (ends.low <= ao_rank(t, y)) * 1 &&"),
    ("the magnitude of the sum for the sum of magnitudes",
     "ao_sum_of(&m->all, &line->side[0], &line->side[1]);",
     "ao_copy(&m->all, &line->sum.size);"),
    ("nothing is flushed", "m->flushes = ao_flushes(&line->profile) &&", "m->flushes = 0 &&"),
    ("only one place is flushed", "2 * line->nonzero - 1, normal", "1, normal"),
    ("what is flushed rounds no more often",
     "return m->flushes ? line->nonzero - 1 : m->r;", "return m->r;"),
    ("a truncation errs by u", "m->twice = line->profile.rounding == AO_NEAREST ? 1 : 2;",
     "m->twice = line->profile.rounding == AO_EITHER ? 2 : 1;"),
    ("neighbours do not grow", "if (line->profile.rounding == AO_EITHER) {\n        ao_grow",
     "if (0) {\n        ao_grow"),
    ("growth stays in one power of two", "const uint64_t steps = left < *k ? left : *k;",
     "const uint64_t steps = *k;"),
    ("growth misses a power of two", "doublings = k >> (p - 1);", "doublings = k >> p;"),
    ("ties away from zero", "rest > 2 || (rest == 2 && (quotient & 1))", "rest >= 2"),
    ("overflow at the greatest number",
     "ao_add_bits(&limit, ((uint64_t)2 << p) - 1, m->top + scale - p - 1);",
     "ao_add_bits(&limit, ((uint64_t)1 << p) - 1, m->top + scale - p);"),
    ("a truncated sum overflows",
     "return line->profile.rounding != AO_TOWARD_ZERO && ao_may_pass", "return ao_may_pass"),
    ("overflow without the errors", "ao_multiply(&errors, m->twice * additions);",
     "ao_clear(&errors);"),
    ("no sum stops at the greatest number", "if (line->profile.rounding != AO_NEAREST &&\n        (",
     "if (0 &&\n        ("),
    ("no overflow explains a NaN", "explained = up && down;", "explained = 0;"),
    ("any overflow explains a NaN", "explained = up && down;", "explained = up || down;"),
    ("infinities of both signs", "line->nan || (line->infinity[0] && line->infinity[1])",
     "line->nan"),
    ("specials that are absent are judged", "if (r.special && p->specials == AO_SPECIALS_ABSENT)",
     "if (0)"),
    ("contiguous orders permute",
     "return ao_is_contiguous(part) && ao_is_contiguous(rest) && ao_is_contiguous(part | rest);",
     "return 1;"),
    ("a contiguous order adds the first and the last",
     " && ao_is_contiguous(part | rest);", ";"),
    ("a sequential order adds the first and the last",
     "(part & (part + 1)) == 0 && rest == part + 1;",
     "(part & (part + 1)) == 0 && (rest & (rest - 1)) == 0 && part < rest;"),
    ("contiguous bounds are those of any order", "line->profile.order == AO_ORDER_CONTIGUOUS && k",
     "0 && k"),
    ("a contiguous bound without its curvature", "growth += power + ao_product_up(growth, power, places + unit);",
     "growth += power;"),
    ("leaves keep their bits",
     "const int subnormal = ao_is_subnormal(t, line->few[i]), flushed",
     "const int subnormal = 0, flushed"),
    ("stores keep their bits", "if (subnormal && ao_flushes(&line->profile))", "if (0)"),
    ("a subnormal output passes", "p->flush_results == AO_FLUSH_MUST && line->nonzero > 1 &&",
     "0 &&"),
    ("a wider sum fails", "ao_accept(a, t, y, ao_as_far(line, t, r.finite_low, r.finite_high));",
     ""),
    ("a wider sum of many terms fails", "        ao_accept_exact(line, m->t, y, a);\n    a->reason",
     "        (void)0;\n    a->reason"),
    ("short prefixes have five terms", "#define AO_FEW      4", "#define AO_FEW      5"),
    ("of the orders one is missing", "for (uint32_t part = (mask - 1) & mask; part;",
     "for (uint32_t part = (mask - 1) & (mask - 1) & mask; part > 1;"),
    ("sequences round outward", "uint64_t least = lows[0], most", "uint64_t least = highs[0], most"),
    ("a lost carry between limbs", "k < 3 || carry; k++", "k < 3; k++"),
    ("a lost borrow between limbs", "borrow = limb >> 63;", "borrow = 0;"),
    ("a lost sticky bit", "if (lost) { /*", "if (0) { /*"),
    ("no doubt", "return AO_DOUBTFUL;", "return a.verdict;"),
    ("neighbours are not asked", "if (scan && !ao_neighbours_may(m, &least))", "if (0)"),
    ("no error jumps", "ao_jumps(line, m, error, &distance) && !reason", "0"),
    ("a sum that stops is doubtful", "if (line->profile.rounding == AO_NEAREST)\n        return 0;",
     "return 0;"),
    ("nothing is unknown", "else if (unknown)", "else if (0)"),
    ("a sequential output is doubtful", "(scan ? line->in_sequence : sequential))", "0)"),
    ("sums are judged as scans", "return ao_judge_as(line, output, 0);",
     "return ao_judge_as(line, output, 1);"),
    ("integers do not wrap", "y == (line->integer & ao_type_mask(line->profile.type));",
     "y == line->integer;"),
    ("a narrow accumulator is accepted", "f->precision < t->precision ||", "0 ||"),
    ("hlsl keeps subnormals", "p.flush_inputs = p.flush_results = AO_FLUSH_MUST;", ";"),
]


def is_found(header, compiler, check, vectors, folder, flags):
    """Does the check with this header fail, as a check fails?"""
    (folder / "anyorder.h").write_text(header)
    program = folder / "check"
    subprocess.run([compiler, "-std=c11", "-w", f"-I{folder}", check, "-o", program, *flags],
                   check=True)
    # A fault may also make a loop endless, or read beyond an array.
    try:
        return subprocess.run([program, vectors], stdout=subprocess.DEVNULL, timeout=60).returncode
    except subprocess.TimeoutExpired:
        return 1


def main():
    compiler, path, check, vectors, folder, *flags = sys.argv[1:]
    source, folder = pathlib.Path(path).read_text(), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    missed = 0
    for name, place, planted in FAULTS:
        if source.count(place) != 1:
            print(f"{name}: its place is there {source.count(place)} times: {place}")
            missed += 1
        elif is_found(source.replace(place, planted), compiler, check, vectors, folder, flags) == 0:
            print(f"{name}: not found")
            missed += 1
    unplanted = is_found(source, compiler, check, vectors, folder, flags)
    print(f"{len(FAULTS)} faults planted, {missed} not found; without any: {unplanted}")
    return 1 if missed or unplanted else 0


if __name__ == "__main__":
    sys.exit(main())
