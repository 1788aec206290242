# SPDX-License-Identifier: MIT
"""The commands that the documents show, and the table that says of some how they are run."""

import re
from dataclasses import dataclass

# What a line of a command begins with, after assignments to variables.
PROGRAMS = re.compile(
    r"(?:\$ )?(?:\w+=\S* +)*(?:cumsum|cmake|ctest|cpack|mkdir|for|pip|apt-get|vcpkg|conan|python3|node|"
    r"tools/[\w-]+|build/\S+|examples/\S+|driver_ci\.sh|check_\w+|\./\S+)(?: |$)")


@dataclass
class Command:
    """A line that somebody is told to type."""
    file: str
    line: int
    text: str


def _blocks(lines):
    """(number, line) of all that stands in blocks: indented by four, or fenced as plain text."""
    fence = None
    before = ""
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("```"):
            fence = line.strip()[3:] if fence is None else None
        elif fence in ("", "sh"):
            yield number, line
        elif fence is None and line.startswith("    ") and (not before or before[0] == " "):
            yield number, line[4:]
        before = line


def without_comment(text):
    """A command ends where a comment begins, or a column of explanations."""
    return re.sub(r"(?: +#|  +).*", "", text.strip().removeprefix("$ "))


def commands(path, name):
    """The commands of a document, lines that end in a backslash joined with the next."""
    found = []
    begun = None
    for number, line in _blocks(path.read_text().splitlines()):
        if begun:
            begun.text += " " + line.strip()
        elif PROGRAMS.match(line):
            begun = Command(name, number, line)
        else:
            continue
        if begun.text.endswith("\\"):
            begun.text = begun.text[:-1].rstrip()
            continue
        begun.text = without_comment(begun.text)
        found.append(begun)
        begun = None
    return found


def mentions(path, name):
    """The commands of the program that the running text mentions, with what options it gives them."""
    return [Command(name, number, span)
            for number, line in enumerate(path.read_text().splitlines(), 1)
            for span in re.findall(r"`(cumsum [a-z]+(?: [^`]*)?)`", line)]


@dataclass
class Rule:
    """What the table says of a command: not run, run as something else, or its exit status."""
    run: str
    status: int = 0
    used: bool = False


def table(path):
    """command -> Rule. Paragraphs: a heading that ends in a colon, and indented commands below it.

    not run, WHY:      the commands are not run
    exits N, WHY:      they exit with N
    instead, WHY:      below each command, indented further, what is run in its place
    """
    rules = {}
    kind, status, last = None, 0, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        text = line.strip()
        if not text or line.startswith("#"):
            continue
        if not line.startswith(" "):
            heading = re.fullmatch(r"(not run|instead|exits (\d+)), (\S.*):", text)
            if not heading:
                raise SystemExit(f"{path}:{number}: no heading: {text}")
            kind, status = heading[1], int(heading[2] or 0)
        elif line.startswith("        "):
            if kind != "instead":
                raise SystemExit(f"{path}:{number}: what is this instead of? {text}")
            rules[last].run = text
        else:
            last = text
            rules[text] = Rule(None if kind in ("not run", "instead") else text, status)
    return rules
