# SPDX-License-Identifier: MIT
"""Reads an lcov tracefile (.info): the lines, functions and branches of each source file."""

from dataclasses import dataclass, field


@dataclass
class Share:
    """How many ran, of how many."""
    ran: int = 0
    of: int = 0

    def count(self, ran):
        self.ran += bool(ran)
        self.of += 1

    def __str__(self):
        percent = 100 * self.ran / self.of if self.of else 100
        return f"{percent:.1f} % ({self.ran} of {self.of})"


@dataclass
class Source:
    """One file: hits of each line, of each function, and of each branch of each line."""
    lines: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    branches: dict = field(default_factory=dict)


def _count(text):
    return 0 if text == "-" else int(text)


def _record(source, kind, values):
    if kind == "FNDA":
        source.functions[values[1]] = source.functions.get(values[1], 0) + _count(values[0])
    elif kind == "DA":
        line = int(values[0])
        source.lines[line] = source.lines.get(line, 0) + _count(values[1])
    elif kind == "BRDA":
        of_line = source.branches.setdefault(int(values[0]), {})
        name = tuple(values[1:3])
        of_line[name] = of_line.get(name, 0) + _count(values[3])


def read(path, root):
    """path below root -> Source. A file that several objects were made of counts once: a line ran if
    it ran in one of them."""
    sources = {}
    source = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        kind, _, value = line.partition(":")
        if kind == "SF":
            source = sources.setdefault(value.removeprefix(f"{root}/"), Source())
        elif kind in ("FNDA", "DA", "BRDA"):
            if source is None:
                raise SystemExit(f"{path}:{number}: no source file is named before this: {line}")
            _record(source, kind, value.split(","))
    return sources


def shares(sources):
    """lines, functions, branches: the Share of each in these files."""
    lines, functions, branches = Share(), Share(), Share()
    for source in sources:
        for hits in source.lines.values():
            lines.count(hits)
        for hits in source.functions.values():
            functions.count(hits)
        for of_line in source.branches.values():
            for hits in of_line.values():
                branches.count(hits)
    return lines, functions, branches
