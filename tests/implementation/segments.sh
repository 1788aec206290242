#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# segments.sh CUMSUM COMMAND: does the implementation that COMMAND starts sum segments, and from an
# initial value on, as the CPU does?
set -u
cumsum=$1 command=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
for n in {1..24}; do printf '%b' "\\$(printf %o "$n")\0\0\0"; done >x.bin # 4 lines of 6
printf '\0\2\2\6' >all.bin
printf '\1\1\2\2\2\2\1\2\3\4\4\4\7\7\7\7\7\7\1\1\1\2\1\1' >keys.bin

run() { # run OPTION...: the sums of x.bin in both directions, along both axes of 6 elements
    local how
    for how in '--raw int32:4x6 --axis 1' '--raw uint32:6x4 --axis 0 --exclusive --reverse'; do
        # shellcheck disable=SC2086
        "$cumsum" run x.bin "$@" $how 2>&1 || return
    done
}

for cut in '' '--segments offsets=uint8:all.bin' '--segments keys=uint8:keys.bin'; do
    for initial in '' '--initial 7'; do
        # shellcheck disable=SC2086
        expected=$(run $cut $initial) || exit 1
        # shellcheck disable=SC2086
        asked=$(run $cut $initial --exec "$command")
        grep "No module named '[^c]\|little-endian" <<<"$asked" && exit 77
        [ "$asked" = "$expected" ] && continue
        printf '%s %s\n%s\nexpected:\n%s\n' "$cut" "$initial" "$asked" "$expected"
        exit 1
    done
done
