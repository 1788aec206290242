# SPDX-License-Identifier: MIT
"""check_text.py [CHECK] [ROOT]: checks the text of documents and sources; without CHECK, all of it.

lines: no line of a document (*.md) is longer than 100 characters. Only a link, a URL or the name of
a case in backquotes may be, if it is alone on its line, because it cannot be broken; and the output
of a program, which stands in a block that begins with ```console.

beginnings: each C file and header of src/, tools/ and tests/ begins with its license (SPDX) and a
comment that says what the file is for, before it includes or declares anything.

names: no function of one file (static) shares its name with one of another file of its library, or
of the tool, so that a name leads to one place. The headers of vector operations are alternatives of
each other, and so are the files for Windows of those for POSIX.

links: a relative link of a document leads to a file or folder, and its anchor to a heading.
paths: a document or a comment names files that exist. The first folders of a name may be left out.
numbers: the numbers of documents that document_numbers.py lists are right.

The files are those that git tracks. Without git they are all files, except in folders whose names
begin with `build` or a dot.
"""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from document_numbers import NUMBERS

LONGEST = 100
SPDX = "/* SPDX-License-Identifier: MIT */\n"
# A line that cannot be broken, perhaps an item of a list.
UNBREAKABLE = re.compile(r"\s*(- )?(\[[^]]*\]\(\S+\)|https?://\S+|`[^`\s]+`)[.,:;]?")
# Folders whose files become one library or program.
LIBRARIES = (("src/tensor/", "src/cpu/", "src/oracle/", "src/explain/", "src/elements/",
              "src/serial_pool/"), ("src/gpu/",),
             ("tools/",))
ALTERNATIVE = re.compile(r"kernels/vector_ops_\w+\.h$|tools/.*_windows\.c$")
STATIC = re.compile(r"^(?:static|CUMSUM_ALWAYS_INLINE)\b[^;={}()]*?\b(\w+)\(", re.MULTILINE)
FEWEST_WORDS = 5  # of a comment that says what a file is for

# What may stand before that comment: include guards, and what system headers are asked for.
BEFORE = re.compile(r"\s*(#(ifndef|define|pragma)\b[^\n]*\n\s*)*")
COMMENT = re.compile(r"/\*.*?\*/|(//[^\n]*\n)+", re.DOTALL)

FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"(`+)[^`](?:.|\n(?!\n))*?\1")
HEADING = re.compile(r"^#+ +(.*?)[ #]*$|<a (?:id|name)=\"([^\"]+)\"", re.MULTILINE)
LINK = re.compile(r"\]\(\s*<?([^)\s>]*)|^\[[^]]+\]: *<?([^\s>]+)", re.MULTILINE)
REFERENCE = re.compile(r"\]\[([^]]+)\]")
URL = re.compile(r"\b[a-z]+:[^\s)>]+")

COMMENTS = {
    (".c", ".h", ".cpp", ".cu", ".hlsl", ".hlsli", ".js", ".mjs"): r"/\*.*?\*/|//[^\n]*",
    (".py", ".sh", ".cmake", "CMakeLists.txt"): r"(?:^|(?<=\s))# [^\n]*",
    (".v",): r"\(\*.*?\*\)",
    (".md",): r".+",
}
# A file with one of these suffixes, or what is in a folder of the root. `*` stands for any characters.
PATH = (r"(?<![\w./{}$<>-])((?:[\w.*-]+/)*[\w*-][\w.*-]*\.(?:c|h|cpp|hlsli?|py|m?js|sh|cmake|v|md|cu)"
        r"|(?:%s)(?:/[\w*-]+)+)(?![\w/*{(<$]|\.\w|-\w)")
NO_FILE = re.compile(  # placeholders, what other projects have, what Emscripten makes
    r".*\b(NAME|FILE|FOLDER|SHADER)\b.*"
    r"|(DirectML|Python|Windows|cuda|d3dcommon|dxcapi|dxcore_interface|dxgi|vkd3d|winerror)\.h"
    r"|(fenv|getopt|math|pthread|strings|unistd)\.h|Node\.js|.*cumulative_sum\.https\.any\.js"
    r"|cumsum_core\.js")


def tracked(root):
    """The files that git tracks below root, or None without git or its folder."""
    if not (root / ".git").exists() or not shutil.which("git"):
        return None
    done = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=False)
    return [name.decode() for name in done.stdout.split(b"\0")[:-1]] or None


def walked(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not re.match(r"build|\.", name)]
        for name in names:
            yield str((Path(folder) / name).relative_to(root))


@cache
def listed(root):
    return [path for path in sorted(tracked(root) or walked(root)) if (root / path).is_file()]


