# SPDX-License-Identifier: MIT
"""A plugin of pytest: a failing assertion on a Judgement shows all of the verdict.

pytest shortens what it shows of an expression. It finds the plugin by the package's entry point.
"""

from __future__ import annotations

import traceback
from typing import Any, Generator, Iterator

import pytest

from ._judgement import Judgement


def _section(judgement: Judgement) -> str:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in judgement.counts.items())
    found = {"first": judgement.first, "worst": judgement.worst}
    if found["first"] == found["worst"]:
        del found["first"]
    return "\n".join(
        [
            f"{'PASS' if judgement else 'FAIL'}: {judgement.outputs} outputs: {counts}",
            f"class {judgement.error_class}, h={judgement.h:.3g}",
            *(f"{name} {finding}" for name, finding in found.items() if finding),
        ]
    )


def _judgements(excinfo: pytest.ExceptionInfo[BaseException]) -> Iterator[Judgement]:
    """The judgements of the assertion: pytest keeps the parts of a failing assertion as local
    variables, and assert_cumsum() has its own. pytest's own list lacks the latter's frame."""
    *_, (frame, _) = traceback.walk_tb(excinfo.tb)
    ours = str(frame.f_globals.get("__name__", "")).partition(".")[0] == "cumsum"
    for value in frame.f_locals.values():
        if isinstance(value, Judgement) and (ours or not value):
            yield value


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Adds the verdicts to the report of a failing test."""
    report = (yield).get_result()
    if call.excinfo is not None and call.excinfo.errisinstance(AssertionError):
        for text in dict.fromkeys(map(_section, _judgements(call.excinfo))):
            report.sections.append(("cumsum's verdict", text))
