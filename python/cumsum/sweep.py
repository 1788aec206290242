# SPDX-License-Identifier: MIT
"""Sweeps over the conformance suite on the workers of dask.

    python3 -m cumsum.sweep --dask tcp://head:8786 --list mustpass --exec 'python3 plug.py'
    python3 -m cumsum.sweep --dask local:8 --list quick --exec ./my_scan --html report.html

Shards of the lists are tasks, the most expensive ones first; those of workers that die are run
again. `cumsum compare` joins the results of all, so the files and the page are those that `cumsum
sweep` writes, and so is the exit status.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import pathlib
import re
import sys
import tempfile
from typing import Any, Iterator

from ._sweeps import SweepError, cost_of, names_of, program, run, shard_of

# Tasks for each thread of the workers: with many of them the last ones end at about the same time.
_TASKS_OF_A_THREAD = 4

# How often a shard is run again because its program was killed, or its worker died.
_RETRIES = 3


class _Missing(Exception):
    """What this needs is not there: exit status 3."""


def _run_shard(words: list[str], path: str | None, shard: int, count: int) -> bytes | str:
    """Runs on a worker: the results of a shard, or what the program says of its arguments. What
    another attempt may help is raised."""
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder, "results.jsonl")
        where = ["--shard", f"{shard}/{count}", "--output", str(results)]
        done = run([program(path), "sweep", "--quiet", *where, *words])
        said = done.stderr.strip() or f"exit status {done.returncode}"
        if done.returncode == 2:
            return said
        if done.returncode < 0:
            raise SweepError(f"signal {-done.returncode} ended the program")
        if done.returncode not in (0, 1, 77) or not results.exists():
            raise SweepError(said)
        return results.read_bytes()


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as missing:
        raise _Missing(
            f"--dask needs distributed ({missing}); Debian has it in the package python3-distributed"
        ) from missing


@contextlib.contextmanager
def _client(scheduler: str, timeout: float) -> Iterator[Any]:
    """A client of a scheduler: local, local:N, an address, or a scheduler's file."""
    distributed = _distributed()
    local = re.fullmatch(r"local(?::([1-9]\d{0,3}))?", scheduler)
    with contextlib.ExitStack() as stack:
        if local:
            workers = int(local[1] or os.cpu_count() or 1)
            cluster = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
            )
            yield stack.enter_context(distributed.Client(stack.enter_context(cluster)))
            return
        is_file = os.path.isfile(scheduler)
        if not is_file and "://" not in scheduler:
            raise _Missing(
                f"--dask {scheduler}: no such file, and no address such as tcp://host:8786; "
                "local:N starts N processes on this machine"
            )
        where = {"scheduler_file": scheduler} if is_file else {"address": scheduler}
        try:
            yield stack.enter_context(distributed.Client(timeout=timeout, **where))
        except (OSError, ValueError) as error:
            raise _Missing(f"--dask {scheduler}: no scheduler answers: {error}") from error


def _threads(client: Any, scheduler: str, timeout: float) -> int:
    """Those of all workers, of which there must be one."""
    try:
        client.wait_for_workers(1, timeout=timeout)
    except Exception as error:  # the exception's type is dask's own, and changed
        raise _Missing(f"--dask {scheduler}: the scheduler has no workers") from error
    return sum(client.nthreads().values())


def _costs(names: list[str], count: int) -> list[int]:
    costs = [0] * count
    for name in names:
        costs[shard_of(name, count)] += cost_of(name)
    return costs


def _shards(
    client: Any, words: list[str], path: str | None, costs: list[int]
) -> Iterator[tuple[int, bytes | str | Exception]]:
    """The results of each shard, counted from 1, as they come, or why there are none."""
    futures = {
        client.submit(
            _run_shard,
            words,
            path,
            shard + 1,
            len(costs),
            pure=False,
            retries=_RETRIES,
            priority=costs[shard],
            key=f"cumsum-shard-{shard + 1}-of-{len(costs)}-{os.getpid()}",
        ): shard
        + 1
        for shard in sorted(range(len(costs)), key=lambda shard: -costs[shard])
    }
    for future in _distributed().as_completed(futures):
        error = future.exception()
        yield futures[future], future.result() if error is None else error
        future.release()


