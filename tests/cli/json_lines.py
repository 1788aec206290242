# SPDX-License-Identifier: MIT
"""json_lines.py CUMSUM TESTS: tests that --json prints one object a line, for every command and for
well-formed and malformed files. Python reads them, not the program's own parser.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def refuse(constant):
    """NaN and Infinity are no JSON, although Python reads them."""
    raise ValueError(f"{constant} is no JSON")


def count_events(output):
    """Lines that are all an object with an event, the last one "summary"; else what is wrong."""
    last, lines = None, output.splitlines()
    try:
        for line in lines:
            last = json.loads(line.decode(), parse_constant=refuse)["event"]
    except (ValueError, TypeError, KeyError) as error:
        return repr(error)
    return len(lines) if last == "summary" else f"the last event is {last}"


WRONG = (b"{}", b"[1]", b'{"event": "summary", "h": NaN}', b'{"event": "summary"} 1',
         b'{"event": "\xff"}', b'{"event": "start"}')


def main():
    program, tests = sys.argv[1], Path(sys.argv[2])
    failures = [f"{wrong!r} is taken" for wrong in WRONG if isinstance(count_events(wrong), int)]

    def check(expected, *arguments):
        run = subprocess.run([program, *arguments], capture_output=True, check=False)
        count = count_events(run.stdout)
        if count != expected and (expected is not None or isinstance(count, str)):
            failures.append(f"cumsum {arguments}: {count}")

    golden = sorted(map(str, tests.glob("golden/*/*.json")))
    check(649, "verify", "--json", "--backend", "cpu:reference", *golden)
    check(650, "judge", "--json", "-v", *golden)
    check(2501, "descriptors", "--json", str(tests / "golden/directml/descriptors.jsonl"))
    check(649, "run", "--json", *golden)
    with tempfile.TemporaryDirectory() as folder:
        name = os.fsencode(folder) + b"/\xff\xc3.json"  # not UTF-8
        Path(os.fsdecode(name)).write_bytes((tests / "cli/data/small.json").read_bytes())
        check(3, "verify", "--json", "--backend", "cpu:reference", name)
    for file in tests.glob("cli/data/*.json"):
        for command in ("verify", "judge", "run"):
            check(None, command, "--json", str(file))
    return "\n".join(failures)  # none: the exit status is 0


sys.exit(main() or 0)
