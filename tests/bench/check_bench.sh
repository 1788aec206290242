#!/bin/bash
# SPDX-License-Identifier: MIT
# check_bench.sh BENCH SOURCE: tests cumsum_bench: its list, rows, document and errors, whatever the
# times are. SOURCE is the source tree.
set -u
bench=$1 source=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*"
    cat "$work/out" "$work/err"
    exit 1
}

# try STATUS ARGUMENTS...: the output goes to $work/out and $work/err.
try() {
    local expected=$1 status
    shift
    "$bench" "$@" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -eq "$expected" ] || fail "cumsum_bench $* exits $status, not $expected"
}

# same LINES...: standard output has these lines and no others.
same() {
    printf '%s\n' "$@" | cmp -s - "$work/out" || fail "the output is not: $*"
}

# rows NAME...: rows with these names, each with a time and four numbers.
rows() {
    grep -E '^[^ ]+ +[0-9.]+ ([mun]?s )( +[0-9.]+){4}$' "$work/out" | cut -d ' ' -f 1 >"$work/rows"
    printf '%s\n' "$@" | cmp -s - "$work/rows" || fail "the rows are not: $*"
}

# wrong STATUS MESSAGE ARGUMENTS...
wrong() {
    local message=$2
    try "$1" "${@:3}"
    grep -qF -- "cumsum_bench: $message" "$work/err" || fail "$message is missing from the output"
}

# The number of entries, their distinct names, and the choices of patterns.
try 0 --list
[ "$(wc -l <"$work/out")" -eq 576 ] || fail "there are not 576 entries"
[ "$(sort -u "$work/out" | wc -l)" -eq 576 ] || fail "names are not distinct"
try 0 --list row-1x64M/FLOAT16
same row-1x64M/FLOAT16/{sequential,blocked,exact}/{1t,2t}
try 0 --list 'row-l?/INT32/blocked/1t'
same row-l{1,2,3}/INT32/blocked/1t
try 0 --list tiny --type uint64 --order exact --backend cpu:threads=3
same tiny-3x4/UINT64/exact/3t
try 0 --list 'growth-*2^8/FLOAT32/*/1t'
same growth-{line,lines}-2^8/FLOAT32/{sequential,blocked,exact,judge}/1t
try 0 --list --type float32 --order exact --backend cpu:threads=1 judge-normal
same judge-normal{-l2,}/FLOAT32/exact/1t
try 0 --list --backend d3d12 tiny --type float32
same tiny-3x4/FLOAT32/{sequential,blocked}/d3d12

# Tables. Only a pattern that begins with judge chooses such cases, and no others; integers have one
# kind of data.
try 0 --repetitions 1 --backend cpu:reference 'row-l[12]/INT32/*/1t'
rows row-l{1,2}/INT32/{sequential,blocked,exact}/1t
try 0 --repetitions 1 'growth-line-2^4/FLOAT16/*/1t'
rows growth-line-2^4/FLOAT16/{sequential,blocked,exact,judge}/1t
try 0 judge-integers --repetitions 1 --type UINT32 --backend cpu:threads=1
rows judge-integers{-l2,}/UINT32/{judge,verdict}/1t
try 0 --repetitions 1 'judge-*-l2/FLOAT16/judge/2t'
rows judge-{uniform,normal,integers,cancelling,blocked,hillis-steele,binary64}-l2/FLOAT16/judge/2t

# The document: its shape without the numbers, and the relations between the numbers (six digits).
if command -v python3 >/dev/null; then
    try 0 --json --repetitions 2 --backend cpu:reference columns-l2/FLOAT16/blocked
    python3 - "$work/out" >"$work/err" <<'PYTHON' || fail "the document is not as it should be"
import json
import sys
document = json.load(open(sys.argv[1]))
assert sorted(document) == ["benchmarks", "context"]
assert document["context"]["repetitions"] == 2
names = [entry["name"] for entry in document["benchmarks"]]
assert names == ["columns-l2/FLOAT16/blocked/1t", "columns-l2/FLOAT16/blocked/2t"], names
for entry in document["benchmarks"]:
    assert entry["label"] == "reference"
    speed, copy = entry["elements_per_second"], entry["copy_elements_per_second"]
    assert abs(speed * entry["real_time"] * 1e-9 / 65536 - 1) < 1e-4
    assert copy == max(entry["memcpy_elements_per_second"], entry["streaming_elements_per_second"])
    assert abs(entry["ratio_to_copy"] * copy / speed - 1) < 1e-4
PYTHON
    # tools/performance reads it: of a copy of the tree, so that no document changes.
    mkdir -p "$work/tree/tools" "$work/tree/docs"
    cp "$source/tools/performance" "$work/tree/tools"
    cp "$source"/docs/performance.md "$work/tree/docs"
    cp "$work/out" "$work/document"
    try 0 --json --repetitions 1 'growth-line-2^[04]/FLOAT32/*'
    cp "$work/out" "$work/growth"
    "$work/tree/tools/performance" "$work/document" "$work/growth" >"$work/out" 2>"$work/err" ||
        fail "tools/performance fails"
    grep -q '^| 2^4 | [0-9]' "$work/tree/docs/performance.md" || fail "no row of growth"
    # shellcheck disable=SC2016
    grep -q '^| `columns-l2` |' "$work/tree/docs/performance.md" || fail "no row in performance.md"
else
    echo "skipped: the document, because there is no python3"
fi

# Errors.
wrong 2 "no entry fits 'everything'; --list has them; see --help" everything
wrong 2 "no entry fits '*2^8/FLOAT32/*/1t'" '*2^8/FLOAT32/*/1t' # without growth before it
wrong 2 "at most one PATTERN is allowed, but 2 are given" row square
wrong 2 "option --backend: 'cpu:all': 'all' is not one of auto, reference, portable, " --backend cpu:all
wrong 2 "option --type: 'float' is not one of float32, " --type float
wrong 2 "option --repetitions: '1001' is not a number from 0 to 1000" --repetitions 1001
wrong 2 "--repetitions 0 needs a device" --repetitions 0
wrong 2 "--variants needs --backend cuda" --variants folder
wrong 2 "option --backend: 'cpu:threads=2x': 'threads=2x' is not threads=N with N from 0 to 1024" --backend cpu:threads=2x
wrong 2 "--timeout needs --backend d3d12, directml or cuda" --timeout 5
wrong 2 "option --backend: 'd3d12:threads=2': 'threads=2' is no part of a device's name" --backend d3d12:threads=2
wrong 2 "the command line is wrong" --sideways
# No machine has both.
"$bench" --repetitions 1 --backend cpu:avx512 tiny-3x4/INT64/blocked >"$work/out" 2>"$work/err" &&
    wrong 3 "kernel neon is not available: " --backend cpu:neon tiny-3x4/INT64/blocked
[ ! -e /dev/full ] || ! "$bench" --list >/dev/full 2>"$work/err" || fail "a full disk is no error"
echo "all as expected"
