#!/bin/bash
# SPDX-License-Identifier: MIT
# readme_output.sh SOURCE CUMSUM: the program prints what README.md shows in its ```console block,
# and a changed digit in the block is found.
set -u
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$2" "$work/bin/cumsum"
awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/shown"
command=$(sed -n '1s/^\$ //p' "$work/shown")
[ -n "$command" ] || { echo "FAIL: README.md has no console block that begins with a command"; exit 1; }
PATH="$work/bin:$PATH" bash -c "$command" >"$work/printed"
sed 1d "$work/shown" >"$work/expected"
diff -u "$work/expected" "$work/printed" || exit 1
# The planted fault.
sed 's/1\.6334677/1.6334678/' "$work/expected" >"$work/wrong"
! cmp -s "$work/wrong" "$work/printed" || { echo "FAIL: a changed digit is not found"; exit 1; }
