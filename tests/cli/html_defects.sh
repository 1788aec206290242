#!/bin/bash
# SPDX-License-Identifier: MIT
# html_defects.sh CUMSUM DEFECT: tests the page of a sweep on defective kernels. DEFECT is a library
# that plants the defect named by CUMSUM_DEFECT. The page must name every failing case and show the
# defect.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cumsum=$(realpath "$1")
defect=$(realpath "$2")
cd "$work" || exit 1
command -v xmllint >/dev/null || { echo "skipped: xmllint is missing"; exit 77; }

fail() {
    echo "FAIL: $*"
    exit 1
}

# page DEFECT NAME: runs a sweep that writes results.jsonl and report.html
page() {
    CUMSUM_DEFECT=$1 LD_PRELOAD=$defect "$cumsum" sweep -q --kernel portable "$2" \
        --output results.jsonl --html report.html >out
    [ $? -eq 1 ] || fail "no case fails with the defect $1"
    xmllint --noout report.html || fail "the page of $1 is not well-formed"
}

query() { # query XPATH: local names stand for elements
    local path
    path=$(sed -E 's@//([a-z0-9]+)@//*[local-name()="\1"]@g' <<<"$1")
    xmllint --xpath "$path" report.html 2>/dev/null
}

expect() { # expect XPATH TEXT
    local found
    found=$(query "$1")
    [ "$found" = "$2" ] || fail "$1 is '$found', not '$2'"
}

# The page must name every failing case. It breaks names after their dots.
all_there() {
    local plain name count=0
    plain=$(sed 's@<wbr/>@@g' report.html)
    while read -r name; do
        grep -qF "$name</code>" <<<"$plain" || fail "the page has no $name"
        count=$((count + 1))
    done < <(sed -nE 's/.*"name":"([^"]*)","state":"(fail|crash)".*/\1/p' results.jsonl)
    [ $count -eq "$1" ] || fail "$count cases fail, not $1"
    expect 'string(//p[@class="lead"]/text())' "$2"
}

# The kernel loses the carry at the 17th element: only lines of 17 or more elements fail.
page carry 'float32.sequential.increasing.inclusive.{10..25}.axis0.in-packed.out-packed.small-integers.seed1'
all_there 9 ' 9 cases of 16 fail the sweep.'
expect 'string(//section[@id="common"]//p[1]//strong)' \
    'lines of 17 elements or more: 9 of 9 cases fail, elsewhere 0'
grep -qxF 'the failures: lines of 17 elements or more: 9 of 9 cases fail, elsewhere 0' out ||
    fail "the sweep does not say where the failures are"
expect 'string(//section[@id="common"]//p[2]//strong)' '17 to 64'
expect 'string((//section[@id="common"]//table)[1]//th[1])' 'length of the lines'
expect 'string((//section[@id="common"]//table)[1]//tbody/*[1])' '17 to 6499100 %'
expect 'string((//article)[1]//h4)' \
    'float32.sequential.increasing.inclusive.17.axis0.in-packed.out-packed.small-integers.seed1'
expect 'string(((//article)[1]//title)[1])' '16: 1 of 1 differ'
expect 'count(((//article)[1]//path))' '1'
expect 'string((//article)[1]//td[2])' '-10 0xc1200000'
expect 'string((//article)[1]//td[3])' '0 0x00000000'
expect 'starts-with((//article)[1]//p[2], "The oracle: FAIL: 1 of 17 outputs fail")' 'true'

# The wrong element is in the first of several lines along the second dimension.
page carry 'int32.wrap.decreasing.exclusive.{3,4}x40.axis1.in-packed.out-packed.ones.seed0'
all_there 2 ' 2 cases of 2 fail the sweep.'
expect 'string(((//article)[1]//title)[1])' '16: 1 of 3 differ'
expect 'string(((//article)[1]//text)[last()])' 'distance'
expect 'count((//article)[1]//figure)' '3'

# The kernel adds in another order: the page names it.
page order 'float32.sequential.increasing.inclusive.3x{8,16,37}.axis1.in-packed.out-packed.normal.seed1'
all_there 3 ' 3 cases of 3 fail the sweep.'
expect 'contains((//article)[1]//p[2], "order blocked")' 'true'

# Changed bytes between the elements have no distance and no charts.
page gap 'float32.sequential.decreasing.exclusive.4x37.axis1.in-80x2.out-74x2+32.normal.seed1'
all_there 1 ' 1 case of 1 fails the sweep.'
expect 'string((//article)[1]//p[1])' 'fail: 1 bytes that belong to no element were written'
expect 'count((//article)[1]//figure)' '0'

# The device is lost.
page crash 'float32.sequential.increasing.inclusive.{16,17}.axis0.in-packed.out-packed.ones.seed0'
all_there 1 ' 1 case of 2 fails the sweep.'
expect 'string((//article)[1]/@class)' 'crash'
expect 'string((//article)[1]//p[1])' 'crash: device removed'

# The page counts the cases that it does not show.
page carry 'int64.wrap.increasing.inclusive.{20..60}.axis0.in-packed.out-packed.ones.seed0'
expect 'count(//article)' '3'
expect 'count((//section[@id="failures"]//tbody)[last()]/*)' '20'
grep -q 'And 18 more: they are in the results' report.html || fail "what is left out is not counted"
(all_there 41 ' 41 cases of 41 fail the sweep.') >/dev/null && fail "all_there misses no case"
echo "all as expected"
