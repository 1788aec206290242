#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_pytest.py FILE...: pytest, with exit status 77 where all was skipped, and the reasons shown."""

import sys

import pytest


class Outcomes:
    """What became of the tests, and of files that were skipped as a whole."""

    def __init__(self):
        self.passed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        self.passed += report.when == "call" and report.passed
        self.skipped += report.skipped

    def pytest_collectreport(self, report):
        self.skipped += report.skipped


def main():
    outcomes = Outcomes()
    status = pytest.main(["-q", "-rs", "-p", "no:cacheprovider", *sys.argv[1:]], [outcomes])
    nothing = status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    return 77 if nothing and outcomes.skipped and not outcomes.passed else int(status)


if __name__ == "__main__":
    sys.exit(main())
