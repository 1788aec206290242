# SPDX-License-Identifier: MIT
"""The line on the terminal that says how far a slow search is."""

from __future__ import annotations

import os
import sys
import time

_FIRST_AFTER = 1.0  # seconds


class Progress:
    """Counts calls of a function. Where standard error is no terminal, it shows nothing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.calls = 0
        self.since = time.monotonic()
        self.visible = False

    def show(self, calls: str, what: str = "") -> None:
        """Another of `calls` calls begins."""
        self.calls += 1
        if time.monotonic() - self.since < _FIRST_AFTER:
            return
        if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            return
        text = f"{self.name}: call {self.calls} of {calls}{what}"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        self.visible = True

    def clear(self) -> None:
        if self.visible:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
