# SPDX-License-Identifier: MIT
"""unreached_table.py LIST [DOCUMENT]: the list of unreached lines as a table of the documents.

Prints it. With DOCUMENT: exits with 1 where that is not what stands in it.
"""

import sys
from collections import Counter
from pathlib import Path

from unreached_list import read_list


def table(reasons):
    rows = ["| lines | where | why |", "|---|---|---|"]
    for reason in reasons:
        files = Counter(place.file for place in reason.places)
        count = sum(bool(place.text) for place in reason.places)
        where = ", ".join(f"`{file.removeprefix('src/')}`" for file in files)
        rows.append(f"| {count or 'all'} | {where} | {reason.text} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    text = table(read_list(sys.argv[1]))
    print(text, end="")
    if len(sys.argv) > 2 and f"\n\n{text}\n" not in Path(sys.argv[2]).read_text():
        sys.exit(f"FAIL: the table in {sys.argv[2]} is not this one")
