#!/bin/bash
# SPDX-License-Identifier: MIT
# try_farm.sh CUMSUM DEFECT: each example of this folder with the variables that its scheduler sets, on
# this machine: the parts together are the whole list, and the report says what one sweep would. With
# DEFECT, a library, the same of a backend that is wrong.
set -u
farm=$(realpath "${0%/*}")
CUMSUM=$(realpath "$1")
defect=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CUMSUM BACKEND="--backend cpu --kernel portable" LIST=some.list RESULTS
cat >some.list <<'LIST'
float32.sequential.{increasing,decreasing}.inclusive.{3x4,4x37}.axis1.in-packed.out-packed.normal.seed{1,2}
int32.wrap.increasing.{inclusive,exclusive}.{5x8,9,17x3}.axis0.in-packed.out-packed.small-integers.seed{3..6}
LIST

fail() {
    echo "FAIL: $*"
    cat said
    exit 1
}

# as STATUS VARIABLE=VALUE... COMMAND...: one part.
as() {
    local expected=$1 status=0
    shift
    env "$@" >said 2>&1 || status=$?
    [ $status -eq "$expected" ] || fail "$* exits $status, not $expected"
}

# The parts in RESULTS are the list, each case once, and nothing of them is missing.
check() {
    "$CUMSUM" merge "$RESULTS"/shard-*.jsonl --output merged.jsonl >said 2>&1
    [ $? -eq "$1" ] || fail "$RESULTS: merge does not exit with $1"
    grep -o '"name":"[^"]*"' merged.jsonl | cut -d'"' -f4 | sort | cmp - whole || fail "$RESULTS: not the list"
}

# $1: the exit status of a test whose part has failures; $2: of the whole.
run_all() {
    local i count
    RESULTS=gtest
    as "$2" sh "$farm/gtest_shards.sh" 3
    [ -s gtest/report.html ] || fail "there is no report"
    check "$2"

    RESULTS=slurm
    count=$(sed -n 's/^#SBATCH --array=1-//p' "$farm/slurm_array.sh")
    for i in $(seq "$count"); do
        as 0 FARM="$farm" SLURM_ARRAY_TASK_ID="$i" SLURM_ARRAY_TASK_COUNT="$count" \
            SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX="$count" SLURM_ARRAY_TASK_STEP=1 \
            bash "$farm/slurm_array.sh"
    done
    check "$2"

    # The manifest's own command, with the one path that is another here.
    RESULTS=kubernetes
    count=$(sed -n 's/^  completions: //p' "$farm/kubernetes_job.yaml")
    [ "$(sed -n '/name: JOB_COMPLETIONS/{n;s/.*value: "\(.*\)"/\1/p}' "$farm/kubernetes_job.yaml")" = "$count" ] ||
        fail "kubernetes_job.yaml: JOB_COMPLETIONS is not what completions is"
    local command
    command=$(sed -n 's/.*command: \["sh", "-c", "\(.*\)"\]/\1/p' "$farm/kubernetes_job.yaml")
    for ((i = 0; i < count; i++)); do
        as 0 JOB_COMPLETION_INDEX="$i" JOB_COMPLETIONS="$count" sh -c "${command//\/farm/$farm}"
    done
    check "$2"

    RESULTS=bazel
    count=$(sed -n 's/.*shard_count = \([0-9]*\),/\1/p' "$farm/BUILD.bazel")
    mkdir -p bazel
    local failed=0
    for ((i = 0; i < count; i++)); do
        rm -f status
        env -u RESULTS TEST_UNDECLARED_OUTPUTS_DIR="$PWD/bazel" TEST_SHARD_STATUS_FILE="$PWD/status" \
            TEST_SHARD_INDEX="$i" TEST_TOTAL_SHARDS="$count" sh "$farm/sweep_shard.sh" >said 2>&1 || failed=$?
        [ -e status ] || fail "the status file is not made"
    done
    [ $failed -eq "$1" ] || fail "the worst shard exits with $failed, not $1"
    check "$2"
}

"$CUMSUM" generate --list some.list | sort >whole || fail "there is no list"
: >said
run_all 0 0
# Again: everything is done already.
RESULTS=slurm as 0 FARM="$farm" SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 \
    SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=1 bash "$farm/slurm_array.sh"
grep -q 'by an earlier run' said || fail "a part that is done is done again"
as 2 -u RESULTS sh "$farm/sweep_shard.sh"
# Without a device a part has not done its work, and is not complete.
as 3 RESULTS=none BACKEND="--backend directml --adapter nobody's" GTEST_SHARD_INDEX=0 \
    GTEST_TOTAL_SHARDS=1 sh "$farm/sweep_shard.sh"
rm -r gtest slurm kubernetes bazel
export CUMSUM_DEFECT=carry LD_PRELOAD=$defect
run_all 1 1
echo "all as expected"
