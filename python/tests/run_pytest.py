#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_pytest.py FILE...: runs pytest, and exits with 77 if it skipped everything.

It shows the reasons of skipped tests."""

import sys

import pytest


class Outcomes:
    """Counts passed and skipped tests, and files that were skipped as a whole."""

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
