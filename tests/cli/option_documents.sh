#!/bin/bash
# SPDX-License-Identifier: MIT
# option_documents.sh CUMSUM SOURCE: tests that the man page and command-line.md describe options as
# the program's --help does, and that faults in copies are noticed: another text, a missing row, a
# region without an end, and a region of an unknown command.
set -u
cumsum=$1 documents=$2/tools/documents docs=$2/docs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

is_current() {
    "$documents" --check "$cumsum" "$1" >/dev/null 2>&1
}

# noticed DOCUMENT SED-EXPRESSION: plants a fault in a copy, which must be noticed.
noticed() {
    sed "$2" "$docs/$1" >"$work/copy.${1##*.}"
    ! cmp -s "$docs/$1" "$work/copy.${1##*.}" || fail "$2 changes nothing in $1"
    ! is_current "$work/copy.${1##*.}" || fail "$1: not noticed: $2"
}

for document in man/cumsum.1 command-line.md; do
    is_current "$docs/$document" ||
        fail "docs/$document is stale: cmake --build BUILD --target documents"
    noticed "$document" 's/leave each element/leave every element/I'
    noticed "$document" '/END options/d'
    noticed "$document" 's/BEGIN options sweep/BEGIN options swoop/'
done
noticed man/cumsum.1 '/^\.BI.*retry/d'
noticed command-line.md '/^- `--retry/d'
[ $failed -eq 0 ] && echo "current, and all faults noticed"
exit $failed
