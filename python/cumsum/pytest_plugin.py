# SPDX-License-Identifier: MIT
"""A plugin of pytest: a failing assertion on a Judgement shows all of the verdict, since pytest
shortens what it shows of an expression. pytest finds the plugin by the package's entry point."""

from __future__ import annotations

import traceback
from typing import Any, Generator, Iterator

import pytest

from ._judgement import Judgement


def _judgements(excinfo: pytest.ExceptionInfo[BaseException]) -> Iterator[Judgement]:
    """The judgements of the assertion: pytest keeps the parts of a failing assertion as local
    variables. The text of assert_cumsum()'s own exception has all of its judgement."""
    *_, (frame, _) = traceback.walk_tb(excinfo.tb)
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "cumsum":
        return
    for value in frame.f_locals.values():
        if isinstance(value, Judgement) and not value:
            yield value


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Adds the verdicts to the report of a failing test."""
    report = (yield).get_result()
    if call.excinfo is not None and call.excinfo.errisinstance(AssertionError):
        for text in dict.fromkeys(found.report for found in _judgements(call.excinfo)):
            report.sections.append(("cumsum's verdict", text))
