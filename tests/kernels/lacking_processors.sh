#!/bin/sh
# SPDX-License-Identifier: MIT
# lacking_processors.sh CUMSUM MODEL: on emulated processors that lack one of the instruction sets of
# the AVX2 kernels, these are not offered. The emulator has no AVX-512: test_cpuid.c makes it up.
set -u
command -v qemu-x86_64 >/dev/null || { echo "skipped: no qemu-x86_64 (Debian: qemu-user)"; exit 77; }
"$1" info | grep -q 'this build has no AVX2' && echo "skipped: this build has no avx2 kernels" && exit 77
failed=0
for lacks in "" sse3 fma sse4.1 sse4.2 popcnt xsave avx f16c avx2; do # libc uses ssse3 unasked
    expected="cumsum: kernel avx2 is not available: "
    [ -n "$lacks" ] || expected="6 passed, 0 failed, 0 skipped"
    last=$(qemu-x86_64 -cpu "Haswell${lacks:+,-$lacks}" "$1" verify --backend cpu:avx2 "$2" 2>&1 |
        tail -n 1)
    echo "without '$lacks': $last"
    case $last in "$expected"*) ;; *) echo "FAIL: not $expected" && failed=1 ;; esac
done
exit $failed
