#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check.sh PART ROOT SCRATCH: integers at their limits, for all inputs.
#
#     wide      src/oracle/exact/wide.h, in limbs of 4 bits
#     problem   src/tensor/extent.c and problem.c, in integers of 4 and 8 bits
#     extents   src/tensor/extent.c in its own widths, by Frama-C
#
# Exits with 77 if clang, whose integers have any width, or Frama-C is missing.
set -euo pipefail

part=$1 root=$2 scratch=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clang=$(command -v clang-14 || command -v clang || true)
mkdir -p "$scratch"

# reduce FROM TO EXPRESSION...: copies a source of the project, changed.
reduce() {
    local from=$root/$1 to=$scratch/$2
    shift 2
    sed -E -e '' "${@/#/-e}" "$from" >"$to"
}
compile_and_run() {
    [ -n "$clang" ] || { echo "SKIPPED: no clang" && exit 77; }
    "$clang" -O2 -std=c2x -Wno-everything -I"$scratch" -I"$root/src/tensor" -I"$root/include" \
        "$here/$1.c" -o "$scratch/$1"
    "$scratch/$1"
}
check_wide() {
    reduce src/oracle/exact/wide.h wide_reduced.h 's/uint64_t/limb_type/g' \
        's/UINT64_C\(1\)/(limb_type)1/g' 's/\b64\b/4/g' 's/\b63\b/3/g' 's/\b32\b/2/g' \
        's/0xFFFFFFFFu/3u/g'
    compile_and_run reduced_wide
}
check_problem() {
    reduce src/tensor/extent.h extent.h 's/UINT64_C\(0xFFFFFFFF\)/((broad)15)/'
    reduce src/tensor/extent.c extent_reduced.c 's/UINT64_C\(3\)/(broad)3/'
    reduce src/tensor/problem.c problem_reduced.c
    compile_and_run reduced_problem
}
check_extents() {
    command -v frama-c >/dev/null || { echo "SKIPPED: no frama-c" && exit 77; }
    reduce src/tensor/extent.c extent.c
    frama-c -eva -eva-slevel 2000 -warn-unsigned-overflow -warn-signed-overflow \
        -cpp-extra-args="-I$scratch -I$root/src/tensor -I$root/include" "$here/all_extents.c" \
        >"$scratch/eva.log"
    sed -n '/ANALYSIS SUMMARY/,$p' "$scratch/eva.log"
    grep -q '^  0 alarms' "$scratch/eva.log"
}

"check_$part"
