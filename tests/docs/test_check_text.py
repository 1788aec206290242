# SPDX-License-Identifier: MIT
"""test_check_text.py FOLDER: check_text.py finds the planted faults of a small tree, and nothing else."""

import shutil
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import check_text

BEGIN = "/* SPDX-License-Identifier: MIT */\n"
ADD = "static int add(int a, int b);\n"
LONG = "0" * 120
TREE = {
    "docs/page.md": f"""# A page: of `two_words`
[a link](page.md#a-page-of-two_words) [in two
lines](../src) [first](#twice) [second](#twice-1) [other][label] <a id="here"></a> [it](#here)
[far](https://example.org/none.md#none) `[code](none.svg)` sum.c s*.c src/cpu NAME.c
## Twice
## Twice
- `{LONG}`
```console
# In code
[code](none.svg) {LONG}
```
[label]: ../src/cpu/sum.c
""",
    "docs/wrong.md": f"""[a](none.svg) [b](page.md#none) [c](page.md#in-code) [d](../../page.md)
[e][nowhere] {LONG}
There are 2 pages. See src/none.
""",
    "build/page.md": LONG + " words",
    "src/cpu/sum.c": BEGIN + "/* Adds two numbers for others. */\n" + ADD,
    "src/oracle/more.c": BEGIN + "/* See sum.h. */\n" + ADD,
    "src/cpu/plan.h": BEGIN + "/* Plans of sums, for their users alone. */\n",
    "tools/cli/CMakeLists.txt": "tool_layer(cli SOURCES run.c SEES util)\n",
    "tools/cli/run.c": BEGIN + '/* Runs what the user asks for. */\n#include "text.h"\n#include "plan.h"\n',
    "tools/util/CMakeLists.txt": "tool_layer(util SOURCES text.c)\n",
    "tools/util/text.h": BEGIN + "/* Texts that grow as they are written. */\n",
    "src/sum.h": BEGIN + "#ifndef SUM_H\n#define SUM_H\n/* Adds numbers; see none.mjs. */\n#endif\n",
    "tests/bare.c": "/* A file that lacks its license, and says so. */\n",
    "tools/mute.c": BEGIN + "/* Sums. */\n"}
FOUND = f"""docs/wrong.md:2: 133 characters; a line has at most 100
tests/bare.c:1: does not begin with {BEGIN.strip()}
tools/mute.c:2: no comment says what this file is for
src/cpu/sum.c:3: add is the name of other functions too: src/oracle/more.c:3
tools/cli/run.c:4: tools/cli does not see plan.h of src/cpu
docs/wrong.md:1: none.svg leads to no file
docs/wrong.md:1: page.md#none leads to no heading
docs/wrong.md:1: page.md#in-code leads to no heading
docs/wrong.md:1: ../../page.md leads to no file
docs/wrong.md:2: [nowhere] is defined nowhere
src/sum.h:4: there is no none.mjs
docs/wrong.md:3: there is no src/none
docs/wrong.md:3: 2 should be 1
docs/page.md:1: has no sentence like 'There are' any more""".splitlines()

shutil.rmtree(sys.argv[1], ignore_errors=True)
for name, text in TREE.items():
    Path(sys.argv[1], name).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1], name).write_text(text)
check_text.NUMBERS = (("docs/wrong.md", r"There are (\d+) pages", "src/sum*.h", None),
                      ("docs/page.md", "There are", "src/*.h", None))
with redirect_stdout(StringIO()) as said:
    status = check_text.main(sys.argv[1])
found = [line.removeprefix("FAIL: ") for line in said.getvalue().splitlines()[:-1]]
for line in sorted({*FOUND} ^ {*found}):
    print("FAIL:", "missing:" if line in FOUND else "not expected:", line)
sys.exit(not status or found != FOUND)
