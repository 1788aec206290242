#!/bin/bash
# SPDX-License-Identifier: MIT
# try_farm.sh CUMSUM DEFECT: runs each example of this folder on this machine, with the variables
# that its scheduler sets. The shards together must be the whole list, and merge must exit as one
# sweep would. Repeats this with a wrong backend: DEFECT is the library that plants a defect.
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

# as STATUS VARIABLE=VALUE... COMMAND...: runs one shard, which must exit with STATUS.
as() {
    local expected=$1 status=0
    shift
    env "$@" >said 2>&1 || status=$?
    [ $status -eq "$expected" ] || fail "$* exits $status, not $expected"
}

# check STATUS: the shards in RESULTS must be complete and have each case of the list once, and
# merge must exit with STATUS.
check() {
    "$CUMSUM" merge "$RESULTS"/shard-*.jsonl --output merged.jsonl >said 2>&1
    [ $? -eq "$1" ] || fail "$RESULTS: merge does not exit with $1"
    grep -o '"name":"[^"]*"' merged.jsonl | cut -d'"' -f4 | sort | cmp - whole || fail "$RESULTS: the cases are not those of the list"
}

# run_all WORST STATUS: WORST is the exit status of the worst shard under Bazel, STATUS that of the
# whole sweep.
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

    # The manifest's own command, with the path of this folder in place of /farm.
    RESULTS=kubernetes
    count=$(sed -n 's/^  completions: //p' "$farm/kubernetes_job.yaml")
    [ "$(sed -n '/name: JOB_COMPLETIONS/{n;s/.*value: "\(.*\)"/\1/p}' "$farm/kubernetes_job.yaml")" = "$count" ] ||
        fail "kubernetes_job.yaml: JOB_COMPLETIONS differs from completions"
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
        [ -e status ] || fail "there is no status file"
    done
    [ $failed -eq "$1" ] || fail "the worst shard exits with $failed, not $1"
    check "$2"
}

"$CUMSUM" generate --list some.list | sort >whole || fail "there is no list"
: >said
run_all 0 0
# A second run has nothing left to do.
RESULTS=slurm as 0 FARM="$farm" SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 \
    SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_STEP=1 bash "$farm/slurm_array.sh"
grep -q 'by an earlier run' said || fail "a complete shard runs its cases again"
as 2 -u RESULTS sh "$farm/sweep_shard.sh"
# Without a device a shard is not complete.
as 3 RESULTS=none BACKEND="--backend directml --adapter no-such-adapter" GTEST_SHARD_INDEX=0 \
    GTEST_TOTAL_SHARDS=1 sh "$farm/sweep_shard.sh"
rm -r gtest slurm kubernetes bazel
export CUMSUM_DEFECT=carry LD_PRELOAD=$defect
run_all 1 1
echo "all as expected"
