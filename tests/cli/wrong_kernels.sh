#!/bin/bash
# SPDX-License-Identifier: MIT
# wrong_kernels.sh CUMSUM LIBRARY: `cumsum sweep`, `compare` and `minimize` on wrong kernels. LIBRARY
# makes them wrong as CUMSUM_DEFECT says (planted_defect.c).
set -u
# shellcheck source=tests/cli/data/page_records.sh
. "$(dirname "$0")/data/page_records.sh"
# shellcheck source=tests/cli/preloaded.sh
. "$(dirname "${BASH_SOURCE[0]}")/preloaded.sh"
export LD_PRELOAD=$library CUMSUM_DEFECT=none
ulimit -c 0

# try STATUS ARGUMENTS...: runs cumsum, which must exit with STATUS. It fills out and err.
try() {
    local expected=$1 status
    shift
    [ "$1" != sweep ] || [[ "$*" == *--resume* ]] || rm -f out.jsonl
    cumsum "$@" >out 2>err
    status=$?
    [ $status -eq "$expected" ] || fail "cumsum $* exits $status, not $expected"
}

expect() { # expect TEXT [FILE...]
    local text=$1
    shift
    grep -qF -- "$text" "${@:-out}" || fail "$text is missing from ${*:-the output}"
}

expect_last() {
    [ "$(tail -n 1 out)" = "$1" ] || fail "the last line is not: $1"
}

cases_of() { # the results of a file without their times, in one order
    grep '"case"' "$1" | sed 's/"microseconds":[0-9]*//' | sort
}

same_cases() {
    cmp <(cases_of "$1") <(cases_of "$2") || fail "$1 and $2 have other results"
}

three="int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0"
second=${three/\{16,17,18\}/17}
normal=float32.sequential.increasing.inclusive.2x37.axis1.in-packed.out-packed.normal.seed1
gaps=float32.sequential.increasing.inclusive.3.axis0.in-packed.out-2.ones.seed0

# The oracle's verdict on a failure: no order loses a carry, but another order is conformant, unless
# the right bits stand in the wrong place.
oracle() {
    CUMSUM_DEFECT=carry
    try 1 sweep --backend cpu:portable --accept conformant --output out.jsonl "$normal"
    expect "the oracle: FAIL: 1 of 74 outputs fail"
    expect '"judgement":{"verdict":"FAIL",' out.jsonl
    expect "the first failure, made small: cumsum minimize --backend cpu:portable --accept conformant $normal"
    CUMSUM_DEFECT=order
    for name in "$normal" "${normal/packed.out-packed/74x2.in-place}"; do
        try 1 sweep --backend cpu:portable "$name"
        expect "the oracle: PASS: "
        expect "; conformant, "
        expect ", order blocked"
        try 0 sweep --backend cpu:portable -v --accept conformant --output out.jsonl "$name"
        expect "pass           $name  other bits, but "
        expect '"reason":"other bits, but ' out.jsonl
        grep -qF '"first":' out.jsonl && fail "a pass has elements that differ"
    done
    CUMSUM_DEFECT=gap
    try 1 sweep --accept conformant $gaps
    expect "1 byte that belongs to no element was written"
}

# If one case ends its process or hangs, the other cases still run. Without isolation it ends the
# sweep. The limit is for the execution alone: a slow start costs nothing.
isolated() {
    CUMSUM_DEFECT=abort
    try 1 sweep --timeout 60000 --output out.jsonl "$three"
    expect "crash          $second  its process ended by signal 6 (Aborted)"
    expect_last "2 passed, 1 failed, 0 skipped"
    cp out.jsonl alone.jsonl
    try 1 sweep --timeout 60000 --jobs 3 --output out.jsonl "$three"
    same_cases alone.jsonl out.jsonl
    try 134 sweep "$three"
    CUMSUM_DEFECT=hang
    CUMSUM_SLOW_START=1100 try 1 sweep --timeout 1000 "$three"
    expect "timeout        $second  no answer within 1000 ms: its process was ended"
    expect_last "2 passed, 1 failed, 0 skipped"
    CUMSUM_DEFECT=stop
    try 1 sweep --timeout 1000 "$three"
    expect "timeout        $second  no answer within 1000 ms: its process was ended"
    CUMSUM_DEFECT=stop-start
    try 3 sweep --timeout 1000 "$three"
    expect "'cumsum serve' does not begin: no answer within 1000 ms: its process was ended" err
}

# Bytes between, before and behind the elements are compared, whichever process wrote them: over
# shared memory, and over the pipe.
guarded() {
    local name=${gaps/out-2/out-2+16} way
    for CUMSUM_DEFECT in gap before behind; do
        [ $CUMSUM_DEFECT = behind ] &&
            name=float16.sequential.increasing.inclusive.3.axis0.in-packed.out-packed+16.ones.seed0
        try 1 sweep --output out.jsonl "$name"
        expect "1 byte that belongs to no element was written"
        cp out.jsonl here.jsonl
        try 1 sweep --timeout 60000 --output out.jsonl "$name"
        same_cases here.jsonl out.jsonl
        for way in '' '3<&-'; do
            try 1 sweep --exec "LD_PRELOAD='$library' exec cumsum serve --backend cpu:portable $way" "$name"
            expect "1 byte that belongs to no element was written"
        done
    done
}

