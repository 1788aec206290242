# SPDX-License-Identifier: MIT
"""Finds the commands that documents show, and reads the table that says how some of them run."""

import re
from dataclasses import dataclass

# The beginning of a command, after assignments to variables.
PROGRAMS = re.compile(
    r"(?:\$ )?(?:\w+=\S* +)*(?:cumsum|cmake|ctest|cpack|mkdir|for|pip|apt-get|vcpkg|conan|python3|node|"
    r"tools/[\w-]+|build/\S+|examples/\S+|check_\w+|\./\S+)(?: |$)")


@dataclass
class Command:
    """A command line for readers to type."""
    file: str
    line: int
    text: str


def _blocks(lines):
    """(number, line) of all lines in blocks: indented by four, or fenced as plain text or sh."""
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
    """A command ends before a comment or a column of explanations."""
    return re.sub(r"(?: +#|  +).*", "", text.strip().removeprefix("$ "))


def commands(path, name):
    """The commands of a document; a line that ends in a backslash is joined with the next."""
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
    """The commands of the program, with options, that the running text mentions."""
    return [Command(name, number, span)
            for number, line in enumerate(path.read_text().splitlines(), 1)
            for span in re.findall(r"`(cumsum [a-z]+(?: [^`]*)?)`", line)]


@dataclass
class Rule:
    """What the table says about a command: what runs in its place, if anything, and its exit status."""
    run: str
    status: int = 0
    used: bool = False


def table(path):
    """command -> Rule. A paragraph is a heading that ends in a colon, with indented commands below:

    not run, WHY:      the commands do not run
    exits N, WHY:      they exit with N
    instead, WHY:      each command has another one below it, indented further, that runs instead
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
                raise SystemExit(f"{path}:{number}: not a heading: {text}")
            kind, status = heading[1], int(heading[2] or 0)
        elif line.startswith("        "):
            if kind != "instead":
                raise SystemExit(f"{path}:{number}: no command above that this replaces: {text}")
            rules[last].run = text
        else:
            last = text
            rules[text] = Rule(None if kind in ("not run", "instead") else text, status)
    return rules
