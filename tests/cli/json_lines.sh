#!/bin/bash
# SPDX-License-Identifier: MIT
# json_lines.sh CUMSUM TESTS: tests that --json prints one object a line, for every command and for
# well-formed and malformed files. Python reads them, not the program's own parser.
set -u
cumsum=$1
cd "$2" || exit 1
command -v python3 >/dev/null || { echo "SKIPPED: there is no python3" && exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}
json_lines() {
    python3 -B cli/json_lines.py "$@"
}

planted=0
for wrong in '{}' '[1]' '{"event": NaN}' '{"event": "summary"} 1' '{"event": "\xff"}' '{"event": "start"}'; do
    planted=$((planted + 1))
    printf '%b\n' "$wrong" >"$work/wrong-$planted"
done
! json_lines "$work"/wrong-* >"$work/said" || fail "json_lines.py takes what is wrong"
! grep ' lines$' "$work/said" || fail "json_lines.py takes that"

check() { # check LINES ARGUMENT...: the output parses and has LINES lines
    local lines=$1
    shift
    "$cumsum" "$@" >"$work/output" 2>/dev/null
    json_lines "$work/output" >"$work/said"
    grep -qx ".*: $lines lines" "$work/said" || fail "cumsum $*: $(cat "$work/said")"
}
check 649 verify --json --backend cpu:reference golden/*/*.json
check 650 judge --json -v golden/*/*.json
check 2501 descriptors --json golden/directml/descriptors.jsonl
check 649 run --json golden/*/*.json
# A file name that is not UTF-8.
cp cli/data/small.json "$work"/$'\xff\xc3.json'
check 3 verify --json --backend cpu:reference "$work"/$'\xff\xc3.json'

mkdir "$work/data"
for file in cli/data/*.json; do
    for command in verify judge run; do
        "$cumsum" $command --json "$file" >"$work/data/$command-${file##*/}" 2>/dev/null
    done
done
json_lines "$work"/data/* >"$work/said" || fail "$(grep -v ' lines$' "$work/said")"
exit $failed