def _sweep(options: argparse.Namespace, words: list[str]) -> int:
    """Returns one of the exit statuses of the program."""
    names = names_of(options.list, options.program)
    names = sorted(set(names))
    failed: dict[int, str | Exception] = {}
    with tempfile.TemporaryDirectory() as folder:
        with _client(options.dask, options.wait) as client:
            threads = _threads(client, options.dask, options.wait)
            count = options.shards or max(min(_TASKS_OF_A_THREAD * threads, len(names)), 1)
            costs = _costs(names, count)
            done = 0
            for shard, result in _shards(
                client, [*words, *options.list], options.worker_program, costs
            ):
                if not isinstance(result, bytes):
                    failed[shard] = result
                    continue
                pathlib.Path(folder, f"shard-{shard}.jsonl").write_bytes(result)
                done += costs[shard - 1]
                if sys.stderr.isatty():
                    text = f"cumsum.sweep: {100 * done // sum(costs)} % of {len(names)} cases"
                    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        for line in _complaints(failed, count):
            print(f"cumsum.sweep: {line}", file=sys.stderr)
        files = sorted(map(str, pathlib.Path(folder).glob("shard-*.jsonl")))
        if not files:
            return 2 if all(isinstance(error, str) for error in failed.values()) else 3
        given = [(f"--{name}", getattr(options, name)) for name in ("html", "junit")]
        reports = [word for option, path in given if path for word in (option, path)]
        command = [program(options.program), "compare", *(["--allow-incomplete"] if failed else [])]
        if options.output:
            joined = run([*command, "--json", *files]).stdout.splitlines(keepends=True)
            pathlib.Path(options.output).write_text("".join(joined[:-1]))  # no summary
        merged = run([*command, *reports, *files])
    print(merged.stdout, end="")
    print(merged.stderr, end="", file=sys.stderr)
    return 3 if failed else merged.returncode


def _text(error: str | Exception) -> str:
    """dask's exceptions about workers that died have a text that is no sentence."""
    if type(error).__name__ == "KilledWorker":
        return "the workers that ran it died, one after the other"
    return str(error) or type(error).__name__


def _complaints(failed: dict[int, str | Exception], count: int) -> list[str]:
    texts = {shard: _text(error) for shard, error in sorted(failed.items())}
    if len(texts) == count and len(set(texts.values())) == 1:
        return list(set(texts.values()))
    return [f"shard {shard} of {count}: {text}" for shard, text in texts.items()]


def _arguments(arguments: list[str] | None) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        "cumsum.sweep",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="All other options are those of `cumsum sweep`, which the workers run.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--dask",
        metavar="SCHEDULER",
        required=True,
        help="an address (tcp://host:8786), a scheduler's file, or local[:N]: N processes here",
    )
    parser.add_argument(
        "--list",
        metavar="LIST",
        action="append",
        required=True,
        help="cases as `cumsum sweep` takes them; repeatable",
    )
    parser.add_argument("--shards", metavar="N", type=int, help="tasks (default: 4 for each thread)")
    parser.add_argument("--output", metavar="FILE", help="write the results here")
    parser.add_argument("--html", metavar="FILE", help="write a report for a browser")
    parser.add_argument("--junit", metavar="FILE", help="write a JUnit report")
    parser.add_argument("--program", metavar="FILE", help="the program here (default: in PATH)")
    parser.add_argument("--worker-program", metavar="FILE", help="the program of the workers")
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=float,
        default=30.0,
        help="for the scheduler and its first worker (default 30)",
    )
    options, words = parser.parse_known_args(arguments)
    if options.shards is not None and not 0 < options.shards < 2**16:
        parser.error(f"--shards is {options.shards}, and must be from 1 to 65535")
    for word in words:
        if word.partition("=")[0] in ("--shard", "--resume", "--write-baseline", "--json"):
            parser.error(f"{word.partition('=')[0]}: shards are tasks here; see --output")
    return options, words


def main(arguments: list[str] | None = None) -> int:
    """Returns one of the exit statuses of the program `cumsum`."""
    options, words = _arguments(arguments)
    try:
        return _sweep(options, words)
    except _Missing as missing:
        print(f"cumsum.sweep: {missing}", file=sys.stderr)
        return 3
    except SweepError as error:
        print(f"cumsum.sweep: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
