# SPDX-License-Identifier: MIT
"""The commands that run without enough memory or room for files: each command of the program, on
small inputs. Not info, whose memory is that of the drivers of GPUs."""

from dataclasses import dataclass, field

CASE = "int32.wrap.decreasing.inclusive.{1..4}.axis0.in-packed.out-packed.ones.seed0"
FLOATS = "float32.sequential.increasing.inclusive.2x9.axis1.in-packed.out-packed.normal.seed1"


@dataclass
class Scenario:
    """A command line, the files that it finds, and the files that it may write."""
    name: str
    arguments: list
    status: int = 0
    files: list = field(default_factory=list)  # of tests/cli/data
    before: list = field(default_factory=list)  # command lines, without faults
    outputs: list = field(default_factory=list)  # files that it may write
    replaced: bool = False  # they exist before
    log: bool = False  # the output grows line by line
    timed: bool = False  # numbers differ from run to run
    memory: int = 1  # 3: every third allocation is tried, because there are thousands
    reports: bool = False  # the output may report the failure
    explains: bool = False  # the output has explanations of failures
    defect: str = ""  # planted into the kernels: minimize needs a failure


def scenarios():
    """All of them."""
    write = ["y.npy", "y.bin", "square.npy", "flat.npy"]
    sweep = ["sweep", "-q", CASE, FLOATS]
    shard = ["sweep", "-q", CASE, "--output"]
    return [
        Scenario("run", ["run", "print.json"], files=["print.json"]),
        Scenario("run-json", ["run", "--json", "small.json"], files=["small.json"]),
        Scenario("run-write", ["run", "write.json"], files=["write.json"], outputs=write,
                 replaced=True),
        Scenario("run-array", ["run", "int32-2x3.npy", "--axis", "1", "--output", "o.npy"],
                 files=["int32-2x3.npy"], outputs=["o.npy"]),
        Scenario("verify", ["verify", "small.json", "mismatch.json"], status=1,
                 files=["small.json", "mismatch.json"]),
        Scenario("verify-kernels", ["verify", "--backend", "cpu:all,threads=2", "small.json"],
                 files=["small.json"]),
        Scenario("verify-junit", ["verify", "--report", "j.xml", "small.json"], timed=True,
                 files=["small.json"], outputs=["j.xml"], replaced=True, reports=True),
        Scenario("judge", ["judge", "-v", "small.json", "dropped-term.json"], status=1, explains=True,
                 files=["small.json", "dropped-term.json"]),
        Scenario("judge-actual", ["judge", "small.json", "--actual", "y=small-y.npy"],
                 files=["small.json", "small-y.npy"]),
        Scenario("sweep-file", ["sweep", "-q", "small.json"], timed=True, files=["small.json"]),
        Scenario("descriptors", ["descriptors", "recorded.jsonl", "flags.jsonl"], status=1,
                 files=["recorded.jsonl", "flags.jsonl"]),
        Scenario("generate", ["generate", "--output", "new", CASE],
                 outputs=[f"new/{CASE.replace('{1..4}', str(i))}.json" for i in (1, 2, 3, 4)]),
        Scenario("generate-list", ["generate", "--list", CASE]),
        Scenario("sweep", sweep + ["--output", "r.jsonl"], outputs=["r.jsonl"], log=True, timed=True),
        Scenario("sweep-reports", sweep + ["--report", "j.xml", "--report", "r.html"], timed=True,
                 outputs=["j.xml", "r.html"], replaced=True, reports=True),
        Scenario("sweep-against", sweep + ["--against", "b", "--output", "n"], log=True, timed=True,
                 before=[sweep + ["--output", "b"]], outputs=["n"]),
        Scenario("sweep-isolated", sweep + ["--timeout", "60000", "--output", "r.jsonl"],
                 outputs=["r.jsonl"], log=True, timed=True),
        Scenario("sweep-runs", sweep + ["--runs", "3", "--output", "r.jsonl"], outputs=["r.jsonl"],
                 log=True, timed=True),
        Scenario("compare-shards", ["compare", "1.jsonl", "2.jsonl", "--report", "r.html"],
                 before=[shard + ["1.jsonl", "--shard", "1/2"], shard + ["2.jsonl", "--shard", "2/2"]],
                 outputs=["r.html"], replaced=True),
        Scenario("compare-junit", ["compare", "every-state.jsonl", "--report", "j.xml"], status=1,
                 files=["every-state.jsonl"], outputs=["j.xml"], reports=True),
        Scenario("minimize", ["minimize", FLOATS, "--output", "small", "--backend", "cpu:portable"],
                 status=1, outputs=["small/*.minimal.json"], defect="carry", memory=25),
        Scenario("fingerprint", ["fingerprint", "--length", "8"], memory=20),
    ]
