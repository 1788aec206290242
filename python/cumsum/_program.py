# SPDX-License-Identifier: MIT
"""The command `cumsum fingerprint` on a function of this process. The command examines programs
that read one .npy file and write another. Here that program is a small script that passes the two
paths on to this process, which calls the function. Only fingerprint() imports this file, since its
imports take longer than all others."""

from __future__ import annotations

import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from multiprocessing.connection import Client, Listener
from typing import Any, Callable

# Tells this process the paths, and waits until it has called the function.
_SCRIPT = """\
import sys
from multiprocessing.connection import Client
with Client({address!r}) as process:
    process.send(sys.argv[1:])
    sys.exit(process.recv())
"""


def _call(f: Callable[[Any], Any], source: str, target: str) -> None:
    import numpy

    x = numpy.load(source)
    y = numpy.asarray(f(x))
    if y.dtype != x.dtype or y.shape != x.shape:
        raise ValueError(
            f"the function returned {y.dtype} of shape {y.shape} for {x.dtype} of shape {x.shape}, "
            "and must return the same type and shape"
        )
    with open(target, "wb") as file:
        numpy.save(file, y)


def _serve(f: Callable[[Any], Any], listener: Listener) -> BaseException | None:
    """Calls f for each request, until the program has ended or f has failed."""
    while True:
        with listener.accept() as request:
            paths = request.recv()
            if paths is None:
                return None
            try:
                _call(f, *paths)
            except BaseException as error:
                request.send("the function raised an exception")
                return error
            request.send(0)


def _examine(
    command: list[str], f: Callable[[Any], Any], listener: Listener
) -> tuple[int, str, str]:
    """The program's exit status and what it printed. Raises what f raises."""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as program:
        printed: list[str] = []
        address = listener.address

        def wait() -> None:
            printed.extend(program.communicate())
            try:
                with Client(address) as end:
                    end.send(None)
            except OSError:
                pass  # f has failed, and nobody listens

        waiting = threading.Thread(target=wait)
        waiting.start()
        try:
            failure = _serve(f, listener)
        finally:
            listener.close()
            program.terminate()
            waiting.join()
    if failure:
        raise failure
    return program.returncode, printed[0], printed[1]


def run_fingerprint(f: Callable[[Any], Any], options: list[str]) -> dict[str, Any]:
    """What the command says, as its JSON. Raises what fingerprint() raises."""
    program = shutil.which("cumsum")
    if program is None:
        raise FileNotFoundError(
            "fingerprint() needs the program 'cumsum', which the Debian package cumsum has, and "
            "which is not in PATH"
        )
    with tempfile.TemporaryDirectory() as folder, Listener() as listener:
        script = pathlib.Path(folder) / "ask.py"
        script.write_text(_SCRIPT.format(address=listener.address), encoding="utf-8")
        ask = shlex.join([sys.executable, "-I", str(script)])
        command = [program, "fingerprint", "--json", "--exec", ask, *options]
        status, printed, errors = _examine(command, f, listener)
    events: list[dict[str, Any]] = [json.loads(line) for line in printed.splitlines()]
    for event in events:
        if status in (0, 1) and event["event"] == "fingerprint":
            return event
    messages = [event["message"] for event in events if event["event"] == "error"]
    raise RuntimeError("; ".join(messages) or errors.strip() or f"cumsum: exit status {status}")
