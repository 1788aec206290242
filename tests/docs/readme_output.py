# SPDX-License-Identifier: MIT
"""readme_output.py SOURCE BUILD WORK [README]: what README.md shows works as it is typed.

The commands behind `$ ` in its ```console blocks run in their order in one shell, in a folder that
has the source tree and the build where a clone has them. They find the program only because README
says how. Below a command stands what it prints; a line of three dots stands for any lines. Each must
exit with 0, or with 1 if its last line of output counts a failure. A ```python block that begins with
the comment `# NAME.py` becomes that file; another one is a program.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Commands that do not run, and why.
NOT_RUN = {
    "tools/quickstart": "it made such a build",
    "tools/install-deps python": "it installs packages",
    "python3 -m venv --system-site-packages build/venv": "python.wheel does it",
    "build/venv/bin/pip install --no-build-isolation --no-deps ./python": "python.wheel does it",
}
MARK = "\x01"
source, build, work = (Path(argument).resolve() for argument in sys.argv[1:4])
readme = Path(sys.argv[4]) if len(sys.argv) > 4 else source / "README.md"
problems = []


def steps(text):
    """(line number, what to run, the lines it shall print or None) for each command and program."""
    blocks = re.finditer(r"^```(console|python)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    for block in blocks:
        first = text.count("\n", 0, block.start()) + 2
        lines = block[2].splitlines()
        if block[1] == "python":
            name = re.fullmatch(r"# (\w+\.py)", lines[0])
            program = f"<<'END_OF_BLOCK'\n{block[2]}END_OF_BLOCK"
            yield first, f"cat >{name[1]} {program}" if name else f"python3 - {program}", None
            continue
        starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)]):
            yield first + start, lines[start][2:], lines[start + 1:end]


def agrees(shown, printed):
    """Are these the lines shown, where a line of three dots is any lines?"""
    pattern = "".join(r"(.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed))


def prepare():
    shutil.rmtree(work, ignore_errors=True)
    (work / "bin").mkdir(parents=True)
    (work / "bin/python3").symlink_to(sys.executable)
    for name in ("tests", "tools", "examples", "lists", "python"):
        (work / name).symlink_to(source / name)
    (work / "build").mkdir()
    (work / "build/release").symlink_to(build)


prepare()
found = list(steps(readme.read_text()))
unused = set(NOT_RUN) - {command for _, command, _ in found}
problems += [f"README.md has no command {command}" for command in sorted(unused)]
run = [step for step in found if step[1] not in NOT_RUN]
script = "".join(f"{command}\nprintf '{MARK}%s{MARK}' $?\n" for _, command, _ in run)
environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
environment["PATH"] = f"{work / 'bin'}{os.pathsep}{environment['PATH']}"
done = subprocess.run(["bash"], input=script, cwd=work, env=environment, stdout=subprocess.PIPE,
                      stderr=subprocess.STDOUT, text=True, check=False)
outcomes = done.stdout.split(MARK)
for (number, command, shown), printed, status in zip(run, outcomes[::2], outcomes[1::2]):
    command = command.splitlines()[0]
    lines = printed.splitlines()
    failed = lines and re.search(r"(\d+) failed, \d+ skipped$", lines[-1])
    if int(status) != bool(failed and int(failed[1])):
        problems.append(f"README.md:{number}: {command}: exits with {status}:\n{printed[-500:]}")
    elif shown and not agrees(shown, lines):
        problems.append(f"README.md:{number}: {command}: prints something else:\n{printed[-500:]}")
quickstart = (source / "tools/quickstart").read_text()
if "export PATH=" not in quickstart or "PYTHONPATH=" not in quickstart:
    problems.append("tools/quickstart does not say how to put cumsum on the path, as README.md does")
shutil.rmtree(work)
for text in problems:
    print(f"FAIL: {text}")
print(f"{len(run)} commands and programs run, {len(problems)} wrong")
sys.exit(bool(problems) or len(outcomes) != 2 * len(run) + 1)
