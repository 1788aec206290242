#!/bin/bash
# SPDX-License-Identifier: MIT
# try_driver_ci.sh CUMSUM DEFECT: tests driver_ci.sh with a correct backend, and with a backend that
# loses a carry-out. DEFECT is the library that plants this defect.
set -u
job=$(realpath "${0%/*}")/driver_ci.sh
CUMSUM=$(realpath "$1")
defect=$(realpath "$2")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export CUMSUM BACKEND="--backend cpu:portable" LIST=some.list
cat >some.list <<'LIST'
float32.sequential.{increasing,decreasing}.inclusive.{3x4,4x37}.axis1.in-packed.out-packed.normal.seed{1,2}
int32.wrap.increasing.{inclusive,exclusive}.5x8.axis{0,1}.in-packed.out-packed.small-integers.seed3
LIST
echo int32.wrap.increasing.inclusive.5x8.axis0.in-packed.out-packed.small-integers.seed3 >one.list

# expect STATUS PATTERN ARGUMENT...: driver_ci.sh must exit with STATUS and write a line that
# matches PATTERN.
expect() {
    local expected=$1 pattern=$2 status=0
    shift 2
    sh "$job" "$@" >said 2>&1 || status=$?
    if [ "$status" -ne "$expected" ] || ! grep -qE -- "$pattern" said; then
        echo "FAIL: driver_ci.sh $* exits $status, not $expected, or has no line that matches $pattern:"
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
expect 0 'is complete' shard 1/2
sed -i '$d' results/shard-1-of-2.jsonl # as if it had been interrupted
expect 0 ' 0 failed' shard 1/2
test -s results/report.html -a -s results/junit.xml || { echo "FAIL: no report" && exit 1; }
rm results/shard-2-of-2.jsonl
expect 2 'of 2 shards, 2 is missing' report
expect 2 'of 2 shards, 2 is missing' accept
[ ! -e known.jsonl ] || { echo "FAIL: a part became the baseline" && exit 1; }
run_all ' 0 failed'
expect 0 'baseline' accept

# A driver that loses a carry-out is worse than the baseline, until it is the baseline.
export CUMSUM_DEFECT=carry LD_PRELOAD=$defect
run_all 'passed'
expect 1 '^5 passed, 7 failed, 0 skipped' report
grep -q '<failure' results/junit.xml || { echo "FAIL: no failure in junit.xml" && exit 1; }
expect 0 'baseline' accept
run_all ' 0 failed'
expect 0 '^5 passed, 0 failed, 7 skipped' report

# After the repair nothing is worse, and the failures would be new ones again.
unset LD_PRELOAD
run_all 'passed'
expect 0 '^12 passed, 0 failed, 0 skipped' report
expect 0 'baseline' accept
export LD_PRELOAD=$defect
run_all 'passed'
expect 1 '^5 passed, 7 failed, 0 skipped' report
unset LD_PRELOAD
rm known.jsonl

expect 2 'usage' shard
expect 2 "'3/2' is not I/N" shard 3/2

# A run without a result must not look like a success. A shard without cases is complete, but a
# shard without a device is not.
rm -rf results
for shard in 1 2 3 4 5 6 7 8; do
    LIST=one.list expect 0 ' 0 failed' shard $shard/8
done
expect 0 '^1 passed, 0 failed, 0 skipped$' report
rm -rf results
no_device="--backend directml:no-such-adapter"
BACKEND=$no_device expect 3 'nothing ran, and shard 1/2 is not complete' shard 1/2
expect 3 'cannot be opened' report
expect 3 'cannot be opened' accept
echo '{}' >known.jsonl
expect 2 'known.jsonl:1' shard 1/2
rm known.jsonl
CUMSUM=nowhere expect 3 "there is no program 'nowhere'" shard 1/2
RESULTS=some.list expect 3 "no folder 'some.list'" report
BACKEND='--backend nothing' expect 2 'nothing' shard 1/2
echo "all as expected"
