#!/bin/bash
# SPDX-License-Identifier: MIT
# sweep_device.sh CUMSUM DEVICE BENCH: tests `cumsum sweep` and cumsum_bench with --backend d3d12 on a
# stand-in device. DEVICE is a library whose device treats cases of 17 elements as CUMSUM_EXECUTIONS
# tells it.
set -u
bench=$(realpath "$3")
# shellcheck source=tests/cli/preloaded.sh
. "$(dirname "${BASH_SOURCE[0]}")/preloaded.sh"
export LD_PRELOAD=$library CUMSUM_EXECUTIONS_DONE=$work/count CUMSUM_EXECUTIONS
ulimit -c 0

# try STATUS EXECUTIONS ARGUMENTS...: sweeps three cases, which must exit with STATUS. EXECUTIONS
# concerns the second case. The output is in out, err and out.jsonl.
try() {
    local expected=$1 status
    CUMSUM_EXECUTIONS=$2
    shift 2
    rm -f count out.jsonl
    cumsum sweep --backend d3d12 --output out.jsonl "$@" "$names" >out 2>err
    status=$?
    [ $status -eq "$expected" ] || fail "$CUMSUM_EXECUTIONS $*: exit status $status, not $expected"
}

expect() {
    grep -qF -- "$1" out err out.jsonl || fail "$1 is missing from the output"
}

expect_last() {
    [ "$(tail -n 1 out)" = "$1" ] || fail "the last line is not: $1"
}

names='int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0'
second=${names/\{16,17,18\}/17}

try 0 r
expect_last "3 passed, 0 failed, 0 skipped"
expect '"backend":"d3d12","device":"Stand-in, driver 1.0","adapter":"Stand-in","driver":"1.0","cases"'
grep -q 'prints' out && fail "what a driver prints is no result"
expect "a driver that prints"

# A case that ends or blocks its process costs only itself.
try 1 a
expect "crash          $second  its process ended by signal 6"
expect_last "2 passed, 1 failed, 0 skipped"
expect '"states":{"pass":2,"fail":0,"not-supported":0,"crash":1,'
try 1 h --timeout 200
expect "timeout        $second  no answer within 1200 ms: its process was ended"
expect_last "2 passed, 1 failed, 0 skipped"
# For debuggers the cases stay in this process.
for CUMSUM_ISOLATE in '' never; do
    export CUMSUM_ISOLATE
    try 1 l
    expect "crash          $second  device removed"
    expect_last "2 passed, 1 failed, 0 skipped"
    try 1 t
    expect "timeout        $second"
    expect_last "2 passed, 1 failed, 0 skipped"
    try 1 l --jobs 3
    expect "crash          $second  device removed"
    expect_last "2 passed, 1 failed, 0 skipped"
done
CUMSUM_EXECUTIONS=a
rm -f count
cumsum sweep --backend d3d12 "$names" >out 2>err
[ $? -eq 134 ] || fail "without a process of its own, the case does not end the sweep"
unset CUMSUM_ISOLATE
try 1 h --timeout 200 --jobs 2
expect "timeout        $second  no answer within 1200 ms: its process was ended"
expect_last "2 passed, 1 failed, 0 skipped"

# Other bits in another run.
try 1 rrw --runs 4
expect "unstable       $second  2 different outputs in 4 runs: 1 of 17 elements differ, the first at [2]: 3 ("
expect "output 1, of 2 runs: the expected bits"
expect "output 2, of 2 runs: other bits, FAIL: "
expect "2 pass, 1 unstable"
expect_last "2 passed, 1 failed, 0 skipped"
grep -q "made small" out && fail "an unstable case cannot be made small"
expect '"accept":"bits","runs":4,'
expect '"state":"unstable","reason":"2 different outputs'
expect '"unstable":{"runs":4,"distinct":2,"differing":1,"first":{"coordinates":[2],"one":3,'
expect '"timeout":0,"unstable":1,'
cp out.jsonl unstable.jsonl
try 0 rrw --runs 4 --against unstable.jsonl
expect "known          $second  unstable"
cumsum compare unstable.jsonl --report junit.xml --report page.html >out 2>&1
[ $? -eq 1 ] || fail "unstable results are no failure"
grep -q '<failure message="unstable: 2 different outputs in 4 runs' junit.xml ||
    fail "no failure in JUnit"
grep -q '"state":"unstable","reason":"2 different outputs' page.html || fail "the page does not show it"
try 0 r --runs 4
try 1 w --runs 4
expect "fail           $second"
try 1 rra --runs 4
expect "crash          $second  run 3 of 4: its process ended by signal 6"
try 1 rrl --runs 4
expect "crash          $second  run 3 of 4: device removed"
# minimize takes a case that ends its process.
rm -f count
CUMSUM_EXECUTIONS=a cumsum minimize --backend d3d12 "$second" >out 2>err
[ $? -eq 1 ] || fail "minimize ends with its case"
expect "crash    its process ended by signal 6"

# If the device cannot be opened again, the sweep ends. It keeps its results and is incomplete.
try 3 x
expect "crash          $second  its process ended by signal 6"
expect "cumsum: backend d3d12: it has fallen off the bus"
expect_last "1 passed, 1 failed, 0 skipped"
[ "$(wc -l <out.jsonl)" -eq 3 ] || fail "there are not a header and two cases"
grep -qF '"event":"end"' out.jsonl && fail "it is not complete, and says so"
CUMSUM_EXECUTIONS=r
cumsum sweep --backend d3d12 --output out.jsonl --resume "$names" >out 2>err
[ $? -eq 1 ] || fail "what crashed is forgotten"
expect "2 of these by an earlier run"
expect_last "2 passed, 1 failed, 0 skipped"
expect '{"event":"end","cases":3,'

# cumsum_bench compares each output with the CPU's, also those in place.
for name in tiny-3x4 in-place; do
    CUMSUM_EXECUTIONS=r
    "$bench" --backend d3d12 --type int32 --order sequential $name >out 2>err ||
        fail "a right device is wrong"
    expect "1.00 ms    900.000   1100.000"
    CUMSUM_EXECUTIONS=w
    "$bench" --backend d3d12 --type int32 --order sequential $name >out 2>err
    [ $? -eq 1 ] || fail "a wrong device is measured"
    expect "not measured: WRONG: byte 9 differs from the CPU's"
done
echo "all as expected"
