#!/bin/sh
# SPDX-License-Identifier: MIT
# verify_golden.sh CUMSUM KERNEL COUNT MODEL...: all golden files with a kernel and with pools of
# several sizes. Exits with 77 if the kernel does not run on this machine.
set -u
cumsum=$1
kernel=$2
count=$3
shift 3

# "avx2  yes" or "neon  no: this build has no NEON kernels", with or without "kernels" before it.
state=$("$cumsum" info | sed 's/^kernels//' | awk -v kernel="$kernel" '$1 == kernel { $1 = ""; print }')
case $kernel$state in
auto | *" yes"*) ;;
"$kernel")
    echo "cumsum info does not name the kernel '$kernel'"
    exit 1
    ;;
*)
    echo "skipped: kernel $kernel:$state"
    exit 77
    ;;
esac

for threads in 1 2 3 8; do
    output=$("$cumsum" verify -q --backend "cpu:$kernel,threads=$threads" "$@")
    status=$?
    last=$(printf '%s\n' "$output" | tail -n 1)
    if [ "$status" -ne 0 ] || [ "$last" != "$count passed, 0 failed, 0 skipped" ]; then
        printf '%s\n' "$output" | tail -n 40
        echo "kernel $kernel, $threads threads: exit $status, not 0 with $count passed"
        exit 1
    fi
    echo "kernel $kernel, $threads threads: $last"
done
