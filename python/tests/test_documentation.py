# SPDX-License-Identifier: MIT
"""The examples of docs/python.md give the results that the page shows."""

import doctest
import pathlib

DOCS = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


def test_examples():
    result = doctest.testfile(str(DOCS), module_relative=False)
    assert result.attempted >= 5 and not result.failed
