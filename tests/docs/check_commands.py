# SPDX-License-Identifier: MIT
"""check_commands.py SOURCE BUILD WORK: every command of the documents works.

Each document has a folder in which its commands run. The folder has the source tree, the build and
small inputs where a reader has them. commands.txt lists commands that do not run, with the reason, and
commands that others replace. The programs, presets and options of all commands must exist.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

from doc_commands import Rule, commands, mentions, table

source, build, work = (Path(argument).resolve() for argument in sys.argv[1:4])
TABLE = source / "tests/docs/commands.txt"
DOCUMENTS = ["README.md", *sorted(
    str(path.relative_to(source)) for pattern in
    ("docs/*.md", "tests/*/README.md", "python/README.md")
    for path in source.glob(pattern))]
PRESETS = json.loads((source / "CMakePresets.json").read_text())
problems = []
helps = {}


def write_npy(path, shape, values):
    """An array of float32, as numpy.save writes it."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header = header.ljust(64 * 2 - 10 - 1) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                     struct.pack(f"<{len(values)}f", *values))


def example_of_formats():
    """The case file that docs/formats.md shows."""
    text = (source / "docs/formats.md").read_text()
    return re.search(r"```json\n(\{.*?\n\})\n```", text, re.DOTALL)[1]


def prepare(place):
    """Makes the small inputs that commands name."""
    write_npy(place / "x.npy", (2, 3), [1, 2, 3, 10, 20, 30])
    write_npy(place / "y.npy", (2, 3), [1, 3, 6, 10, 30, 60])
    with zipfile.ZipFile(place / "run.npz", "w") as archive:
        for name in ("x.npy", "y.npy"):
            archive.write(place / name, name)
    write_npy(place / "sums.npy", (2, 1), [6, 60])
    write_npy(place / "gpu.npy", (12,), [2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21])
    (place / "case.json").write_text(example_of_formats())
    (place / "sum.py").write_text(
        "import sys, numpy\n"
        "x = numpy.load(sys.argv[1])\n"
        "numpy.save(sys.argv[2], numpy.cumsum(x, axis=-1, dtype=x.dtype))\n")
    (place / "some.list").write_text("int32.wrap.increasing.inclusive.{3..9}.axis0"
                                     ".in-packed.out-packed.small-integers.seed1\n")


def problem(command, text):
    problems.append(f"{command.file}:{command.line}: {command.text}: {text}")


def options_of(words):
    """The long options in the help of a program or of one of its commands; None if it has no help."""
    if words not in helps:
        said = subprocess.run(["sh", "-c", '"$@" --help', "sh", *words], capture_output=True,
                              text=True, env=environment, check=False)
        found = set(re.findall(r"--[a-z][a-z-]*", said.stdout))
        helps[words] = found if said.returncode == 0 else None
    return helps[words]


def check_options(command, program, *arguments):
    words = (program,) if "tools/" in program else (program, arguments[0])
    known = options_of(words)
    if known is None:
        problem(command, f"there is no '{' '.join(words)}'")
        return
    for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", " ".join(arguments)):
        if option not in known:
            problem(command, f"there is no option {option}")


def check_words(command):
    """Checks that the programs, presets and options of a command exist."""
    for simple in re.split(r"&&|;|\bdo\b", re.sub(r"'[^']*'|\"[^\"]*\"", "''", command.text)):
        words = simple.split()
        while words and "=" in words[0]:
            words.pop(0)
        if len(words) > 1 and words[0].split("/")[-1] == "cumsum":
            check_options(command, "cumsum", *words[1:])
        elif words and re.fullmatch(r"tools/[\w-]+", words[0]):
            check_options(command, str(source / words[0]), *words[1:])
        for preset in re.findall(r"--preset (\S+)", simple):
            kind = {"cmake": "configure", "ctest": "test"}[words[0]]
            kind = "build" if "--build" in words else kind
            if preset not in [known["name"] for known in PRESETS[f"{kind}Presets"]]:
                problem(command, f"there is no {kind} preset {preset}")


def place_of(document):
    """The folder that the commands of a document run in, one after the other."""
    place = work / document.replace("/", "-").removesuffix(".md")
    if not place.exists():
        place.mkdir(parents=True)
        for name in ("tests", "examples", "lists", "docs", "tools"):
            (place / name).symlink_to(source / name)
        (place / "build").mkdir()
        (place / "build/release").symlink_to(build)
        prepare(place)
    return place


def run(command, rule):
    done = subprocess.run(["bash", "-c", rule.run], cwd=place_of(command.file), env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 77 and re.search(r"--backend (d3d12|directml|cpu:)", rule.run):
        print(f"SKIPPED {command.file}:{command.line}: {rule.run}: nothing here computes that")
    elif done.returncode != rule.status:
        problem(command, f"run as '{rule.run}', exits {done.returncode}, not {rule.status}:\n"
                f"{done.stdout[-1500:]}")


shutil.rmtree(work, ignore_errors=True)
(work / "bin").mkdir(parents=True)
(work / "bin/python3").symlink_to(sys.executable)
environment = {**os.environ, "PATH": os.pathsep.join(
    [str(work / "bin"), str(build / "tools"), os.environ["PATH"]])}

rules = table(TABLE)
ran = 0
for document in DOCUMENTS:
    for found in mentions(source / document, document):
        check_words(found)
    for found in commands(source / document, document):
        applies = rules.setdefault(found.text, Rule(found.text))
        applies.used = True
        check_words(found)
        if applies.run:
            run(found, applies)
            ran += 1
for text, rule in rules.items():
    if not rule.used:
        problems.append(f"{TABLE}: no document has the command: {text}")
for text in problems:
    print(f"FAIL: {text}")
print(f"{ran} commands run, {sum(rule.run is None for rule in rules.values())} listed as not run, "
      f"{len(problems)} wrong")
sys.exit(bool(problems))
