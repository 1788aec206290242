#!/bin/bash
# SPDX-License-Identifier: MIT
# suspect.sh CUMSUM PLUG - SCRATCH: an implementation loses a carry in long lines, which the bound of
# all orders allows. sweep, merge, compare, verify and minimize call that SUSPECT, count it,
# and let it pass with --accept suspect alone.
# shellcheck source=tests/exec/scratch.sh
source "$(dirname "$0")/scratch.sh" "$@"
failed=0
long='float32.sequential.increasing.inclusive.2x4096.axis1.in-packed.out-packed.normal.seed1'
names="float32.sequential.increasing.inclusive.2x{64,4096}.axis1.in-packed.out-packed.normal.seed1"

# try STATUS LAST_LINE ARGUMENT...: the output is in the file out.
try() {
    local expected=$1 last=$2 status
    shift 2
    "$cumsum" "$@" >out 2>&1
    status=$?
    if grep -q '^SKIP' out; then
        cat out
        exit 77
    fi
    if [ $status -ne "$expected" ] || { [ -n "$last" ] && [ "$(tail -n 1 out)" != "$last" ]; }; then
        echo "cumsum $*: exit status $status, expected $expected and '$last'"
        tail -n 20 out
        failed=1
    fi
}

expect() { # whatever the lines are
    if ! tr -s ' \n' ' ' <"${2:-out}" | grep -qF -- "$(tr -s ' ' <<<"$1")"; then
        echo "$1 is missing from ${2:-out}"
        head -n 9 "${2:-out}" | cut -c 1-300
        failed=1
    fi
}

carry="and stays: as if a carry were lost there"
one="1 passed, 1 failed, 0 skipped; 1 of these suspect"

# sweep: the word, the count, the reason, the hint, and every report.
try 1 "$one" sweep --exec './plug carry' --output a.jsonl --report a.xml --report a.html \
    "$names"
expect "suspect        $long"
expect "the oracle: SUSPECT: "
expect "at [0,3000]"
expect "$carry; 1 other line has such a jump"
expect "the failure: suspect. --accept suspect takes them"
expect '"state":"suspect"' a.jsonl
expect '"suspect":1' a.jsonl
expect "<failure message=\"suspect: " a.xml
expect '"state":"suspect"' a.html
try 1 "" sweep --json --exec './plug carry' "$names"
expect '"failed":1,"suspect":1,'
try 1 "$one" sweep --exec './plug carry' --accept conformant --output b.jsonl "$names"
try 0 "2 passed, 0 failed, 0 skipped" sweep --exec './plug carry' --accept suspect \
    --output c.jsonl "$names"
expect "other bits, but " c.jsonl
expect "; conformant, " c.jsonl
expect "--accept suspect NAME" c.jsonl
try 0 "1 passed, 0 failed, 1 skipped" sweep --exec './plug carry' --against a.jsonl "$names"
expect "known          $long  suspect"
try 1 "" sweep --exec './plug tile' "$long"
expect "at [0,3000] and comes back at [0,3128], 128 elements on: as if a tile had another carry"
try 1 "0 passed, 5 failed, 0 skipped; 5 of these suspect; not shown: 2 (-q shows all)" \
    sweep --exec './plug carry' "${long%1}{1..5}"
expect "5  suspect: explained by 'carry'"

# compare: a suspect case is worse than a pass and better than a failure.
try 1 "$one" compare --report again.xml a.jsonl
try 0 "" sweep --exec './plug stable' --output right.jsonl "$names"
try 1 "" compare right.jsonl a.jsonl
expect "pass -> suspect"
try 0 "" compare right.jsonl a.jsonl --accept suspect
try 2 "" compare a.jsonl b.jsonl
try 2 "" compare b.jsonl c.jsonl
expect "but with --accept suspect it is"
try 0 "" compare b.jsonl c.jsonl --accept suspect
sed 's/"state":"suspect"/"state":"fail"/; s/"fail":0/"fail":1/; s/"suspect":1}/"suspect":0}/
     s/"suspect":1,/"suspect":0,/' a.jsonl >fails.jsonl
try 1 "" compare a.jsonl fails.jsonl
expect "suspect -> fail"

# verify and sweep of the case file.
try 0 "" generate "$long"
last="0 passed, 1 failed, 0 skipped; 1 of these suspect"
for accept in "" "--accept conformant"; do
    # shellcheck disable=SC2086
    try 1 "$last" verify --exec './plug carry' $accept "$long.json"
    expect "SUSPECT  $long.json: "
    expect "$carry"
done
try 0 "1 passed, 0 failed, 0 skipped" verify --exec './plug carry' --accept suspect "$long.json"
expect "other bits, which --accept suspect takes"
try 1 "0 passed, 1 failed, 0 skipped" verify --numerics blocked "$long.json"
try 0 "1 passed, 0 failed, 0 skipped" verify --numerics blocked --accept conformant "$long.json"
try 1 "$last" sweep --exec './plug carry' "$long.json"
try 0 "1 passed, 0 failed, 0 skipped" sweep --exec './plug carry' --accept suspect "$long.json"

# minimize: the smallest case that is suspect. Lines of fewer than 4000 elements are right.
try 1 "" minimize --timeout 5000 --exec './plug carry' "$long"
expect "suspect "
expect "verdict  SUSPECT: "
expect " 4000 elements, after "
expect "again    cumsum verify --exec './plug carry' "
try 1 "" verify --exec './plug carry' "$long.minimal.json"
expect "; 1 of these suspect"
try 2 "" minimize --exec './plug carry' --accept suspect "$long"
expect "there is nothing to minimize"
try 1 "" minimize --json --timeout 5000 --exec './plug carry' --accept conformant "$long"
expect '"state":"suspect"'
expect "--accept conformant"
exit $failed
