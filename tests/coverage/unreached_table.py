# SPDX-License-Identifier: MIT
"""unreached_table.py LIST [DOCUMENT]: the list of unreached lines as tests/coverage/README.md shows it.

Prints it, an item for each reason. With DOCUMENT it exits with 1 if the document does not have the
same items.
"""

import sys
import textwrap
from collections import Counter
from pathlib import Path

from unreached_list import read_list


def items(reasons):
    lines = []
    for reason in reasons:
        files = Counter(place.file for place in reason.places)
        count = sum(bool(place.text) for place in reason.places)
        where = ", ".join(f"`{file.removeprefix('src/')}`" for file in files)
        item = f"{where}, {count or 'all'} lines: {reason.text[0].lower()}{reason.text[1:]}."
        lines += textwrap.wrap(item, 100, initial_indent="- ", subsequent_indent="  ",
                               break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = items(read_list(sys.argv[1]))
    print(text, end="")
    if len(sys.argv) > 2 and f"\n\n{text}\n" not in Path(sys.argv[2]).read_text():
        sys.exit(f"FAIL: the list in {sys.argv[2]} is not this one")
