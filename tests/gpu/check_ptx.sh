#!/bin/bash
# SPDX-License-Identifier: MIT
# check_ptx.sh FOLDER...: NVIDIA's assembler takes the kernels *.ptx of the folders. Skipped (77)
# without it.
set -u
command -v ptxas >/dev/null || { echo "SKIPPED: there is no ptxas" && exit 77; }
count=0
for folder in "$@"; do
    for file in "$folder"/*.ptx; do
        ptxas -arch=sm_90 -o /dev/null "$file" || { echo "FAIL: $file" && exit 1; }
        count=$((count + 1))
    done
done
echo "$count kernels"
[ $count -gt 0 ]
