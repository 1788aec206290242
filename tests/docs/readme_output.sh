#!/bin/bash
# SPDX-License-Identifier: MIT
# readme_output.sh SOURCE CUMSUM: the commands behind '$ ' in the ```console block of README.md print
# what stands below them there, and a changed digit in the block is found.
set -u
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$2" "$work/bin/cumsum"
awk '/^```console$/ { inside = 1; next } /^```$/ { inside = 0 } inside' README.md >"$work/shown"
grep -q '^\$ cumsum ' "$work/shown" || { echo "FAIL: README.md has no console block with a command"; exit 1; }
while IFS= read -r line; do
    command=${line#'$ '}
    if [ "$command" != "$line" ]; then
        printf 'echo %q\n%s\n' "$line" "$command"
    fi
done <"$work/shown" >"$work/commands"
PATH="$work/bin:$PATH" bash "$work/commands" >"$work/printed"
diff -u "$work/shown" "$work/printed" || exit 1
# The planted fault.
sed 's/-1\.3939369/-1.3939368/' "$work/shown" >"$work/wrong"
! cmp -s "$work/wrong" "$work/printed" || { echo "FAIL: a changed digit is not found"; exit 1; }
