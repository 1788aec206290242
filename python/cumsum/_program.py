# SPDX-License-Identifier: MIT
"""The command `cumsum fingerprint --exec` on a function of this process. The program that the
command starts is a small one, which hands its standard input and output to this process; this one
answers the frames. Only fingerprint() imports this file, since its imports take longer than all
others."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, Callable

import numpy

from .__main__ import find_program
from ._frames import Implementation, serve_frames, sums_of
from ._words import JUDGED_TYPES

# Hands over its standard input and output, and ends when this process closes the connection.
_RELAY = """\
import socket, sys
with socket.socket(socket.AF_UNIX) as process:
    process.connect(sys.argv[1])
    socket.send_fds(process, [b"frames"], [0, 1])
    process.recv(1)
"""

_FIRST_AFTER = 1.0  # seconds


class Progress:
    """The line on the terminal that says how far a slow search is, which counts calls of a function.
    Where standard error is no terminal, it shows nothing."""

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


class _Failed(BaseException):
    """The function has raised an exception. No except clause of _frames.py catches this one."""


def _lines(f: Callable[[Any], Any], progress: Progress) -> Callable[..., Any]:
    def sums(x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        if axis + 1 != x.ndim:
            raise NotImplementedError("the function sums along the last axis")
        lines, length = x.shape if x.ndim == 2 else (1, x.size)
        progress.show("about 30", f": {lines} x {length} elements")
        try:
            return sums_of(x, f(x))
        except BaseException as error:
            raise _Failed from error

    return sums


def _totals(f: Callable[[Any], Any], progress: Progress) -> Callable[..., Any]:
    def totals(x: Any, *, axis: tuple[int, ...]) -> Any:
        lines = x.reshape(-1, x.shape[-1])
        progress.show("about 10", f": {len(lines)} x {x.shape[-1]} elements")
        try:
            return numpy.array([f(line) for line in lines], x.dtype).reshape(x.shape[:-1])
        except BaseException as error:
            raise _Failed from error

    return totals


def _serve(implementation: Implementation, listener: socket.socket) -> BaseException | None:
    """Answers the command's requests, until it has ended or the function has failed."""
    while True:
        connection, _ = listener.accept()
        with connection:
            descriptors = socket.recv_fds(connection, 6, 2)[1]
            if not descriptors:
                return None
            with open(descriptors[0], "rb") as source, open(descriptors[1], "wb") as target:
                try:
                    serve_frames(implementation, source, target.fileno())
                except _Failed as failure:
                    return failure.__cause__
                except (EOFError, BrokenPipeError):
                    pass  # the command says why it has ended the program


def _examine(
    command: list[str], implementation: Implementation, listener: socket.socket
) -> tuple[int, str, str]:
    """The command's exit status and what it printed. Raises what the function raises."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as program:
        printed: list[str] = []
        address = listener.getsockname()

        def wait() -> None:
            printed.extend(program.communicate())
            try:
                with socket.socket(socket.AF_UNIX) as end:
                    end.connect(address)
            except OSError:
                pass  # the function has failed, so the socket has no listener

        waiting = threading.Thread(target=wait)
        waiting.start()
        try:
            failure = _serve(implementation, listener)
        finally:
            listener.close()
            program.terminate()
            waiting.join()
    if failure:
        raise failure
    return program.returncode, printed[0], printed[1]


def run_fingerprint(
    f: Callable[[Any], Any],
    dtype: str,
    length: int,
    *,
    reverse: bool = False,
    exclusive: bool = False,
    total: bool = False,
) -> dict[str, Any]:
    """What the command says, as its JSON. Raises what fingerprint() raises."""
    program = find_program()
    if program is None:
        raise FileNotFoundError(
            "a fingerprint needs the program 'cumsum', which the Debian package cumsum has, and "
            "which is not in PATH"
        )
    ready = {
        "name": "the function",
        "types": [dtype.upper()],
        "directions": ["DECREASING" if reverse else "INCREASING"],
        "sums": ["TOTAL" if total else "EXCLUSIVE" if exclusive else "INCLUSIVE"],
        "strides": not total,
    }
    progress = Progress("fingerprint_sum" if total else "fingerprint")
    functions = (None, _totals(f, progress)) if total else (_lines(f, progress), None)
    implementation = Implementation(*functions, {JUDGED_TYPES[dtype]: numpy.dtype(dtype)}, ready)
    command = [program, "fingerprint", "--json", "--type", dtype, "--length", str(length)]
    command += ["--reverse"] * reverse + ["--exclusive"] * exclusive
    command += ["--sum", "--verbose"] * total
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.join(folder, "frames"))
        listener.listen()
        relay = shlex.join([sys.executable, "-I", "-c", _RELAY, listener.getsockname()])
        try:
            status, printed, errors = _examine(
                [*command, "--exec", "exec " + relay], implementation, listener
            )
        finally:
            progress.clear()
    events: list[dict[str, Any]] = [json.loads(line) for line in printed.splitlines()]
    for event in events:
        if status in (0, 1) and event["event"] == "fingerprint":
            return event
    messages = [event["message"] for event in events if event["event"] == "error"]
    raise RuntimeError("; ".join(messages) or errors.strip() or f"cumsum: exit status {status}")
