#!/bin/sh
# SPDX-License-Identifier: MIT
# check_circles.sh NM OBJECT...: the files of a folder call each other in one direction. A file calls
# another if it uses a function or an object that the other defines; tsort looks for circles among
# these pairs.
nm=$1
shift
calls=$("$nm" -A "$@" | awk '
    { object = $1; sub(/:[^:]*$/, "", object) }
    $(NF - 1) !~ /^[A-Z]$/ { next }
    $(NF - 1) == "U" { uses[object, $NF] = 1; next }
    { definer[$NF] = object }
    END {
        for (pair in uses) {
            split(pair, use, SUBSEP)
            if (use[2] in definer)
                print use[1], definer[use[2]]
        }
    }') || exit 1
if [ -z "$calls" ]; then
    echo "no call between the files found"
    exit 1
fi
if ! circle=$(printf '%s\n' "$calls" | sed 's|[^ ]*/||g' | tsort 2>&1 >/dev/null); then
    echo "these files call each other in a circle:"
    printf '%s\n' "$circle"
    exit 1
fi
echo "$(printf '%s\n' "$calls" | sort -u | wc -l) pairs of files, no circle"
