#!/bin/bash
# SPDX-License-Identifier: MIT
# sweep_defects.sh CUMSUM DEFECT: tests `cumsum sweep` on defective kernels. DEFECT is a library
# that plants the defect named by CUMSUM_DEFECT.
set -u
# shellcheck source=tests/cli/defect_frame.sh
. "$(dirname "${BASH_SOURCE[0]}")/defect_frame.sh"
export LD_PRELOAD=$library

# try STATUS ARGUMENTS...: runs a sweep, which must exit with STATUS; its output is in out and err.
# Unless it is to be refused, or resumes one, the file of an earlier one is removed.
try() {
    local expected=$1 status
    shift
    [ "$expected" -eq 2 ] || [[ "$*" == *--resume* ]] ||
        rm -f "$(sed -n 's/.*--output \([^ ]*\).*/\1/p' <<<"$*")"
    cumsum sweep --kernel portable "$@" >out 2>err
    status=$?
    [ $status -eq "$expected" ] || fail "cumsum sweep $* exits $status, not $expected"
}

expect() {
    grep -qF -- "$1" out err || fail "$1 is missing from the output"
}

expect_last() {
    [ "$(tail -n 1 out)" = "$1" ] || fail "the last line is not: $1"
}

case=increasing.inclusive.2x37.axis1.in-packed

# The oracle's verdict on a failure: no order loses a carry, but another order is conformant.
oracle() {
    export CUMSUM_DEFECT=carry
    try 1 --output out.jsonl float32.sequential.$case.out-packed.normal.seed1
    expect "the oracle: FAIL: 1 of 74 outputs fail"
    grep -qF '"verdict":"FAIL: 1 of 74 outputs fail' out.jsonl || fail "no verdict"
    grep -qF '"judgement":{"verdict":"FAIL",' out.jsonl || fail "no judgement"
    grep -qF '"ulpHistogram":{' out.jsonl || fail "no profile"
    try 1 --accept conformant float32.sequential.$case.out-packed.normal.seed1
    export CUMSUM_DEFECT=order
    for tensor in in-packed.out-packed in-74x2.in-place; do
        name=float32.sequential.increasing.inclusive.2x37.axis1.$tensor.normal.seed1
        try 1 --output out.jsonl "$name"
        expect "the oracle: PASS: conformant, "
        expect ", order blocked"
        try 0 -v --accept conformant --output out.jsonl "$name"
        expect "pass           $name  other bits, but conformant, "
        expect_last "1 passed, 0 failed, 0 skipped"
        grep -qF '"reason":"other bits, but conformant' out.jsonl || fail "no verdict of a pass"
        grep -qF '"first":' out.jsonl && fail "a pass has elements that differ"
    done
    # The right bits in the wrong place are not accepted.
    export CUMSUM_DEFECT=gap
    try 1 --accept conformant float32.sequential.increasing.inclusive.3.axis0.in-packed.out-2.ones.seed0
    expect "1 byte that belongs to no element was written"
}

