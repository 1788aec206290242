#!/bin/bash
# SPDX-License-Identifier: MIT
# sweep_defects.sh CUMSUM DEFECT: `cumsum sweep` on kernels into which DEFECT, a library, plants what
# CUMSUM_DEFECT says.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$(realpath "$1")" "$work/bin/cumsum"
export PATH="$work/bin:$PATH" LD_PRELOAD
LD_PRELOAD=$(realpath "$2")
cd "$work" || exit 1

fail() {
    echo "FAIL: $*"
    cat out err
    exit 1
}

# try STATUS ARGUMENTS...: the tool's exit status; what it writes is in out and err.
try() {
    local expected=$1 status
    shift
    cumsum sweep --kernel portable "$@" >out 2>err
    status=$?
    [ $status -eq "$expected" ] || fail "cumsum sweep $* exits $status, not $expected"
}

expect() {
    grep -qF -- "$1" out err || fail "nothing says: $1"
}

expect_last() {
    [ "$(tail -n 1 out)" = "$1" ] || fail "the last line is not: $1"
}

case=increasing.inclusive.2x37.axis1.in-packed

# What the oracle says of a failure: no order loses a carry, and another order is one.
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
        grep -qF '"verdict":"PASS: conformant' out.jsonl || fail "no verdict of a pass"
    done
    # Right bits in the wrong place are not accepted.
    export CUMSUM_DEFECT=gap
    try 1 --accept conformant float32.sequential.increasing.inclusive.3.axis0.in-packed.out-2.ones.seed0
    expect "1 bytes that belong to no element were written"
}

oracle
echo "all as expected"
