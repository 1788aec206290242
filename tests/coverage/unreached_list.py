# SPDX-License-Identifier: MIT
"""unreached.txt: the lines of src/ that no test reaches, each below the reason why."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Place:
    """A line, by what does not change when others are written above it. No text: the whole file,
    which is not compiled here."""
    file: str
    function: str = ""
    text: str = ""

    def __str__(self):
        return ": ".join(filter(None, (self.file, self.function, self.text)))


@dataclass
class Reason:
    """Why the lines at these places are not reached, or in some runs are not."""
    text: str
    places: list

    @property
    def sometimes(self):
        return self.text.startswith("Sometimes ")


def read_list(path):
    """The reasons. Paragraphs: a heading that ends in a colon, and indented places below it, a
    place once for every such line of its function. A heading that begins with `Sometimes`: what
    happens between threads decides."""
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
                raise SystemExit(f"{path}:{number}: FILE: FUNCTION: LINE is not what this is: {text}")
            reasons[-1].places.append(Place(*words))
    return reasons
