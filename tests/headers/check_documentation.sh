#!/bin/sh
# SPDX-License-Identifier: MIT
# check_documentation.sh DOXYGEN BUILD SOURCE: doxygen makes the pages of the public headers without a
# warning, the comments of the headers are on them, and a wrong comment is noticed.
set -eu
doxygen=$1 build=$2 source=$3
work=$build/checked
rm -rf "$work"
mkdir -p "$work/wrong"

# make_pages INPUT: makes pages with the settings of the target `docs`.
make_pages() {
    sed "s|^INPUT .*|INPUT = $1|; s|^OUTPUT_DIRECTORY .*|OUTPUT_DIRECTORY = $work|" \
        "$build/Doxyfile.docs" >"$work/Doxyfile"
    "$doxygen" "$work/Doxyfile" 2>&1
}

fail() {
    echo "FAIL: $*"
    exit 1
}

said=$(make_pages "$source/include/cumsum") || fail "$said"
[ -z "$said" ] || fail "$said"
page=$work/html/cumsum_8h.html
for words in 'CreateOperator accept this descriptor?' 'level  *CUMSUM_FEATURE_LEVEL_DEFAULT' \
    'a null pointer or an option out of range'; do
    grep -q "$words" "$page" || fail "no page says: $words"
done
! grep -q SPDX "$page" || fail "the licence is taken for documentation"

# A parameter that the function does not have.
sed 's|^ \* Frees a plan|&\n * \\param flan the plan|; s|^/\* Frees a plan|/* \\param flan the plan. Frees a plan|' \
    "$source/include/cumsum/cumsum.h" >"$work/wrong/cumsum.h"
! said=$(make_pages "$work/wrong") || fail "a wrong comment goes unnoticed"
echo "$said" | grep 'flan'
