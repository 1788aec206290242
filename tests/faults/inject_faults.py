# SPDX-License-Identifier: MIT
"""inject_faults.py PROGRAM LIBRARY DATA WORK [--every N] [--only NAME...] [--plant] ...

Runs commands of PROGRAM again and again, and lets another call fail each time: of memory, of files
and streams that are written (LIBRARY does that, fault_calls.h). Then either nothing is different, or
the exit status is 3, standard error says why, each output file is complete or as it was before, and
no other file is left.
"""

import argparse
import fnmatch
import os
import shutil
import subprocess
import sys
from pathlib import Path

from fault_checks import cases, check_run, contents
from fault_scenarios import scenarios

KINDS = ("memory", "files")
OLD = b"what was there before\n"
problems = []


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=["*"])
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--plant", action="store_true")
    parser.add_argument("--defect-library", default="")
    return parser.parse_args()


def environment(scenario, folder, **more):
    """The environment of a run in this folder. TMPDIR is in it, so that files left there are noticed."""
    preload = " ".join(filter(None, [str(chosen.library.resolve()) if more else "",
                                     chosen.defect_library if scenario.defect else ""]))
    sanitizers = "verify_asan_link_order=0:allocator_may_return_null=1"
    return {**os.environ, "LC_ALL": "C", "TMPDIR": str(folder / "tmp"), "LD_PRELOAD": preload,
            "ASAN_OPTIONS": sanitizers, "CUMSUM_DEFECT": scenario.defect,
            "PYTHON": sys.executable,
            **{f"CUMSUM_FAULT_{key.upper()}": str(value) for key, value in more.items()}}


def run(scenario, folder, arguments, **more):
    """(exit status, standard output, standard error); a program that hangs is a problem."""
    command = [str(chosen.program.resolve()), *arguments]
    try:
        done = subprocess.run(command, cwd=folder, env=environment(scenario, folder, **more),
                              capture_output=True, timeout=600, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return "none, it hangs", b"", b""
    return done.returncode, done.stdout, done.stderr


def prepare(scenario, folder):
    """Makes the folder that each run starts with."""
    (folder / "tmp").mkdir(parents=True)
    for name in scenario.files:
        (folder / name).symlink_to(chosen.data.resolve() / name)
    for line in scenario.before:
        if run(scenario, folder, line)[0] != 0:
            problems.append(f"{scenario.name}: cannot be prepared: {line}")
    for name in scenario.outputs if scenario.replaced else []:
        (folder / name).write_bytes(OLD)


def run_logged(scenario, folder, kind, call):
    """A run in which a call fails: its result, the call's number and its name."""
    log = chosen.work / "log"
    log.write_text("0 none\n")
    more = {"command": scenario.arguments[0], "kind": kind, "call": call, "log": log}
    if chosen.plant:
        more["hide"] = "writes"
    result = run(scenario, folder, scenario.arguments, **more)
    number, name = log.read_text().strip().split(" ", 1)
    return result, number, name


def try_call(scenario, kind, call, start, reference, before, wanted):
    """Lets one call fail. What is wrong then, or None."""
    folder = chosen.work / "run"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder, symlinks=True)
    result, _, name = run_logged(scenario, folder, kind, call)
    after = contents(folder)
    wrong = check_run(scenario, result, reference, before, after, wanted)
    if wrong:
        problems.append(f"{scenario.name}: {kind} call {call} ({name}) fails: {wrong}\n"
                        f"    {result[2].decode(errors='replace')[-1500:]}")


def try_kind(scenario, kind, start, reference, before, wanted):
    """Every call of a kind, or every N-th, of files every eighth. How many were tried."""
    folder = chosen.work / "run"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(start, folder, symlinks=True)
    _, count, name = run_logged(scenario, folder, kind, 0)
    if name != "counted":
        problems.append(f"{scenario.name}: its calls of {kind} cannot be counted")
    step = chosen.every * scenario.memory if kind == "memory" else min(chosen.every, 8)
    calls = range(1, int(count) + 1, step)
    for call in calls:
        try_call(scenario, kind, call, start, reference, before, wanted)
    return len(calls)


def try_scenario(scenario):
    """Tries all kinds of calls of one command."""
    start = chosen.work / "start"
    whole = chosen.work / "whole"
    for folder in (start, whole):
        shutil.rmtree(folder, ignore_errors=True)
    prepare(scenario, start)
    shutil.copytree(start, whole, symlinks=True)
    reference = run(scenario, whole, scenario.arguments)
    wanted = contents(whole)
    written = [n for pattern in scenario.outputs for n in fnmatch.filter(wanted, pattern)]
    if reference[0] != scenario.status or len(written) < len(scenario.outputs):
        problems.append(f"{scenario.name}: without a fault: {reference}, files {list(wanted)}")
        return
    kinds = [kind for kind in chosen.kinds if kind in scenario.kinds]
    counts = [try_kind(scenario, kind, start, reference, contents(start), wanted)
              for kind in kinds]
    print(f"{scenario.name}: {', '.join(f'{n} of {k}' for n, k in zip(counts, kinds))}", flush=True)
    total[0] += sum(counts)


chosen = options()
total = [0]
shutil.rmtree(chosen.work, ignore_errors=True)
chosen.work.mkdir(parents=True)
for one in scenarios():
    if any(fnmatch.fnmatch(one.name, pattern) for pattern in chosen.only) and \
            (not one.defect or chosen.defect_library):
        try_scenario(one)
for text in problems:
    print(f"FAIL: {text}")
print(f"{total[0]} calls failed, {len(problems)} of them were handled wrongly")
sys.exit(1 if problems or not total[0] else 0)
