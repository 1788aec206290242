#!/bin/bash
# SPDX-License-Identifier: MIT
# check_variants.sh BENCH FOLDER: the rows of cumsum_bench for the variants in FOLDER, on the stand-in
# for libcuda.so.1, which says 40 registers, 30 spilled bytes and groups of 512 threads together. Each
# variant is right, and measured where it has the kernel of the case: a single pass, a group for a
# tile, a thread for a tile. Integers have no other kernels of the blocked order.
set -u
out=$("$1" --backend cuda --order blocked --repetitions 0 --variants "$2" '*-l2/*')
status=$?
echo "$out"
[ $status -eq 0 ] || { echo "FAIL: cumsum_bench exits with $status" && exit 1; }

# rows CASE VARIANTS...: the case has these rows and no others.
rows() {
    local found
    found=$(sed -nE "s|^$1/blocked/([^ ]*) .* 40\.000 +30\.000 +[1248]\.000 +0\.250\$|\1|p" <<<"$out" | xargs)
    [ "$found" = "${*:2}" ] || { echo "FAIL: the rows of $1 are $found" && exit 1; }
}
rows row-l2/FLOAT32 cuda subnormals carries groups16 threads128 threads256 tiles4 across ticket waiting wide together together4
rows row-l2/FLOAT16 cuda halves carries groups16 pairs threads128 threads256 tiles4 across ticket wide together together4
rows row-l2/INT32 cuda groups16 threads128 threads256 tiles4 across ticket waiting totals shuffles lookback wide together together4
rows row-l2/INT64 cuda carries totals lookback wide
rows rows-l2/FLOAT16 cuda halves carries groups24 pairs wide together
rows rows-l2/FLOAT32 cuda subnormals carries groups24 wide together
rows columns-l2/FLOAT16 cuda halves
[ "$(grep -c '^[a-z]*-l2/INT' <<<"$out")" -eq 23 ] || { echo "FAIL: other rows of integers" && exit 1; }
