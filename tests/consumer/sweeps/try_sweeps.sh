#!/bin/sh
# SPDX-License-Identifier: MIT
# try_sweeps.sh CMAKE CTEST SCRIPT CUMSUM WORK: the tests that cumsum_add_sweep() of SCRIPT makes run
# the whole list, also a second time, and those of a program that ends at once fail.
set -eu
cmake=$1 ctest=$2 script=$3 cumsum=$4 work=$5
cases='int32.wrap.{increasing,decreasing}.{inclusive,exclusive}.{5x8,9,17x3}.axis0.in-packed.out-packed.small-integers.seed{3..6}'
rm -rf "$work"

fail() {
    echo "FAIL: $*"
    cat "$work/said"
    exit 1
}

configure() {
    "$cmake" -S "${0%/*}" -B "$work" -D SCRIPT="$script" -D PROGRAM="$cumsum" -D CASES="$cases" \
        "$@" >said.$$ 2>&1 || status=$?
    mkdir -p "$work" && mv said.$$ "$work/said"
}

status=0
configure -D WRONG=
[ $status -eq 0 ] || fail "the project is not configured"
for run in 1 2; do
    "$ctest" --test-dir "$work" -j 2 >"$work/said" 2>&1 || fail "run $run fails"
    grep -q '100% tests passed, 0 tests failed out of 8' "$work/said" || fail "there are not 8 tests"
done
"$cumsum" generate --list "$cases" | sort >"$work/wanted"
for sweep in right again; do
    grep -ho '"name":"[^"]*"' "$work/$sweep".*.jsonl | cut -d'"' -f4 | sort | cmp - "$work/wanted" ||
        fail "$sweep: the cases are not those of the list"
    [ -s "$work/$sweep.html" ] || fail "$sweep: there is no page"
done

configure -D WRONG=false
"$ctest" --test-dir "$work" -R '^wrong' >"$work/said" 2>&1 && fail "a program that ends at once passes"
grep -q 'wrong\.1.*Failed' "$work/said" || fail "wrong.1 does not fail"

configure -D WRONG= -D CASES=
[ $status -ne 0 ] || fail "a sweep without a list is accepted"
grep -q 'LISTS must be given' "$work/said" || fail "it does not say that LISTS must be given"
echo "all as expected"
