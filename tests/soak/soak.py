#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""soak.py CUMSUM: sweeps random cases on every kernel of this machine, for as long as it is told.

A failure is printed with the seed that makes its cases again. The exit status is 0 if all cases
passed, 1 if a case failed, and 2 if the tool ended in any other way."""
import argparse
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import time

from random_names import names


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cumsum", help="the program")
    parser.add_argument("--seed", type=int, default=1, help="the first seed; each round has the next")
    parser.add_argument("--names", type=int, default=4000, help="cases in a round")
    parser.add_argument("--rounds", type=int, help="the number of rounds")
    parser.add_argument("--minutes", type=float, help="minutes after which no sweep starts")
    parser.add_argument("--backend", help="sweep this backend; otherwise every kernel of the CPU")
    given = parser.parse_args()
    if not shutil.which(given.cumsum):
        parser.error(f"there is no program {given.cumsum}")
    return given


def variants(cumsum, backend):
    """The options of each sweep in a round."""
    if backend:
        return [["--backend", backend]]
    info = json.loads(subprocess.run([cumsum, "info", "--json"], check=True, stdout=subprocess.PIPE).stdout)
    kernels = [kernel["name"] for kernel in info["kernels"] if kernel["available"]]
    threads = itertools.cycle(["1", "2", "3"])
    return [["--backend", f"cpu:{kernel},threads={next(threads)}"] for kernel in kernels if kernel != "reference"]


def sweep(cumsum, seed, count, options):
    """How many cases passed; ends the program if one did not."""
    with tempfile.NamedTemporaryFile("w", suffix=".list") as listed:
        listed.write("\n".join(names(seed, count)) + "\n")
        listed.flush()
        done = subprocess.run([cumsum, "sweep", "-q", listed.name, *options], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    last = done.stdout.splitlines()[-1] if done.stdout else "nothing"
    print(f"seed {seed}, {' '.join(options)}: {last}", flush=True)
    if done.returncode != 0:
        print(done.stdout)
        print(f"exit status {done.returncode}; again with: --seed {seed} --names {count} --rounds 1")
        sys.exit(1 if done.returncode == 1 else 2)
    return int(last.split()[0])


def main():
    given = arguments()
    started = time.monotonic()
    passed, seed = 0, given.seed
    for seed in itertools.count(given.seed):
        for options in variants(given.cumsum, given.backend):
            passed += sweep(given.cumsum, seed, given.names, options)
        minutes = (time.monotonic() - started) / 60
        if given.rounds and seed + 1 - given.seed >= given.rounds:
            break
        if given.minutes and minutes >= given.minutes:
            break
    print(f"seeds {given.seed} to {seed}: {passed} executions, all passed, in {minutes:.0f} minutes")


if __name__ == "__main__":
    main()
