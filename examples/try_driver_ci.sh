#!/bin/bash
# SPDX-License-Identifier: MIT
# try_driver_ci.sh CUMSUM DEFECT: driver_ci.sh with a backend that is right, and with one into which
# DEFECT, a library, plants a carry that gets lost.
set -u
job=$(realpath "${0%/*}")/driver_ci.sh
CUMSUM=$(realpath "$1")
defect=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CUMSUM BACKEND="--backend cpu --kernel portable" LIST=some.list
cat >some.list <<'LIST'
float32.sequential.{increasing,decreasing}.inclusive.{3x4,4x37}.axis1.in-packed.out-packed.normal.seed{1,2}
int32.wrap.increasing.{inclusive,exclusive}.5x8.axis{0,1}.in-packed.out-packed.small-integers.seed3
LIST
echo int32.wrap.increasing.inclusive.5x8.axis0.in-packed.out-packed.small-integers.seed3 >one.list

# expect STATUS PATTERN ARGUMENT...: what driver_ci.sh exits with, and a line that it writes.
expect() {
    local expected=$1 pattern=$2 status=0
    shift 2
    sh "$job" "$@" >said 2>&1 || status=$?
    if [ "$status" -ne "$expected" ] || ! grep -qE -- "$pattern" said; then
        echo "FAIL: driver_ci.sh $* exits $status, not $expected, or says nothing like $pattern:"
        cat said
        exit 1
    fi
}

run_all() {
    rm -rf results
    expect 0 "$1" shard 1/2
    expect 0 'passed' shard 2/2
}

run_all ' 0 failed'
expect 0 '^12 passed, 0 failed, 0 skipped$' report
expect 0 'by an earlier run' shard 1/2
test -s results/report.html -a -s results/junit.xml || { echo "FAIL: no report" && exit 1; }
rm results/shard-2-of-2.jsonl
expect 2 'of 2 shards, 2 is missing' report

# A driver that loses a carry: it fails, until its failures are known.
export CUMSUM_DEFECT=carry LD_PRELOAD=$defect
run_all 'passed'
expect 1 '^5 passed, 7 failed, 0 skipped$' report
grep -q '<failure' results/junit.xml || { echo "FAIL: no failure in junit.xml" && exit 1; }
expect 0 '^5 passed, 7 failed, 0 skipped$' accept
run_all ' 0 failed'
expect 0 '^5 passed, 0 failed, 7 skipped$' report

# Repaired: the baseline no longer holds, and becomes empty.
unset LD_PRELOAD
run_all 'passed'
expect 1 '^5 passed, 7 failed, 0 skipped$' report
expect 0 ' 0 failed' accept
run_all ' 0 failed'
expect 0 '^12 passed, 0 failed, 0 skipped$' report

expect 2 'usage' shard
expect 2 "'3/2' is not I/N" shard 3/2

# What is no result must not look like one: a part without a case is complete, and one without a
# device is not.
rm -rf results
for part in 1 2 3 4 5 6 7 8; do
    LIST=one.list expect 0 ' 0 failed' shard $part/8
done
expect 0 '^1 passed, 0 failed, 0 skipped$' report
rm -rf results
no_device="--backend directml --adapter nobody's"
BACKEND=$no_device expect 3 'nothing ran, and part 1/2 is not complete' shard 1/2
expect 3 'cannot be opened' report
echo 'fail some.case' >known-failures.txt
BACKEND=$no_device expect 3 'known-failures.txt is as it was' accept
grep -qx 'fail some.case' known-failures.txt || { echo "FAIL: no baseline is left" && exit 1; }
CUMSUM=nowhere expect 3 "there is no program 'nowhere'" shard 1/2
RESULTS=some.list expect 3 "no folder 'some.list'" report
BASELINE=no/such/file expect 3 "no file 'no/such/file'" accept
BACKEND='--backend nothing' expect 2 'nothing' shard 1/2
echo "all as expected"
