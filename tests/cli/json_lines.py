# SPDX-License-Identifier: MIT
"""json_lines.py FILE...: checks that every line of each file is one JSON object with an "event", and
that the last event is "summary". Prints the number of lines.
"""

import json
import sys
from pathlib import Path


def refuse(constant):
    """NaN and Infinity are no JSON, although Python reads them."""
    raise ValueError(f"{constant} is no JSON")


def count_events(path):
    last, lines = None, path.read_bytes().splitlines()
    for line in lines:
        last = json.loads(line.decode(), parse_constant=refuse)["event"]
    if last != "summary":
        raise ValueError(f"the last event is {last}")
    return len(lines)


failed = False
for name in sys.argv[1:]:
    try:
        print(f"{name}: {count_events(Path(name))} lines")
    except (ValueError, TypeError, KeyError) as error:
        print(f"{name}: {error!r}")
        failed = True
sys.exit(failed)
