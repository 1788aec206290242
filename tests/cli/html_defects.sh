#!/bin/bash
# SPDX-License-Identifier: MIT
# html_defects.sh CUMSUM DEFECT: tests the records of a sweep's page on defective kernels. DEFECT is
# a library that plants the defect named by CUMSUM_DEFECT. The page must have every failing case,
# and show the defect. web.report tests what a browser makes of such records.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/cli/data/page_records.sh
. "$(dirname "$0")/data/page_records.sh"
cumsum=$(realpath "$1")
defect=$(realpath "$2")
cd "$work" || exit 1

fail() {
    echo "FAIL: $*"
    exit 1
}

# page DEFECT NAME FAILED: runs a sweep in which FAILED cases fail, has it write a page, and takes
# the page's records.
page() {
    rm -f results.jsonl
    CUMSUM_DEFECT=$1 LD_PRELOAD=$defect "$cumsum" sweep -q --kernel portable "$2" \
        --output results.jsonl --html report.html >out
    [ $? -eq 1 ] || fail "no case fails with the defect $1"
    page_records report.html >records
    all_there "$3"
}

all_there() { # all_there COUNT: COUNT failing cases are in the results, and all are in the page
    local line count=0
    while read -r line; do
        grep -qxF "$line" records || fail "the page has not: $line"
        count=$((count + 1))
    done < <(grep -E '"state":"(fail|crash)"' results.jsonl)
    [ $count -eq "$1" ] || fail "$count cases fail, not $1"
    line=$(sed -n '$p' results.jsonl | grep -o '"states":{[^}]*}')
    grep -qF "$line" records || fail "other states"
}

expect() { # expect FILE TEXT
    grep -qF "$2" "$1" || fail "$1 has not: $2"
}

# The kernel loses the carry at the 17th element: only lines of 17 or more elements fail.
page carry 'float32.sequential.increasing.inclusive.{10..25}.axis0.in-packed.out-packed.small-integers.seed1' 9
expect out 'the failures: lines of 17 elements or more: 9 of 9 cases fail, elsewhere 0'
expect records '"common":{"failed":9,"of":9,"conditions":["lines of 17 elements or more"],'
expect records '"shared":["lines of 17 elements or more"]'
expect results.jsonl '"conditions":["lines of 17 elements or more"]'
expect records '"actual":0,"actualHex":"0x00000000"'
expect records '"verdict":"FAIL: 1 of 17 outputs fail'

# The wrong element is in the first of several lines along the second dimension.
page carry 'int32.wrap.decreasing.exclusive.{3,4}x40.axis1.in-packed.out-packed.ones.seed0' 2
expect records '"columns":1,"columnSize":1,"differing":["................'

# The kernel adds in another order: the page names it.
page order 'float32.sequential.increasing.inclusive.3x{8,16,37}.axis1.in-packed.out-packed.normal.seed1' 3
expect records 'order blocked'

# Changed bytes between the elements have no distance and no charts.
page gap 'float32.sequential.decreasing.exclusive.4x37.axis1.in-80x2.out-74x2+32.normal.seed1' 1
expect records '"reason":"1 byte that belongs to no element was written"'
grep -q heatMap records && fail "a chart without differences"

# The device is lost.
page crash 'float32.sequential.increasing.inclusive.{16,17}.axis0.in-packed.out-packed.ones.seed0' 1
expect records '"state":"crash","reason":"device removed"'

# A page that lacks a case is found.
page carry 'int64.wrap.increasing.inclusive.{20..60}.axis0.in-packed.out-packed.ones.seed0' 41
sed -i 17d records
(all_there 41) >/dev/null && fail "all_there misses no case"
echo "all as expected"
