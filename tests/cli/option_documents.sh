#!/bin/bash
# SPDX-License-Identifier: MIT
# option_documents.sh CUMSUM SOURCE: tests that the man page describes options as the program's --help
# does, and that faults in a copy are noticed: another text, a missing row, a region without an end,
# and a region of an unknown command.
set -u
cumsum=$1 documents=$2/tools/documents page=$2/docs/man/cumsum.1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAIL: $*"
    failed=1
}

# noticed SED-EXPRESSION: plants a fault in a copy, which must be noticed.
noticed() {
    sed "$1" "$page" >"$work/copy.1"
    ! cmp -s "$page" "$work/copy.1" || fail "$1 changes nothing in $page"
    ! "$documents" --check "$cumsum" "$work/copy.1" >/dev/null 2>&1 || fail "not noticed: $1"
}

"$documents" --check "$cumsum" "$page" || failed=1
noticed 's/leave each element/leave every element/I'
noticed '/END options/d'
noticed 's/BEGIN options sweep/BEGIN options swoop/'
noticed '/^\.BI.*shard/d'
[ $failed -eq 0 ] && echo "current, and all faults noticed"
exit $failed
