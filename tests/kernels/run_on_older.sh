#!/bin/sh
# SPDX-License-Identifier: MIT
# run_on_older.sh CHECK_KERNELS CUMSUM SHARE COUNT CPU KERNELS BUILT MODEL...: the checker and the
# golden files on an emulated processor. KERNELS are those that it runs, the best one last: "reference
# portable avx2". BUILT are the sets of this build: "portable avx2". Exits with 77 without an emulator,
# or if one of KERNELS is left out.
set -u
check=$1
cumsum=$2
share=$3
count=$4
cpu=$5
kernels=$6
built=$7
shift 7

if ! command -v qemu-x86_64 >/dev/null; then
    echo "skipped: no qemu-x86_64 (Debian: qemu-user)"
    exit 77
fi

for kernel in $kernels; do
    case " reference $built " in
    *" $kernel "*) ;;
    *) echo "skipped: this build has no $kernel kernels" && exit 77 ;;
    esac
done

# TCG emulates only the instructions of the model; any other one ends the program with SIGILL. On
# standard error TCG lists features of the model that it does not emulate.
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

# The last column of a verified case shows the kernel that is chosen by default.
best=${kernels##* }
on_older "$cumsum" verify "$1" | grep -q "kernel $best\$" || fail "does not choose the kernel $best"

last=$(on_older "$cumsum" verify -q --backend cpu:all "$@" | tail -n 1)
expected=$((count * $(echo "$kernels" | wc -w)))
[ "$last" = "$expected passed, 0 failed, 0 skipped" ] || fail "golden files: $last"
echo "$cpu: golden files: $last"

# The margin is needed because the emulator, unlike a processor, loads all 32 bytes of a VPMASKMOVD.
output=$(on_older "$check" --share "$share" --margin 16)
printf '%s\n' "$output"
printf '%s\n' "$output" | tail -n 1 | grep -q ', 0 differ$' || fail "the checker found differences"