# A failure that is no worse than in earlier results is known, and no failure. A case that fails
# otherwise is one, unless its line in these results was changed to say so, with a reason.
known() {
    CUMSUM_DEFECT=carry
    try 1 sweep --output out.jsonl "$three"
    cp out.jsonl before.jsonl
    try 0 sweep --against before.jsonl --output out.jsonl "$three"
    expect "known          $second  fail"
    expect "B is worse in 0 of 3 cases, better in 0, otherwise changed in 0"
    expect_last "1 passed, 0 failed, 2 skipped"
    cases_of out.jsonl >first
    sed -i '$d' out.jsonl
    try 0 sweep --against before.jsonl --output out.jsonl --resume "$three"
    cases_of out.jsonl | cmp - first || fail "the results of a run that was resumed are others"
    CUMSUM_DEFECT=crash
    try 1 sweep --against before.jsonl "$three"
    expect "crash          $second  worse: fail -> crash; device removed"
    expect "worse   2  fail -> crash"
    sed "/$second/"'s/"state":"fail"/"state":"crash","reason":"issue 17"/' before.jsonl >waived.jsonl
    try 0 sweep --against waived.jsonl "$second"
    expect "known          $second  crash; device removed; before: issue 17"
    try 0 sweep --against waived.jsonl --output out.jsonl "$second"
    cp out.jsonl again.jsonl
    try 0 sweep --against again.jsonl "$second"
    expect "before: issue 17"
    CUMSUM_DEFECT=none
    try 0 sweep -v --against before.jsonl "$three"
    expect "pass           $second  better: fail -> pass"
}

# The results and the page have all failures; the screen has three, and groups of all.
grouped() {
    local names="int32.wrap.increasing.inclusive.{16..37}.axis0.in-packed.out-packed.ones.seed0"
    CUMSUM_DEFECT=carry
    try 1 sweep --output out.jsonl --report page.html "$names"
    [ "$(grep -c '^fail' out)" -eq 3 ] || fail "not 3 failures are shown"
    expect "        21  fail: explained by 'one-value'"
    expect "        all of them have: lines of 17 elements or more"
    expect_last "1 passed, 21 failed, 0 skipped; not shown: 18 (-q shows all)"
    page_records page.html >records
    grep '"state":"fail"' out.jsonl >failed
    [ "$(grep -c -xFf failed records)" -eq 21 ] || fail "not all failures are in the page"
    expect '"lines of 17 elements or more"' records
    grep '^  ' out >groups
    try 1 sweep --jobs 2 "$names"
    grep '^  ' out | cmp - groups || fail "jobs change the groups"
    try 1 sweep -q "$names"
    [ "$(grep -c '^fail' out)" -eq 21 ] || fail "not all failures are shown"
}

# Beside a sweep of right kernels, the cases that fail are worse, and no other case; the other way
# round they are better. Another order that is accepted is a change.
compared() {
    CUMSUM_DEFECT=none
    try 0 sweep --output good.jsonl "$three"
    try 0 sweep --accept conformant --output right.jsonl "$normal"
    CUMSUM_DEFECT=carry
    try 1 sweep --output bad.jsonl "$three"
    CUMSUM_DEFECT=order
    try 0 sweep --accept conformant --output other.jsonl "$normal"
    try 1 compare good.jsonl bad.jsonl
    expect "B is worse in 2 of 3 cases, better in 0, otherwise changed in 0"
    try 0 compare bad.jsonl good.jsonl
    expect "B is worse in 0 of 3 cases, better in 2, otherwise changed in 0"
    try 0 compare right.jsonl other.jsonl
    expect "order the expected one -> blocked"
}

# A killed sweep keeps its results, and --resume continues it. Until then no other sweep may write
# the file.
killed() {
    local names="int32.wrap.increasing.{inclusive,exclusive}.{1..60}.axis0.in-packed.out-packed.ones.seed0"
    CUMSUM_DEFECT=none
    try 0 sweep --output whole.jsonl "$names"
    : >part.jsonl
    CUMSUM_DEFECT=hang cumsum sweep --output part.jsonl "$names" >/dev/null 2>&1 &
    until [ "$(wc -l <part.jsonl)" -ge 17 ]; do sleep 0.01; done
    try 2 sweep --output part.jsonl --resume "$names"
    expect "part.jsonl: another sweep is writing this file; the rule: each has its own" err
    kill -KILL $!
    wait $! 2>/dev/null
    try 0 sweep --output part.jsonl --resume "$names"
    expect "16 of these by an earlier run"
    same_cases whole.jsonl part.jsonl
}

# minimize makes a failure small, names the command that repeats it, and finds nothing in right
# kernels. A case of a file, a byte between elements and a lost device are failures, too.
minimized() {
    local name=float32.sequential.decreasing.exclusive.4x37.axis1.in-packed.out-packed.normal.seed1
    local small=float32.sequential.increasing.inclusive.17.axis0.in-packed.out-packed
    CUMSUM_DEFECT=carry
    try 1 minimize --backend cpu:portable --output 'a folder' $name
    expect "to       $small  17 elements, after "
    expect "verdict  FAIL: 1 of 17 outputs fail"
    expect "again    cumsum verify --backend cpu:portable 'a folder/$name.minimal.json'"
    try 1 verify --backend cpu:portable "a folder/$name.minimal.json"
    cp "a folder/$name.minimal.json" first
    try 1 minimize --backend cpu:portable --output 'a folder' $name
    cmp "a folder/$name.minimal.json" first || fail "the second run makes another case"
    try 0 generate $name
    try 1 minimize --json $name.json
    expect '"elements":17,'
    expect '"complete":true,"state":"fail"'
    CUMSUM_DEFECT=gap
    try 1 minimize $gaps
    expect "fail     1 byte that belongs to no element was written"
    expect "again    cumsum minimize $gaps.minimal.json"
    CUMSUM_DEFECT=crash
    try 1 minimize $name
    expect "crash    device removed"
    CUMSUM_DEFECT=none
    try 2 minimize $name
    expect "does not fail on backend cpu" err
}

oracle
isolated
guarded
known
grouped
compared
killed
minimized
echo "all as expected"
