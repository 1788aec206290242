# SPDX-License-Identifier: MIT
"""check_rules.py ROOT: holds lists/rules.txt against the documents and the lists of cases.

rules.txt has each statement of two documents, in order, by its first words, and below it the rules
that test it or "- REASON". Each rule must have cases in quick and in mustpass, or descriptors in
invalid.jsonl, and each rule of a list must be one of a statement.
"""

import json
import pathlib
import re
import sys

DOCUMENTS = "docs/numerics.md", "docs/validation.md"
LISTS = "quick", "mustpass", "stress"


def statements(markdown: str) -> list[str]:
    """The sentences and the rows of tables of a document, without headings, code and heads of
    tables. A sentence ends with '.' or ':' before a space and a capital letter, '`', '*' or '['."""
    text = re.sub(r"^```.*?^```", "", markdown, flags=re.M | re.S)
    text = re.sub(r"^(#| {4}).*", "", text, flags=re.M)
    text = re.sub(r"^\|.*\n\|[-| ]+$", "", text, flags=re.M)
    text = re.sub(r"^(- |\d+\. |(?=\|))", "\n", text, flags=re.M)
    found = []
    for paragraph in re.split(r"\n\s*\n", text):
        joined = re.sub(r"\s*\n\s*", " ", paragraph.strip())
        if joined.startswith("|"):
            found.append(joined)
        elif joined:
            found += re.split(r"(?<=[.:]) (?=[A-Z`*\[])", joined)
    return found


def traced(root: pathlib.Path, problems: list[str]) -> set[str]:
    """The rules that statements name."""
    lines = [line for line in (root / "lists/rules.txt").read_text().splitlines()
             if line and not line.startswith("#")]
    rules: set[str] = set()
    for document in DOCUMENTS:
        said = statements((root / document).read_text())
        title, listed = lines[:1], lines[1:2 * len(said) + 1]
        lines = lines[2 * len(said) + 1:]
        if title != [document]:
            problems.append(f"rules.txt: {title} stands where {document} should")
        listed += [""] * (2 * len(said) - len(listed))
        for statement, first, words in zip(said, listed[::2], listed[1::2]):
            if not first.startswith("> ") or not statement.startswith(first[2:]):
                problems.append(f"{document} says {statement!r}, and rules.txt has {first!r} in its"
                                " place: name the rules that test it, or why there is no case")
                return rules
            if not words.startswith("    ") or not words.strip():
                problems.append(f"rules.txt: no rules below {first!r}")
            elif not words.startswith("    - "):
                rules |= set(words.split())
    if lines:
        problems.append(f"rules.txt goes on after the documents end: {lines[0]!r}")
    return rules


def rules_of_list(text: str, name: str, problems: list[str]) -> set[str]:
    """The rules that have a case in a list (docs/suite.md)."""
    rules: set[str] = set()
    current: list[str] = []
    for line in text.splitlines():
        if line.startswith("rule "):
            current = line.partition("#")[0].split()[1:]
        elif not line or re.match(r"[#\s]|include |\w+ = ", line):
            continue
        elif not current:
            problems.append(f"{name}: no rule is named for {line}")
        else:
            rules |= set(current)
    return rules


def main(root: pathlib.Path) -> int:
    problems: list[str] = []
    stated = traced(root, problems)
    if problems:
        print(*problems, sep="\n")
        return 1
    cases = {name: rules_of_list((root / f"lists/{name}.list").read_text(), name, problems)
             for name in LISTS}
    descriptors = {json.loads(line)["name"].partition("/")[0]
                   for line in (root / "lists/invalid.jsonl").read_text().splitlines()}
    for rule in sorted(stated - descriptors - (cases["quick"] & cases["mustpass"])):
        problems.append(f"rule {rule}: no case of quick, or none of mustpass, and no descriptor")
    for rule in sorted(set().union(descriptors, *cases.values()) - stated):
        problems.append(f"rule {rule} is in a list, and no statement names it")
    print(*problems, f"{len(stated)} rules, {len(problems)} problems", sep="\n")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