# If one case ends its process or hangs, the other cases still run. Without isolation it ends the
# sweep.
isolated() {
    local names second
    ulimit -c 0
    names="int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0"
    second=${names/\{16,17,18\}/17}
    export CUMSUM_DEFECT=abort
    try 1 --isolate always --output out.jsonl "$names"
    expect "crash          $second  its process ended by signal 6 (Aborted)"
    expect_last "2 passed, 1 failed, 0 skipped"
    [ "$(grep -c '"state":"pass"' out.jsonl)" -eq 2 ] || fail "not all others passed"
    tail -n 1 out.jsonl | grep -qF '{"event":"end","cases":3,' || fail "it did not come to its end"
    try 134 "$names"
    try 1 --isolate always --jobs 3 --output jobs.jsonl "$names"
    expect "crash          $second  its process ended by signal 6 (Aborted)"
    expect_last "2 passed, 1 failed, 0 skipped"
    cmp <(grep '"case"' out.jsonl | sed 's/"microseconds":[0-9]*//' | sort) \
        <(grep '"case"' jobs.jsonl | sed 's/"microseconds":[0-9]*//' | sort) || fail "other results"
    export CUMSUM_DEFECT=hang
    # The limit is for the execution alone: a slow start costs nothing.
    CUMSUM_SLOW_START=1100 try 1 --isolate always --timeout 1000 --output out.jsonl "$names"
    expect "timeout        $second  no answer within 1000 ms: its process was ended"
    expect_last "2 passed, 1 failed, 0 skipped"
    # A worker that stands still is ended, too: in an execution, and before the first one.
    export CUMSUM_DEFECT=stop
    try 1 --isolate always --timeout 1000 --output out.jsonl "$names"
    expect "timeout        $second  no answer within 1000 ms: its process was ended"
    expect_last "2 passed, 1 failed, 0 skipped"
    export CUMSUM_DEFECT=stop-start
    try 3 --isolate always --timeout 1000 --output out.jsonl "$names"
    expect "'cumsum serve' does not begin: no answer within 1000 ms: its process was ended"
    expect_last "0 passed, 0 failed, 0 skipped; 1 error, and nothing was done"
    export CUMSUM_DEFECT=stop
    try 0 --isolate always --timeout 60000 --threads 2 "${names/\{16,17,18\}/16}"
    # The results equal those without isolation, except for the times.
    export CUMSUM_DEFECT=carry
    try 1 --isolate always --output there.jsonl "$names" quick --include 'float*.axis0.*.normal.*' --shard 1/5
    try 1 --output here.jsonl "$names" quick --include 'float*.axis0.*.normal.*' --shard 1/5
    cmp <(grep '"case"' here.jsonl | sed 's/"microseconds":[0-9]*//') \
        <(grep '"case"' there.jsonl | sed 's/"microseconds":[0-9]*//') || fail "other results"
}

# Bytes between, before and behind the elements are compared, whichever process wrote them: over
# shared memory, and over the pipe.
guarded() {
    local names=float32.sequential.increasing.inclusive.3.axis0.in-packed.out-2+16.ones.seed0
    local half=float16.sequential.increasing.inclusive.3.axis0.in-packed.out-packed+16.ones.seed0
    local defect way
    for defect in gap before behind; do
        [ $defect = behind ] && names=$half
        export CUMSUM_DEFECT=$defect
        try 1 --isolate never --output here.jsonl $names
        expect "1 byte that belongs to no element was written"
        try 1 --isolate always --output there.jsonl $names
        cmp <(grep '"case"' here.jsonl | sed 's/"microseconds":[0-9]*//') \
            <(grep '"case"' there.jsonl | sed 's/"microseconds":[0-9]*//') || fail "other results"
        for way in '' '3<&-'; do
            cumsum sweep --exec "LD_PRELOAD='$library' exec cumsum serve --kernel portable $way" \
                $names >out 2>err
            [ $? -eq 1 ] || fail "$defect: a process of --exec writes beside its elements"
            expect "1 byte that belongs to no element was written"
        done
    done
}

# A known failure is no failure. A case that fails otherwise, or passes, is one.
baseline() {
    local names second
    names="int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0"
    second=${names/\{16,17,18\}/17}
    export CUMSUM_DEFECT=carry
    try 1 --write-baseline written "$names"
    { echo "# Known failures, for cumsum sweep --baseline"
      echo "fail $second"
      echo "fail ${names/\{16,17,18\}/18}"; } | cmp - written || fail "another baseline"
    try 0 --baseline written --output out.jsonl "$names"
    expect "known          $second  fail"
    expect "1 pass, 2 known"
    expect_last "1 passed, 0 failed, 2 skipped"
    grep -qF '"state":"known","outcome":"fail","expected":"fail"' out.jsonl ||
        grep -qF '"state":"known"' out.jsonl || fail "no known failure in the results"
    try 0 --baseline written "$second" # nothing passes, as expected
    expect_last "0 passed, 0 failed, 1 skipped"
    # Names of cases outside this sweep do not matter.
    try 0 --baseline written --exclude '*.18.*' "$names"
    export CUMSUM_DEFECT=none
    try 1 --baseline written --output out.jsonl "$names"
    expect "unexpected     $second  pass, where the baseline has fail"
    expect "1 pass, 2 unexpected"
    expect_last "1 passed, 2 failed, 0 skipped"
    export CUMSUM_DEFECT=crash
    try 1 --baseline written "$names"
    expect "unexpected     $second  crash, where the baseline has fail"
    # A written baseline lists the actual failures, even if the run read a baseline or was resumed.
    export CUMSUM_DEFECT=carry
    try 0 --baseline written --write-baseline again --output out.jsonl "$names"
    cmp written again || fail "the baseline of a run with a baseline is another one"
    rm again
    try 0 --baseline written --write-baseline again --output out.jsonl --resume "$names"
    cmp written again || fail "the baseline of a run that was resumed is another one"
    expect "3 of these by an earlier run"
    expect "1 pass, 2 known"
    try 3 --write-baseline no/folder "$names"
    try 2 --baseline again --output out.jsonl --resume "$names"
    expect 'out.jsonl:1: another sweep than this one: "baseline" is "written", not "again"'
}

