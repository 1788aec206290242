#!/bin/bash
# SPDX-License-Identifier: MIT
# option_documents.sh CUMSUM SOURCE: tests that the man page has each command, in its synopsis and in a
# section, that it describes options as the program's --help does, and that faults in a copy are
# noticed: another text, a missing row, a region without an end, of an unknown command, or missing.
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
noticed '/BEGIN options judge/,/END options/d'

commands="$("$cumsum" --help | sed '1,/^Commands:/d; /^$/,$d' | awk '{ print $1 }') serve"
# shellcheck disable=SC2086 # each is a word
diff <(printf '%s\n' $commands 'all commands' | sort) <(sed -n 's/^\.SS //p' "$page" | sort) ||
    fail "the commands (<) and the sections of the man page (>) differ"
for command in $commands; do
    grep -q "^\.B cumsum $command " "$page" || fail "the synopsis has no $command"
done
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$page" 2>"$work/groff"
    [ ! -s "$work/groff" ] || fail "the man page is no good roff: $(cat "$work/groff")"
fi
[ $failed -eq 0 ] && echo "current, and all faults noticed"
exit $failed