@cache
def names(root):  # of all files and folders
    return {name for path in listed(root) for name in (path, *map(str, Path(path).parents))}


def files(root, suffixes):
    """The files whose names end so, as paths below root, with their text."""
    for path in listed(root):
        if path.endswith(suffixes):
            yield path, (root / path).read_text(encoding="utf-8")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(match):
    return re.sub(r"\S", " ", match[0])


def says_purpose(comment):
    """A few words at least; or where to find them, as in `See sum.h`."""
    return len(re.findall(r"\w+", comment)) >= FEWEST_WORDS or re.search(r"\bSee \w+\.h\b", comment)


def wrong_lines(root):
    for path, text in files(root, (".md",)):
        is_output = False
        for number, line in enumerate(text.splitlines(), 1):
            is_output = line != "```" and (is_output or line == "```console")
            if len(line) > LONGEST and not is_output and not UNBREAKABLE.fullmatch(line):
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
                    place = f"{path}:{line_of(text, found.start(1))}"
                    places.setdefault(found[1], {}).setdefault(path, place)
        for name, where in sorted(places.items()):
            if len(where) > 1 and not name.isupper():
                first, *others = where.values()
                yield f"{first}: {name} is the name of other functions too: {', '.join(others)}"


def anchors(text):
    """The anchors of a document, as GitHub makes them of its headings."""
    seen = Counter()
    for heading, name in HEADING.findall(FENCED.sub(blank, text)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w -]", "", plain).replace(" ", "-")
        yield name or (f"{slug}-{seen[slug]}" if seen[slug] else slug)
        seen[slug] += not name


def wrong_links(root):
    known = {path: set(anchors(text)) for path, text in files(root, (".md",))}
    for path, text in files(root, (".md",)):
        text = CODE.sub(blank, FENCED.sub(blank, text))
        labels = {label.lower() for label in re.findall(r"^\[([^]]+)\]:", text, re.MULTILINE)}
        for found in LINK.finditer(text):
            link = found[1] or found[2] or "()"
            name, _, anchor = link.partition("#")
            target = normpath(join(dirname(path), name)) if name else path
            lost = ("file" if target not in names(root) else
                    "heading" if anchor and anchor not in known.get(target, ()) else None)
            if lost and not URL.match(link):
                yield f"{path}:{line_of(text, found.start())}: {link} leads to no {lost}"
        for found in REFERENCE.finditer(text):
            if found[1].lower() not in labels:
                yield f"{path}:{line_of(text, found.start())}: [{found[1]}] is defined nowhere"


def wrong_paths(root):
    ends = {name.split("/", n)[-1] for name in names(root) for n in range(name.count("/") + 1)}
    folders = {re.escape(path.split("/")[0]) for path in listed(root) if "/" in path}
    pattern = re.compile(PATH % "|".join(folders))

    def exists(name):  # or CMake makes it
        return bool(ends & {name, f"{name}.in", f"{name}.c"}) or "*" in name and any(
            fnmatch(end, name) for end in ends)

    for suffixes, comments in COMMENTS.items():
        for path, text in files(root, suffixes):
            for comment in re.finditer(comments, text, re.DOTALL | re.MULTILINE):
                for found in pattern.finditer(URL.sub(blank, comment[0])):
                    name = re.sub(r"^(\.\.?/)+", "", found[1])
                    if path != "CHANGELOG.md" and not exists(name) and not NO_FILE.fullmatch(name):
                        line = line_of(text, comment.start() + found.start())
                        yield f"{path}:{line}: there is no {name}"


def wrong_numbers(root):
    for document, sentence, pattern, counted in NUMBERS:
        texts = [(root / path).read_text() for path in listed(root) if fnmatch(path, pattern)]
        count = sum(len(re.findall(counted, text)) for text in texts) if counted else len(texts)
        text = (root / document).read_text()
        found = re.search(sentence, text)
        if not found:
            yield f"{document}:1: has no sentence like '{sentence}' any more"
        elif found[1].replace(",", "") != str(count):
            yield f"{document}:{line_of(text, found.start(1))}: {found[1]} should be {count}"


CHECKS = {"lines": wrong_lines, "beginnings": wrong_beginnings, "names": wrong_names,
          "links": wrong_links, "paths": wrong_paths, "numbers": wrong_numbers}


def main(*arguments):
    chosen = [find for name, find in CHECKS.items() if arguments[:1] in ((name,), ("all",))]
    root = Path(*arguments[bool(chosen):] or [__file__, "../../.."]).resolve()
    problems = [problem for find in chosen or CHECKS.values() for problem in find(root)]
    for problem in problems:
        print(f"FAIL: {problem}")
    print(f"{len(problems)} wrong")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