# The results have all failures; the screen has three, and then groups of all.
limited() {
    local names="int32.wrap.increasing.inclusive.{16..37}.axis0.in-packed.out-packed.ones.seed0"
    export CUMSUM_DEFECT=carry
    try 1 --output out.jsonl "$names"
    [ "$(grep -c '^fail' out)" -eq 3 ] || fail "not 3 failures are shown"
    [ "$(grep -c '"state":"fail"' out.jsonl)" -eq 21 ] || fail "a failure is not in the results"
    expect "the failures in groups:"
    expect "  fail           21 cases: explained by 'one-value'"
    expect "                 all of them have: lines of 17 elements or more"
    expect "                 the first: ${names/\{16..37\}/17}"
    expect_last "1 passed, 21 failed, 0 skipped; not shown: 18 (--brief shows all)"
    try 1 --brief "$names"
    [ "$(grep -c '^fail' out)" -eq 21 ] || fail "not all failures are shown"
    grep -qF 'failures in groups' out && fail "all failures are shown, and groups of them"
    grep -q '^ ' out && fail "more than a line of a failure is shown"
    expect_last "1 passed, 21 failed, 0 skipped"
    # Cases that fail in other ways are other groups, the largest first, in any number of jobs.
    names="$names int64.wrap.increasing.inclusive.{9..12}.axis0.in-packed.out-packed.small-integers.seed1"
    # shellcheck disable=SC2086 # two arguments
    try 1 $names
    grep '^  ' out >one
    # shellcheck disable=SC2086
    try 1 --jobs 2 $names
    grep '^  ' out | cmp - one || fail "jobs change the groups"
    [ "$(grep -c '^                 the first: ' one)" -ge 2 ] || fail "there is one group"
}

# Beside a sweep without the defect, the cases that it breaks are worse, and no other case; the other
# way round they are better. Another order that is accepted is a change.
compared() {
    local names="int32.wrap.increasing.inclusive.{10..30}.axis0.in-packed.out-packed.ones.seed0"
    unset CUMSUM_DEFECT
    try 0 --output good.jsonl "$names"
    CUMSUM_DEFECT=carry try 1 --output bad.jsonl "$names"
    cumsum compare good.jsonl bad.jsonl >out 2>err
    [ $? -eq 1 ] || fail "a regression is not found"
    expect "B is worse in 14 of 21 cases, better in 0, otherwise changed in 0"
    expect "all of them have: lines of 17 elements or more"
    cumsum compare bad.jsonl good.jsonl >out 2>err || fail "an improvement is a regression"
    expect "B is worse in 0 of 21 cases, better in 14, otherwise changed in 0"
    names="float32.sequential.increasing.inclusive.3x{7,17}.axis1.in-packed.out-packed.normal.seed1"
    try 0 --accept conformant --output good.jsonl "$names"
    CUMSUM_DEFECT=order try 0 --accept conformant --output bad.jsonl "$names"
    cumsum compare good.jsonl bad.jsonl >out 2>err || fail "another order is a regression"
    expect "B is worse in 0 of 2 cases, better in 0, otherwise changed in 2"
    expect "order the expected one -> blocked"
    names="float32.sequential.increasing.inclusive.3.axis0.in-packed.out-2.ones.seed0"
    try 0 --output good.jsonl "$names"
    CUMSUM_DEFECT=gap try 1 --output bad.jsonl "$names"
    cumsum compare good.jsonl bad.jsonl >out 2>err && fail "a changed byte is not found"
    expect "pass -> fail"
}

