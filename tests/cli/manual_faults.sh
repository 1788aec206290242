#!/bin/bash
# SPDX-License-Identifier: MIT
# manual_faults.sh CUMSUM DOCS: tests that manual_options.sh finds faults, which this script plants
# in copies of the man page and of command-line.md.
set -u
cumsum=$1 docs=$2
check=$(dirname "$0")/manual_options.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# broken FILE SED-EXPRESSION WORDS: plants a fault; the check must report it with these words.
broken() {
    cp "$docs/man/cumsum.1" "$docs/command-line.md" "$work"
    sed -i "$2" "$work/$1"
    if sh "$check" "$cumsum" "$work/cumsum.1" "$work/command-line.md" >"$work/said" ||
        ! grep -qF -- "$3" "$work/said"; then
        echo "FAIL: $2: '$3' is missing from the output:"
        cat "$work/said"
        failed=1
    fi
}

broken cumsum.1 's/^\.BI \\-\\-baseline .*/.B something/' 'cumsum sweep: the options'
broken cumsum.1 's/^\.BI \\-\\-retry .*/.BI \\-\\-retry " TIMES"/' 'cumsum sweep: the options'
broken cumsum.1 's/^\.SS minimize/.SS minimise/' 'the commands (<) and the sections'
broken cumsum.1 '/^\.B cumsum judge/d' 'the synopsis has no judge'
! command -v groff >/dev/null ||
    broken cumsum.1 's/^\.SH OUTPUT/.nosuch request/' 'no good roff'
broken command-line.md 's/--write-baseline/--baseline-to-write/' 'has nothing of: sweep --write-baseline'
broken command-line.md '/^    cumsum fingerprint /d' 'does not list fingerprint'
[ $failed -eq 0 ] && echo "all noticed"
exit $failed
