#!/bin/sh
# SPDX-License-Identifier: MIT
# check_exports.sh NM LIBRARY MACRO FOLDER...: the library exports every function that the headers of
# the folders declare with MACRO, and nothing else.
nm=$1 library=$2 macro=$3
shift 3

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

"$nm" -D --defined-only "$library" | awk '{ print $NF }' | sed 's/@.*//' | sort -u >"$work/exported"
# A declaration may span lines: join the file, then take the name before each first parenthesis.
find "$@" -name '*.h' -exec cat {} + | grep -v '^#' | tr '\n' ' ' | grep -o "\b$macro [^(;]*(" |
    sed 's/ *($//; s/.*[ *]//' | sort -u >"$work/declared"

if [ ! -s "$work/declared" ]; then
    echo "no declaration found in $*"
    exit 1
fi
if ! diff "$work/declared" "$work/exported" >"$work/difference"; then
    echo "< declared and not exported, > exported and not declared:"
    grep '^[<>]' "$work/difference"
    exit 1
fi
echo "$(wc -l <"$work/exported") functions exported"
