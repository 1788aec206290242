# SPDX-License-Identifier: MIT
"""Sorts the branches that no test takes: there are too many similar ones to list each."""

import re
from collections import Counter

KERNELS = "in the kernels' templates, where a branch counts once for each copy of a line"
SORTS = (
    (r"\b(for|while) \(", "loops that never end early, or always run"),
    (r"&&|\|\|", "conditions of several operands, one of which decides nothing"),
    (r" \? | : ", "choices between two values"),
    (r"\b(if|switch) \(", "questions that have one answer"))


def sort_of(path, text, hits):
    if not hits:
        return "on lines that did not run"
    if path.startswith("src/cpu/kernels/"):
        return KERNELS
    return next((sort for pattern, sort in SORTS if re.search(pattern, text)),
                "others, of conditions that take several lines")


def count_sorts(root, sources):
    """sort -> branches of src/ that were not taken."""
    found = Counter()
    for path, source in sources.items():
        if path.startswith("src/"):
            text = (root / path).read_text().splitlines()
            for line, branches in source.branches.items():
                missed = sum(not hits for hits in branches.values())
                found[sort_of(path, text[line - 1], source.lines.get(line))] += missed
    return found
