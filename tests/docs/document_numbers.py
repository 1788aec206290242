# SPDX-License-Identifier: MIT
"""The numbers of documents that check_text.py checks: a document, the sentence with the number, and what
there are so many of: files, or places in files that match an expression.
"""

GOLDEN = "tests/golden/README.md"
DISPATCH = r'"type": "dispatch"'
LINE = r"(?m)^."
DESCRIPTORS = "tests/golden/directml/descriptors.jsonl"

NUMBERS = (
    (GOLDEN, r"`documentation/` \| (\S+) case files", "tests/golden/documentation/*.json", None),
    (GOLDEN, r"`documentation/` .* (\S+) dispatches", "tests/golden/documentation/*.json", DISPATCH),
    (GOLDEN, r"`directml/` \| (\S+) case files", "tests/golden/directml/*.json", None),
    (GOLDEN, r"`directml/` .* (\S+) dispatches", "tests/golden/directml/*.json", DISPATCH),
    (GOLDEN, r"`directml/` .* (\S+) descriptors", DESCRIPTORS, LINE),
    (GOLDEN, r"`layouts-00` to `-09`, (\S+) dispatches", "tests/golden/directml/layouts-*", DISPATCH),
    (GOLDEN, r"`float16-nearest-\S+ to \S+ (\S+) dispatches", "tests/golden/*/float16-nearest-*", DISPATCH),
    (GOLDEN, r"`float16-half-\S+ \S+ (\S+) dispatches", "tests/golden/*/float16-half-*", DISPATCH),
    (GOLDEN, r"`descriptors.jsonl`: (\S+) descriptors", DESCRIPTORS, LINE),
    ("README.md", r"(\S+) of\s+the cases are in", "tests/golden/directml/*.json", DISPATCH),
    ("README.md", r"(\S+) of them in `tests/golden`", DESCRIPTORS, LINE),
    ("docs/numerics.md", r"(\S+) of those cases are in", "tests/golden/directml/*.json", DISPATCH),
    ("docs/validation.md", r"(\S+) of which are in", DESCRIPTORS, LINE),
    ("docs/shaders.md", r"All (\S+) golden dispatches", "tests/golden/*/*.json", DISPATCH),
    ("docs/devices.md", r"all (\S+) golden dispatches", "tests/golden/*/*.json", DISPATCH),
)
