# SPDX-License-Identifier: MIT
"""inject_faults.py PROGRAM LIBRARY DATA WORK [--every N] [--only NAME...] [--plant] ...

Runs commands of PROGRAM again and again. Each time another allocation fails (LIBRARY does that,
fault_memory.c), or files may not grow beyond another size. Then either nothing is different, or the
exit status is 3, standard error says why, each output file is complete or as it was before, and no
other file is left.
"""

import argparse
import fnmatch
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

from fault_checks import check_run, contents
from fault_scenarios import scenarios

OLD = b"what was there before\n"
problems = []


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--every", type=int, default=1, help="of the allocations, each N-th")
    parser.add_argument("--only", nargs="*", default=["*"])
    parser.add_argument("--plant", action="store_true", help="a program whose exit status is 0")
    parser.add_argument("--defect-library", default="")
    return parser.parse_args()


def environment(scenario, folder, library="", call=0):
    """The environment of a run in this folder. TMPDIR is in it, so that files left there are noticed."""
    preload = " ".join(filter(None, [library, chosen.defect_library if scenario.defect else ""]))
    return {**os.environ, "LC_ALL": "C", "TMPDIR": str(folder / "tmp"), "LD_PRELOAD": preload,
            "CUMSUM_DEFECT": scenario.defect, "CUMSUM_FAULT_COMMAND": scenario.arguments[0],
            "CUMSUM_FAULT_CALL": str(call), "CUMSUM_FAULT_LOG": str(chosen.work.resolve() / "log")}


def run(scenario, folder, arguments, room=None, **fault):
    """(exit status, standard output, standard error). Files have at most `room` bytes. A program that
    hangs is a problem."""
    def limit():
        if room is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    command = [str(chosen.program.resolve()), *arguments]
    if chosen.plant:
        command = ["sh", "-c", '"$@"; exit 0', "sh", *command]
    try:
        done = subprocess.run(command, cwd=folder, env=environment(scenario, folder, **fault),
                              capture_output=True, timeout=600, stdin=subprocess.DEVNULL, check=False,
                              preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return "none, it hangs", b"", b""
    return done.returncode, done.stdout, done.stderr


def prepare(scenario, folder):
    """Makes the folder that each run starts with."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "tmp").mkdir(parents=True)
    for name in scenario.files:
        (folder / name).symlink_to(chosen.data.resolve() / name)
    for line in scenario.before:
        if run(scenario, folder, line)[0] != 0:
            problems.append(f"{scenario.name}: cannot be prepared: {line}")
    for name in scenario.outputs if scenario.replaced else []:
        (folder / name).write_bytes(OLD)


class Trial:
    """A scenario, the folder that it starts with, and its run without a fault."""

    def __init__(self, scenario):
        self.scenario, self.start, self.folder = scenario, chosen.work / "start", chosen.work / "run"
        prepare(scenario, self.start)
        self.reference = self.run()
        self.before, self.wanted = contents(self.start), contents(self.folder)
        self.written = [name for pattern in scenario.outputs
                        for name in fnmatch.filter(self.wanted, pattern)]
        self.tried = 0

    def run(self, **fault):
        """A run in a fresh copy of the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.start, self.folder, symlinks=True)
        return run(self.scenario, self.folder, self.scenario.arguments, **fault)

    def expect(self, what, **fault):
        result = self.run(**fault)
        self.tried += 1
        wrong = check_run(self.scenario, result, self.reference, self.before, contents(self.folder),
                          self.wanted)
        if wrong:
            problems.append(f"{self.scenario.name}: {what}: {wrong}\n"
                            f"    {result[2].decode(errors='replace')[-1500:]}")

    def memory(self):
        """Lets every allocation fail, or every N-th."""
        library, log = str(chosen.library.resolve()), chosen.work / "log"
        log.write_text("")
        self.run(library=library, call=0)
        if not log.read_text():
            problems.append(f"{self.scenario.name}: its allocations cannot be counted")
            return
        for call in range(1, int(log.read_text()) + 1, chosen.every * self.scenario.memory):
            self.expect(f"allocation {call} fails", library=library, call=call)

    def files(self):
        """Room for nothing, for half of each output and for all but its last byte."""
        sizes = {len(self.wanted[name]) for name in self.written}
        for room in sorted({0} | {size // 2 for size in sizes} | {size - 1 for size in sizes if size}):
            self.expect(f"files have at most {room} bytes", room=room)


def try_scenario(scenario):
    """Tries both kinds of faults of one command."""
    trial = Trial(scenario)
    status = 0 if chosen.plant else scenario.status
    if trial.reference[0] != status or len(trial.written) < len(scenario.outputs):
        problems.append(f"{scenario.name}: without a fault: {trial.reference}, {list(trial.wanted)}")
        return 0
    trial.memory()
    if trial.written:
        trial.files()
    print(f"{scenario.name}: {trial.tried} runs", flush=True)
    return trial.tried


chosen = options()
shutil.rmtree(chosen.work, ignore_errors=True)
chosen.work.mkdir(parents=True)
total = sum(try_scenario(one) for one in scenarios()
            if any(fnmatch.fnmatch(one.name, pattern) for pattern in chosen.only) and
            (not one.defect or chosen.defect_library))
for text in problems:
    print(f"FAIL: {text}")
print(f"{total} runs with a fault, {len(problems)} of them were handled wrongly")
sys.exit(1 if problems or not total else 0)
