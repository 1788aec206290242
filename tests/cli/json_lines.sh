#!/bin/bash
# SPDX-License-Identifier: MIT
# json_lines.sh CUMSUM JSON_LINES TESTS: tests that --json prints one object a line, for every
# command and for well-formed and malformed files.
set -u
cumsum=$1
json_lines=$2
cd "$3" || exit 1
failed=0
check() { # check LINES ARGUMENT...: the output parses and has LINES lines
    local lines=$1
    shift
    local said
    said=$("$cumsum" "$@" 2>/dev/null | "$json_lines") || failed=1
    [ "$said" = "$lines lines, the last is summary" ] || {
        echo "cumsum $*: $said"
        failed=1
    }
}
check 649 verify --json --kernel reference golden/*/*.json
check 650 judge --json --orders all golden/*/*.json
check 2501 validate --json golden/directml/descriptors.jsonl
check 649 run --json golden/*/*.json
for file in cli/data/*.json; do
    for command in verify judge run; do
        "$cumsum" $command --json "$file" 2>/dev/null | "$json_lines" >/dev/null || {
            echo "cumsum $command --json $file: not JSON lines"
            failed=1
        }
    done
done
# A file name that is not UTF-8.
odd=$(mktemp -d) || exit 1
cp cli/data/small.json "$odd"/$'\xff\xc3.json'
check 3 verify --json --kernel reference "$odd"/*
rm -r "$odd"
exit $failed
