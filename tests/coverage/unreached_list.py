# SPDX-License-Identifier: MIT
"""unreached.txt: the lines of src/ that no test reaches, each below the reason why."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """A line, by its function and text, so that changes above it do not matter. Without text: a
    whole file, which is not compiled here."""
    file: str
    function: str = ""
    text: str = ""

    def __str__(self):
        return ": ".join(filter(None, (self.file, self.function, self.text)))


@dataclass
class Reason:
    """Why no test reaches the lines at these places, or only some runs do."""
    text: str
    places: list

    @property
    def sometimes(self):
        return self.text.startswith("Sometimes ")


def read_list(path):
    """The reasons. A paragraph is a heading that ends in a colon, with indented places below it. A
    place appears once for each such line of its function. A heading that begins with `Sometimes`
    is for lines that depend on what happens between threads."""
    reasons = []
    for number, line in enumerate(Path(path).read_text().splitlines(), 1):
        text = line.strip()
        if not text or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if not text.endswith(":"):
                raise SystemExit(f"{path}:{number}: a reason ends in a colon: {text}")
            reasons.append(Reason(text[:-1], []))
        elif not reasons:
            raise SystemExit(f"{path}:{number}: no reason is above this: {text}")
        else:
            words = text.split(": ", 2)
            if len(words) == 2:
                raise SystemExit(f"{path}:{number}: this is not FILE: FUNCTION: LINE: {text}")
            reasons[-1].places.append(Place(*words))
    return reasons
