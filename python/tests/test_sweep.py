# SPDX-License-Identifier: MIT
"""Shards of a sweep, and groups of cases as tests: what `cumsum sweep` gives."""

import json
import os
import pathlib
import subprocess
import sys

import cumsum
import pytest

from cumsum import _sweeps
from cumsum._find_program import find_program

TOOLS = pathlib.Path(cumsum.__file__).parents[2] / "tools"  # of the build tree
os.environ["PATH"] = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"
PROGRAM = find_program()
if PROGRAM is None or sys.byteorder != "little":
    pytest.skip(
        "this build has no program cumsum, or --exec needs a little-endian machine",
        allow_module_level=True,
    )

LIST = "float32.sequential.{increasing,decreasing}.inclusive.{3x4,4x37,9x513}.axis1.in-packed."
LIST += "out-packed.normal.seed{1,2}"
OTHER = "int32.wrap.increasing.{inclusive,exclusive}.{5x8,9}.axis0.in-packed.out-packed."
OTHER += "small-integers.seed{3..6}"
WRONG = """
import cumsum, numpy
def f(x, *, axis, exclusive, reverse):
    y = cumsum.cumsum(x, axis, exclusive=exclusive, reverse=reverse)
    return y if x.size < 100 or reverse else y + numpy.asarray(1, x.dtype)
cumsum.serve(f, name="wrong")
"""


def records_of(path):
    """What a results file says of the cases, without times."""
    records = [json.loads(line) for line in open(path, encoding="utf-8")]
    cases = [record for record in records if record["event"] == "case"]
    for case in cases:
        case.pop("microseconds", None)
    return sorted(cases, key=lambda case: case["name"]), records[-1]["states"]


def test_shards_and_costs_are_those_of_the_program(tmp_path):
    names = _sweeps.names_of([LIST, OTHER])
    assert len(names) == 28
    for shard in range(3):
        _sweeps.run(
            [PROGRAM, "sweep", "-q", "--shard", f"{shard + 1}/3", "--output"]
            + [str(tmp_path / f"{shard}"), LIST, OTHER]
        )
        ran = {case["name"] for case in records_of(tmp_path / f"{shard}")[0]}
        assert ran and ran == {name for name in names if _sweeps.shard_of(name, 3) == shard}
    costs = [_sweeps.cost_of(name) for name in sorted(names) if "normal" in name]
    assert set(costs) == {2000 + n for n in (12, 4 * 37, 9 * 513)}


def pytest_outcome(folder, text, *words):
    """What pytest says of a test file, and its exit status."""
    (folder / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout + done.stderr


GROUPS = """
import pytest
@pytest.mark.cumsum_sweep({0!r}, {1})
def test_scan(cumsum_group):
    cumsum_group.check()
"""


def test_groups_of_cases_are_tests(tmp_path):
    (tmp_path / "plug.py").write_text(WRONG)
    wrong = f'"--accept", "conformant", "--exec", "{sys.executable} plug.py"'
    status, said = pytest_outcome(tmp_path, GROUPS.format(LIST, '"--kernel", "portable"'))
    assert status == 0 and "2 passed" in said
    status, said = pytest_outcome(tmp_path, GROUPS.format(LIST, wrong))
    assert status == 1 and "1 failed, 1 passed" in said and "in-packed.out-packed.normal" in said
    assert "test_scan[float32.sequential.increasing.inclusive]" in said
    status, said = pytest_outcome(tmp_path, GROUPS.format("no-list", ""))
    assert status != 0 and "'no-list' is neither a case nor" in said
    status, said = pytest_outcome(tmp_path, GROUPS.format(LIST, '"--kernel", "none"'))
    assert status == 1 and "2 failed" in said and "'none' is not one of" in said
    status, said = pytest_outcome(tmp_path, "def test_scan(cumsum_group): pass")
    assert status != 0 and "cumsum_group needs a marker" in said


def test_groups_are_spread_by_xdist(tmp_path):
    pytest.importorskip("xdist", reason="pytest-xdist is missing (python3-pytest-xdist)")
    status, said = pytest_outcome(tmp_path, GROUPS.format(LIST, ""), "-n", "2")
    assert status == 0 and "2 passed" in said
