#!/bin/sh
# SPDX-License-Identifier: MIT
# verify_kernels.sh COUNT CUMSUM MODEL...: all golden files with the kernel that is chosen by default,
# and with every kernel that runs here, in pools of several sizes.
set -e
expect=${0%/*}/expect_passed.sh count=$1 cumsum=$2
shift 2
sh "$expect" "$count" "$cumsum" verify -q "$@"
kernels=$("$cumsum" info | grep -cE '(reference|portable|avx2|avx512|neon) +yes$')
for threads in 1 2 3 8; do
    sh "$expect" $((count * kernels)) "$cumsum" verify -q --backend "cpu:all,threads=$threads" "$@"
    echo "$kernels kernels, $threads threads: $((count * kernels)) passed"
done
