# SPDX-License-Identifier: MIT
"""check_text.py lines|beginnings|names ROOT: checks the text of documents, or of sources.

lines: no line of a document (*.md) is longer than 100 characters. Only a link, a URL or the name of
a case in backquotes may be, if it is alone on its line, because it cannot be broken; and the output
of a program, which stands in a block that begins with ```console.

beginnings: each C file and header of src/, tools/ and tests/ begins with its license (SPDX) and a
comment that says what the file is for, before it includes or declares anything.

names: no function of one file (static) shares its name with one of another file of its library, or
of the tool, so that a name leads to one place. The headers of vector operations are alternatives of
each other, and so are the files for Windows of those for POSIX.

The files are those that git tracks. Without git they are all files, except in folders whose names
begin with `build` or a dot.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

LONGEST = 100
SPDX = "/* SPDX-License-Identifier: MIT */\n"
# A line that cannot be broken, perhaps an item of a list.
UNBREAKABLE = re.compile(r"\s*(- )?(\[[^]]*\]\(\S+\)|https?://\S+|`[^`\s]+`)[.,:;]?")
# Folders whose files become one library or program.
LIBRARIES = (("src/tensor/", "src/cpu/", "src/oracle/", "src/serial_pool/"), ("src/gpu/",),
             ("tools/",))
ALTERNATIVE = re.compile(r"kernels/vector_ops_\w+\.h$|tools/.*_windows\.c$")
STATIC = re.compile(r"^(?:static|CUMSUM_ALWAYS_INLINE)\b[^;={}()]*?\b(\w+)\(", re.MULTILINE)
FEWEST_WORDS = 5  # of a comment that says what a file is for

# What may stand before that comment: include guards, and what system headers are asked for.
BEFORE = re.compile(r"\s*(#(ifndef|define|pragma)\b[^\n]*\n\s*)*")
COMMENT = re.compile(r"/\*.*?\*/|(//[^\n]*\n)+", re.DOTALL)


def tracked(root):
    """The files that git tracks below root, or None without git or its folder."""
    if not (root / ".git").exists() or not shutil.which("git"):
        return None
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    return [name.decode() for name in listed.stdout.split(b"\0")[:-1]] or None


def walked(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not re.match(r"build|\.", name)]
        for name in names:
            yield str((Path(folder) / name).relative_to(root))


def files(root, suffixes):
    """The files whose names end so, as paths below root, with their text."""
    for path in sorted(tracked(root) or walked(root)):
        if path.endswith(suffixes) and (root / path).is_file():
            yield path, (root / path).read_text(encoding="utf-8")


def says_purpose(comment):
    """A few words at least; or where to find them, as in `See sum.h`."""
    return len(re.findall(r"\w+", comment)) >= FEWEST_WORDS or re.search(r"\bSee \w+\.h\b", comment)


def wrong_lines(root):
    for path, text in files(root, (".md",)):
        is_output = False
        for number, line in enumerate(text.splitlines(), 1):
            is_output = line != "```" and (is_output or line == "```console")
            if is_output:
                continue
            if len(line) > LONGEST and not UNBREAKABLE.fullmatch(line):
                yield f"{path}:{number}: {len(line)} characters; a line has at most {LONGEST}"


def wrong_beginnings(root):
    for path, text in files(root, (".c", ".h")):
        if not path.startswith(("src/", "tools/", "tests/")):
            continue
        if not text.startswith(SPDX):
            yield f"{path}:1: does not begin with {SPDX.strip()}"
            continue
        comment = COMMENT.match(text, BEFORE.match(text, len(SPDX)).end())
        if not comment or not says_purpose(comment[0]):
            yield f"{path}:2: no comment says what this file is for"


def wrong_names(root):
    for folders in LIBRARIES:
        places = {}
        for path, text in files(root, (".c", ".h")):
            if path.startswith(folders) and not ALTERNATIVE.search(path):
                for found in STATIC.finditer(text):
                    line = text.count("\n", 0, found.start(1)) + 1
                    places.setdefault(found[1], {}).setdefault(path, f"{path}:{line}")
        for name, where in sorted(places.items()):
            if len(where) > 1 and not name.isupper():
                yield f"{name} is the name of several functions: {', '.join(where.values())}"


def main(what, root):
    checks = {"lines": wrong_lines, "beginnings": wrong_beginnings, "names": wrong_names}
    problems = list(checks[what](root))
    for problem in problems:
        print(f"FAIL: {problem}")
    print(f"{len(problems)} wrong")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).resolve()))
