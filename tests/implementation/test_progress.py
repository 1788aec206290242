# SPDX-License-Identifier: MIT
"""test_progress.py CUMSUM PLUG: fingerprint of a slow program shows on a terminal how many runs there
were, and nothing of that elsewhere."""

import os
import re
import subprocess
import sys


def fingerprint(command, plug, stderr):
    """The length is small, so that there are few runs beside those of --runs."""
    words = ["fingerprint", "--length", "4", "--longest", "4", "--runs", "20",
             "--exec", f"{plug} slow"]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        [*command.split(), *words], stdout=subprocess.PIPE, stderr=stderr, env=environment
    ) as process:
        shown = process.stdout.read()
    assert b"order" in shown, shown


def read_all(terminal):
    """What was written before the other end was closed: it may arrive in several pieces."""
    said = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how a terminal says that there is no more
            piece = b""
        if not piece:
            return said
        said += piece


try:
    terminal, end = os.openpty()
except OSError as why:
    print("SKIPPED: no pseudo-terminal:", why)
    sys.exit(77)
fingerprint(*sys.argv[1:], end)
os.close(end)
said = read_all(terminal)
assert re.search(rb"\r\x1b\[K[0-9]+  runs", said), said
assert said.endswith(b"\r\x1b[K"), said
apart, end = os.pipe()
fingerprint(*sys.argv[1:], end)
os.close(end)
assert os.read(apart, 65536) == b""
