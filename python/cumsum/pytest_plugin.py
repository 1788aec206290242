# SPDX-License-Identifier: MIT
"""A plugin of pytest. A failing assertion on a Judgement shows all of the verdict: pytest shortens
what it shows of an expression. And a test with the fixture `cumsum_group` becomes a test for each
group of cases of the suite:

    @pytest.mark.cumsum_sweep("quick", "--adapt", "--exec", "python3 plug.py")
    def test_my_scan(cumsum_group):
        cumsum_group.check()

pytest finds the plugin by the package's entry point.
"""

from __future__ import annotations

import traceback
from typing import Any, Generator, Iterator

import pytest

from ._judgement import Judgement, details


def _judgements(excinfo: pytest.ExceptionInfo[BaseException]) -> Iterator[Judgement]:
    """The judgements of the assertion: pytest keeps the parts of a failing assertion as local
    variables. The text of assert_cumsum()'s own exception has all of its judgement."""
    *_, (frame, _) = traceback.walk_tb(excinfo.tb)
    if str(frame.f_globals.get("__name__", "")).partition(".")[0] == "cumsum":
        return
    for value in frame.f_locals.values():
        if isinstance(value, Judgement) and not value:
            yield value


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "cumsum_sweep(list, *options): the cases of cumsum_group, and the options of `cumsum sweep`",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Makes a test for each group. Their names and sequence are the same in every process, as
    pytest-xdist needs it."""
    if "cumsum_group" not in metafunc.fixturenames:
        return
    from ._sweeps import SweepError, groups_of

    marker = metafunc.definition.get_closest_marker("cumsum_sweep")
    if marker is None or not marker.args:
        pytest.fail('cumsum_group needs a marker such as @pytest.mark.cumsum_sweep("quick")', False)
    try:
        groups = groups_of([marker.args[0]], marker.args[1:])
    except SweepError as error:
        pytest.fail(f"cumsum_sweep: {error}", False)
    metafunc.parametrize("cumsum_group", groups, ids=[group.name for group in groups])


@pytest.hookimpl(hookwrapper=True)  # type: ignore[misc]
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Adds the verdicts to the report of a failing test."""
    report = (yield).get_result()
    if call.excinfo is not None and call.excinfo.errisinstance(AssertionError):
        for text in dict.fromkeys(map(details, _judgements(call.excinfo))):
            report.sections.append(("cumsum's verdict", text))