waivers() {
    local names second
    names="int32.wrap.increasing.inclusive.{16,17,18}.axis0.in-packed.out-packed.ones.seed0"
    second=${names/\{16,17,18\}/17}
    export CUMSUM_DEFECT=carry
    printf '%s\n' "# of a test" "" "*.17.axis0.*	cpu  https://example.org/1 9999-12-31" \
        '*.18.* "c?u" https://example.org/2 2020-02-29' '*.16.* * https://example.org/3 9999-12-31' \
        '*.17.* llvmpipe* https://example.org/4 9999-12-31' >waivers.txt
    try 1 -v --waivers waivers.txt --write-baseline written --output out.jsonl "$names"
    expect "waivers.txt:4: the waiver of *.18.* ended on 2020-02-29 and waives nothing any more"
    expect "waived         $second  fail; https://example.org/1"
    expect "waivers.txt:5: the waiver of *.16.* waived nothing"
    grep -q 'waivers.txt:6' out err && fail "a waiver of another device is spoken of"
    expect "1 pass, 1 fail, 1 waived"
    expect_last "1 passed, 1 failed, 1 skipped"
    grep -qF '"waiver":"https://example.org/1"' out.jsonl || fail "no URL"
    grep -qF "$second" written && fail "what is waived is in the baseline"
    try 0 --waivers waivers.txt "$second"
    # A waiver cannot excuse an improvement.
    echo "fail $second" >baseline
    export CUMSUM_DEFECT=none
    try 1 --waivers waivers.txt --baseline baseline "$second"
    expect "unexpected     $second  pass, where the baseline has fail"
    # If both match a case, the baseline wins. A waiver can excuse a failure that differs from it.
    export CUMSUM_DEFECT=carry
    try 0 --waivers waivers.txt --baseline baseline "$second"
    expect "known          $second"
    export CUMSUM_DEFECT=crash
    try 0 --waivers waivers.txt --baseline baseline "$second"
    expect "waived         $second  crash, where the baseline has fail; device removed; https://example.org/1"
}

# A killed sweep keeps its results, and --resume continues it.
killed() {
    unset CUMSUM_DEFECT
    local names="int32.wrap.{increasing,decreasing}.{inclusive,exclusive}.{1..60}.axis0.in-packed.out-packed.ones.seed0"
    try 0 --output whole.jsonl "$names"
    for isolate in never always; do
        : >part.jsonl
        CUMSUM_DEFECT=hang cumsum sweep --kernel portable --isolate $isolate --output part.jsonl "$names" \
            >/dev/null 2>&1 &
        until [ "$(wc -l <part.jsonl)" -ge 17 ]; do sleep 0.01; done
        # It writes the file, so no other sweep may.
        cp part.jsonl copy.jsonl
        for resume in "" --resume; do
            # shellcheck disable=SC2086
            try 2 --output part.jsonl $resume "$names"
            expect "part.jsonl: another sweep is writing this file; the rule: each has its own"
            cmp part.jsonl copy.jsonl || fail "the file of another sweep is changed"
        done
        kill -KILL $!
        wait $! 2>/dev/null
        [ "$(wc -l <part.jsonl)" -eq 17 ] || fail "what was killed has gone on"
        try 0 --isolate $isolate --output part.jsonl --resume "$names"
        expect "16 of these by an earlier run"
        expect_last "240 passed, 0 failed, 0 skipped"
        cmp <(grep '"case"' whole.jsonl | cut -d, -f1-3) <(grep '"case"' part.jsonl | cut -d, -f1-3) ||
            fail "not the same cases"
    done
}

oracle
isolated
guarded
baseline
limited
compared
waivers
killed
echo "all as expected"
