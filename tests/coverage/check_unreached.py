# SPDX-License-Identifier: MIT
"""check_unreached.py ROOT TRACEFILE [LIST]: is every line of src/ reached by a test, or explained?

Prints the share of lines, functions and branches that ran. With LIST (unreached.txt) it compares the
lines of src/ that did not run with the list. Errors are: a line that the list lacks, a file that was
not compiled and that the list lacks, and an entry whose line is reached or does not exist. Entries
below a heading that begins with `Sometimes` may be reached.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from tracefile import read, shares
from unreached_list import Place, read_list

AREAS = ("src/tensor/", "src/cpu/", "src/oracle/", "src/gpu/", "src/", "threads/", "tools/", "python/")


def print_shares(sources):
    print(f"{'':12} {'lines':>26} {'functions':>26} {'branches':>26}")
    for area in AREAS:
        of_area = [source for path, source in sources.items() if path.startswith(area)]
        if of_area:
            print(f"{area:12}", *(f"{str(share):>26}" for share in shares(of_area)))


def function_at(text, line):
    """The function that a line is in: the last line above that begins at the margin names it."""
    for above in reversed(text[:line]):
        begun = re.match(r"[A-Za-z_].*?(\w+)\((?:(\w+)\)\()?", above)
        if begun:
            return begun[2] or begun[1]
    return "file"


def places(root, sources):
    """Place -> [(line, hits)]. Files without data are places of their own."""
    found = {}
    for path, source in sources.items():
        if not path.startswith("src/"):
            continue
        text = (root / path).read_text().splitlines()
        for line, hits in source.lines.items():
            place = Place(path, function_at(text, line), text[line - 1].strip())
            found.setdefault(place, []).append((line, hits))
    for path in sorted((root / "src").rglob("*.c")):
        name = str(path.relative_to(root))
        if name not in sources:
            found[Place(name)] = [(0, 0)]
    return found


def check(found, reasons):
    """The problems of the list, in words."""
    listed = Counter(place for reason in reasons for place in reason.places)
    sometimes = {place for reason in reasons if reason.sometimes for place in reason.places}
    unreached = {place: [line for line, hits in lines if not hits] for place, lines in found.items()}
    for place, lines in unreached.items():
        for line in lines[listed[place]:]:
            where = f"{place.file}:{line}" if line else place.file
            what = (f"{place.function}: {place.text}" if line else
                    "is not compiled, or has no line of its own")
            yield f"{where}: no test reaches this, and the list does not say why: {what}"
    for place, count in listed.items():
        there = found if place in sometimes else unreached
        if count > len(there.get(place, [])):
            yield f"the list says that no test reaches this, and it is reached or is gone: {place}"


def main(root, tracefile, list_path=None):
    root = Path(root).resolve()
    sources = read(Path(tracefile), root)
    print_shares(sources)
    if not list_path:
        return False
    reasons = read_list(list_path)
    problems = sorted(check(places(root, sources), reasons))
    for problem in problems:
        print(f"FAIL: {problem}")
    explained = sum(len(reason.places) for reason in reasons)
    print(f"{explained} lines and files of src/ are listed as not reached, {len(problems)} wrong")
    return bool(problems)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
