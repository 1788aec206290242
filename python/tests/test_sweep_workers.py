# SPDX-License-Identifier: MIT
"""Sweeps on dask's workers: what `cumsum sweep` gives, also if a worker is killed."""

import os
import signal
import sys
import threading
import time

import pytest

from cumsum import _sweeps
from test_sweep import LIST, OTHER, PROGRAM, WRONG, records_of


def swept(folder, *words):
    results = folder / "swept.jsonl"
    done = _sweeps.run([PROGRAM, "sweep", "-q", "--shard", "1/1", "--output", str(results), *words])
    return done.returncode, records_of(results)


@pytest.fixture(name="sweep")
def with_dask():
    """The main function, if dask is there."""
    pytest.importorskip("distributed", reason="distributed is missing (python3-distributed)")
    from cumsum import sweep

    return sweep


def test_results_are_those_of_one_sweep(tmp_path, sweep, capsys):
    plug = tmp_path / "plug.py"
    plug.write_text(WRONG)
    words = ["--exec", f"{sys.executable} {plug}", "--accept", "conformant"]
    status, wanted = swept(tmp_path, *words, LIST, OTHER)
    assert status == 1 and wanted[1]["fail"] == 4
    output, page = tmp_path / "results.jsonl", tmp_path / "page.html"
    given = ["--dask", "local:2", "--list", LIST, "--list", OTHER, "--shards", "5"]
    assert sweep.main([*given, "--output", str(output), "--html", str(page), *words]) == 1
    assert records_of(output) == wanted and page.stat().st_size > 10000
    assert "24 passed, 4 failed, 0 skipped" in capsys.readouterr().out


def test_a_worker_that_dies_loses_nothing(tmp_path, sweep):
    """Its shards are run again."""
    distributed = pytest.importorskip("distributed")
    status, wanted = swept(tmp_path, LIST, OTHER)
    slow = f"sleep 0.7; exec {PROGRAM} serve"
    output, killed = tmp_path / "results.jsonl", []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:

        def kill():
            with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
                for _ in range(2):
                    time.sleep(1.5)
                    alive = list(client.run(os.getpid).values())
                    if not output.exists() and alive:
                        os.kill(alive[0], signal.SIGKILL)
                        killed.append(alive[0])

        killer = threading.Thread(target=kill)
        killer.start()
        given = ["--dask", cluster.scheduler_address, "--list", LIST, "--list", OTHER]
        done = sweep.main([*given, "--shards", "9", "--output", str(output), "--exec", slow])
        killer.join()
    assert killed and status == done == 0
    assert records_of(output) == wanted


def test_what_is_refused(sweep, capsys):
    cases = [
        (["--dask", "tcp://127.0.0.1:9", "--wait", "1"], 3, "no scheduler answers"),
        (["--dask", "nowhere"], 3, "no such file, and no address such as tcp://host:8786"),
        (["--dask", "local:1", "--kernel", "none"], 2, "'none' is not one of auto, reference"),
        (["--dask", "local:1", "--list", "no-list"], 2, "'no-list' is neither a case nor"),
        (["--dask", "local:1", "--program", "/no/program"], 2, "/no/program: No such file"),
        (["--dask", "local:1", "--worker-program", "/no/program"], 3, "/no/program: No such file"),
    ]
    for words, status, reason in cases:
        assert sweep.main(["--list", LIST, "--shards", "2", *words]) == status
        said = capsys.readouterr().err
        assert reason in said and said.count("cumsum.sweep: ") == 1
    for words, reason in [
        (["--shard", "1/2"], "--shard: shards are tasks here"),
        (["--shards", "0"], "--shards is 0"),
    ]:
        with pytest.raises(SystemExit) as stop:
            sweep.main(["--dask", "local:1", "--list", LIST, *words])
        assert stop.value.code == 2 and reason in capsys.readouterr().err
