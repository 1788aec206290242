# SPDX-License-Identifier: MIT
"""shown_output.py SOURCE BUILD WORK DOCUMENT: what a document shows works as it is typed.

The commands behind `$ ` in its ```console blocks run in their order in one shell, in a folder that has
the source tree where a clone has it; lines behind `> ` continue one. Below a command stands what it
prints: a line of three dots stands for any lines, three dots in a line for any text. Unless `echo $?`
follows, each must exit with 0, or with 1 if its last line of output counts a failure. A ```python
block that begins with the comment `# NAME.py` becomes that file; another one is a program, and what it
prints is the ```text block that follows, if one does. The build stands for the installation that
README.md describes.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Commands that do not run, and why.
NOT_RUN = {
    "python3 -m venv build/venv": "python.wheel does it",
    "build/venv/bin/pip install ./python": "it downloads; python.wheel does it without a network",
    ". build/venv/bin/activate": "there is no such folder",
}
MARK = "\x01"
source, build, work = (Path(argument).resolve() for argument in sys.argv[1:4])
document = Path(sys.argv[4])
problems = []


def steps(text):
    """(line number, what to run, the lines it shall print or None) for each command and program."""
    blocks = re.finditer(r"^```(console|python)\n(.*?)^```$(?:\s+^```text\n(.*?)^```$)?", text,
                         re.DOTALL | re.MULTILINE)
    for block in blocks:
        first = text.count("\n", 0, block.start()) + 2
        lines = block[2].splitlines()
        if block[1] == "python":
            name = re.fullmatch(r"# (\w+\.py)", lines[0])
            program = f"<<'END_OF_BLOCK'\n{block[2]}END_OF_BLOCK"
            shown = block[3].splitlines() if block[3] else None
            yield first, f"cat >{name[1]} {program}" if name else f"python3 - {program}", shown
            continue
        starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)]):
            rest = start + 1
            while lines[rest - 1].endswith("\\"):
                rest += 1
            command = "\n".join(line[2:] for line in lines[start:rest])
            yield first + start, command, lines[rest:end]


def pattern(line):
    if line.strip() == "...":
        return r"(.*\n)*?"
    return ".*".join(map(re.escape, line.split("..."))) + "\n"


def agrees(shown, printed):
    """Are these the lines shown, where three dots are anything?"""
    return re.fullmatch("".join(map(pattern, shown)), "".join(line + "\n" for line in printed))


def prepare():
    shutil.rmtree(work, ignore_errors=True)
    (work / "bin").mkdir(parents=True)
    (work / "bin/python3").symlink_to(sys.executable)
    for name in ("tests", "tools", "examples", "lists", "python"):
        (work / name).symlink_to(source / name)


prepare()
found = list(steps(document.read_text()))
run = [step for step in found if step[1] not in NOT_RUN]
script = "".join(f"{command}\nstatus=$?; printf '{MARK}%s{MARK}' $status; (exit $status)\n"
                 for _, command, _ in run)
environment = {**os.environ, "PYTHONPATH": str(build / "python"), "PATH": os.pathsep.join(
    [str(work / "bin"), str(build / "tools"), os.environ["PATH"]])}
done = subprocess.run(["bash"], input=script, cwd=work, env=environment, stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True, check=False)
outcomes = done.stdout.split(MARK)
following = [command for _, command, _ in run[1:]] + [""]
for (number, command, shown), printed, status, after in zip(run, outcomes[::2], outcomes[1::2],
                                                            following):
    command = command.splitlines()[0]
    lines = printed.splitlines()
    failed = lines and re.search(r"(\d+) failed, \d+ skipped", lines[-1])
    if after != "echo $?" and int(status) != bool(failed and int(failed[1])):
        problems.append(f"{document}:{number}: {command}: exits with {status}:\n{printed[-800:]}")
    elif shown and not agrees(shown, lines):
        problems.append(f"{document}:{number}: {command}: prints something else:\n{printed[-1500:]}")
shutil.rmtree(work)
for text in problems:
    print(f"FAIL: {text}")
print(f"{len(run)} commands and programs run, {len(problems)} wrong")
sys.exit(bool(problems) or len(outcomes) != 2 * len(run) + 1 or not run)
