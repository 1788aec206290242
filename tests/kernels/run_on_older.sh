#!/bin/sh
# SPDX-License-Identifier: MIT
# run_on_older.sh CHECK_KERNELS CUMSUM SHARE COUNT CPU KERNELS MODEL...: the checker and the golden
# files on an emulated processor. KERNELS are those it runs, the best one last: "reference portable
# avx2". Exit 77 where there is no emulator.
set -u
check=$1
cumsum=$2
share=$3
count=$4
cpu=$5
kernels=$6
shift 6

if ! command -v qemu-x86_64 >/dev/null; then
    echo "skipped: no qemu-x86_64 (Debian: qemu-user)"
    exit 77
fi

# TCG is the emulator, so nothing but what the model has gets executed: other instructions end the
# program with SIGILL. It says on standard error what a model has that it does not emulate.
on_older() {
    qemu-x86_64 -cpu "$cpu" "$@" 2>&1 | grep -v "TCG doesn't support requested feature"
}

fail() {
    echo "$cpu: $1"
    exit 1
}

found=$(on_older "$cumsum" info | sed 's/^kernels//' | awk '$2 == "yes" { print $1 }' |
    grep -E '^(reference|portable|avx2|avx512|neon)$' | paste -sd ' ')
[ "$found" = "$kernels" ] || fail "runs the kernels '$found', not '$kernels'"

# What is chosen where nothing is asked for shows in the last column of a verified case.
best=${kernels##* }
on_older "$cumsum" verify "$1" | grep -q "kernel $best\$" || fail "does not choose the kernel $best"

last=$(on_older "$cumsum" verify -q --kernel all "$@" | tail -n 1)
expected=$((count * $(echo "$kernels" | wc -w)))
[ "$last" = "$expected passed, 0 failed, 0 skipped" ] || fail "golden files: $last"
echo "$cpu: golden files: $last"

# The emulator loads all 32 bytes of a VPMASKMOVD, which a processor does not: hence the margin.
output=$(on_older "$check" --share "$share" --margin 16)
printf '%s\n' "$output"
printf '%s\n' "$output" | tail -n 1 | grep -q ', 0 differ$' || fail "the checker found differences"
