# SPDX-License-Identifier: MIT
"""Parts of a sweep over the conformance suite: shards for cumsum.sweep, groups for the plugin of
pytest. The program `cumsum` does the work."""

from __future__ import annotations

import math
import re
import subprocess
from typing import Iterable, Sequence

from ._find_program import find_program

# What a case costs besides its elements, in elements.
_COST_OF_A_CASE = 2000


class SweepError(RuntimeError):
    """The program has not run, or not to its end."""


def program(path: str | None = None) -> str:
    """The program that is to be used."""
    found = path or find_program()
    if found is None:
        raise SweepError(
            "there is no program `cumsum`: this installation of the Python package has none, and "
            "none is in PATH; the Debian package cumsum has it"
        )
    return found


def run(words: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs the program. Raises SweepError if it cannot be started."""
    try:
        return subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise SweepError(f"{words[0]}: {error.strerror}") from error


def names_of(lists: Iterable[str], path: str | None = None) -> list[str]:
    """The cases that lists, names and patterns choose."""
    listed = run([program(path), "generate", "--list", "--quiet", *lists])
    if listed.returncode:
        raise SweepError(listed.stderr.strip() or f"cumsum: exit status {listed.returncode}")
    return listed.stdout.split()


def cost_of(name: str) -> int:
    """What a case costs, in elements: its name has the sizes."""
    fields = name.split(".")
    sizes = next((field for field in fields if re.fullmatch(r"\d+(x\d+)*", field)), "1")
    return _COST_OF_A_CASE + math.prod(map(int, sizes.split("x")))


def shard_of(name: str, count: int) -> int:
    """The shard of a case, from 0, of --shard I/COUNT: FNV-1a of 64 bits, both halves of it."""
    value = 0xCBF29CE484222325
    for byte in name.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return (value ^ value >> 32) % count


def group_of(name: str) -> str:
    """The type, the numerics, the direction and the kind of sum of a case."""
    return ".".join(name.split(".")[:4])


class Group:
    """The cases of a list that have a type, numerics, a direction and a kind of sum in common: the
    value of the fixture cumsum_group."""

    def __init__(self, name: str, lists: Sequence[str], options: Sequence[str]) -> None:
        self.name, self.lists, self.options = name, lists, options

    def __repr__(self) -> str:
        return f"<cases {self.name}.* of {', '.join(self.lists)}>"

    def sweep(self) -> subprocess.CompletedProcess[str]:
        """Runs the cases: returncode is 0 if all pass, 1 if some fail, 77 if none ran."""
        words = [program(), "sweep", "--quiet", "--shard", "1/1", "--include", f"{self.name}.*"]
        done = run([*words, *self.options, *self.lists])
        if done.returncode not in (0, 1, 77):
            said = done.stderr.strip() or f"exit status {done.returncode}"
            raise SweepError(f"{self.name}: {said}")
        return done

    def check(self) -> None:
        """Runs the cases, and raises AssertionError with what the program says if some fail. Skips
        the test if none ran."""
        __tracebackhide__ = True  # pytest shows the test instead
        done = self.sweep()
        if done.returncode == 77:
            import pytest

            pytest.skip(f"{self.name}: none of the cases ran: {done.stdout.strip()[-500:]}")
        if done.returncode:
            raise AssertionError(f"{done.stdout}{done.stderr}")


def groups_of(lists: Sequence[str], options: Sequence[str]) -> list[Group]:
    """The groups of lists, the most expensive one first."""
    costs: dict[str, int] = {}
    for name in names_of(lists):
        costs[group_of(name)] = costs.get(group_of(name), 0) + cost_of(name)
    ordered = sorted(costs, key=lambda group: (-costs[group], group))
    return [Group(name, lists, options) for name in ordered]
