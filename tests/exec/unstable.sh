#!/bin/bash
# SPDX-License-Identifier: MIT
# unstable.sh CUMSUM PLUG - SCRATCH: cases whose bits depend on the run, on a counter or on other
# processes, of which each output is right, are found with --runs, with --jobs or without. What is stable is
# never called unstable. Beside this, what sweep and minimize say of failures that options explain.
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"
failed=0
names='float32.sequential.increasing.{inclusive,exclusive}.{2,3}x64.axis1.in-packed.{out-packed,out-72x1}.normal.seed{1..3}'

# try STATUS LAST_LINE OPTION...: sweeps the cases above.
try() {
    local expected=$1 last=$2 status
    shift 2
    rm -f results.jsonl
    "$cumsum" sweep --accept conformant --verbose --output results.jsonl "$@" "$names" >out 2>&1
    status=$?
    if grep -q '^SKIP' out; then
        cat out
        exit 77
    fi
    rm -f lock met
    if [ $status -ne "$expected" ] || [ "$(tail -n 1 out)" != "$last" ]; then
        echo "cumsum sweep $*: exit status $status, expected $expected and '$last'"
        tail -n 20 out
        failed=1
    fi
}

expect() {
    if ! grep -qF -- "$1" out results.jsonl; then
        echo "$1 is missing from the output"
        head -n 20 out
        failed=1
    fi
}

good="24 passed, 0 failed, 0 skipped"
bad="0 passed, 24 failed, 0 skipped"
for options in "" "--runs 4" "--jobs 3" "--jobs 3 --runs 4" "--jobs 2 --runs 5"; do
    # shellcheck disable=SC2086
    try 0 "$good" --exec './plug stable' $options
done
grep -q unstable out && { echo "what is stable is called unstable"; failed=1; }

# The first run of each case is right, and so is every other.
try 0 "$good" --exec './plug counter'
for options in "--runs 2" "--runs 4 --jobs 3" "--runs 5"; do
    # shellcheck disable=SC2086
    try 1 "$bad" --exec './plug counter' $options
done
expect "24 unstable"
expect "2 different outputs in 5 runs: "
expect "other bits, PASS: worst output "
grep -q 'promise' out && { echo "it has promised nothing"; failed=1; }
try 1 "$bad" --exec './plug counter promises' --runs 2
expect "; it promises the same bits in every run"
expect '"promised":true'

# In one line only.
try 1 "$bad" --exec './plug line' --runs 6
expect "the first at [1,"
grep -q 'the first at \[[02]' out && { echo "it is not in one line only"; failed=1; }

# Only beside another process: each alone is stable.
export CUMSUM_LOCK=$PWD/lock
try 0 "$good" --exec './plug race' --runs 4
export CUMSUM_MEET=$PWD/met
names='float32.sequential.increasing.inclusive.2x64.axis1.in-packed.out-packed.normal.seed1'
try 1 "0 passed, 1 failed, 0 skipped" --exec './plug race' --jobs 3 --runs 6
expect "1 unstable"

# What failures have to do with options, and with what the process leaves unsaid.
flush='float32.sequential-flush.increasing.inclusive.4x17.axis1.in-packed.out-packed.subnormal.seed{1,2}'
"$cumsum" sweep --exec './plug stable' "$flush" >out 2>&1
expect "all 2 failures: FLOAT32, subnormals flushed. If READY says \`denormals\`, "
"$cumsum" sweep --exec './plug counter' "$names" "${names%1}2" >out 2>&1
expect "the failure: conformant. --accept conformant takes them"
"$cumsum" sweep --exec './plug stable' "$names" >out 2>&1
grep -q 'failure' out && { echo "a hint without a failure"; failed=1; }

# minimize: a case that fails now and then is tried several times, and still fails in the end.
"$cumsum" minimize --exec './plug counter' "$names" >out 2>&1
status=$?
[ $status -eq 1 ] || { echo "minimize: exit status $status"; failed=1; }
expect "unstable fails 4 of 8 times: each try is up to 8 runs"
grep -q '^fail ' out || { echo "minimize ends with a case that does not fail"; cat out; failed=1; }

# Each run has other bits, of which a few outputs are kept; the same NaN by other bits is one output;
# and what happens in one run only.
names='float32.sequential.increasing.inclusive.2x64.axis1.in-packed.out-72x1.normal.seed1'
for manner in "bits:10 different outputs in 10 runs: 2 of 128 elements differ, the first at [0,7]: " \
    "bits:\"distinct\":10,\"differing\":2," 'nan:"state":"fail","outputs":128,"differing":2,' \
    "gap:in 1 of 10 runs: 3 bytes that belong to no element were written" \
    "lost:run 3 of 10: its process ended with exit status 5"; do
    try 1 "0 passed, 1 failed, 0 skipped" --exec "./plug ${manner%%:*}" --runs 10
    expect "${manner#*:}"
done

exit $failed
