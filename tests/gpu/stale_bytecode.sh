#!/bin/sh
# SPDX-License-Identifier: MIT
# stale_bytecode.sh CMAKE ROOT: check_bytecode.cmake finds a changed source and bytecode that is
# missing.
set -u
cmake=$1 root=$2
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
shaders=$work/src/gpu/shaders
mkdir -p "$work/src/gpu" "$work/tests" || exit 3
cp -R "$root/src/gpu/shaders" "$work/src/gpu" && cp -R "$root/tests/gpu" "$work/tests" || exit 3

echo "// changed" >>"$shaders/scan_half.hlsli"
rm "$shaders/blocked_line_float16.dxbc"
said=$("$cmake" -D ROOT="$work" -P "$root/tests/gpu/check_bytecode.cmake" 2>&1) && exit 1
echo "$said"
for wrong in "scan_half.hlsli is another one than that of the list" \
    "blocked_line_float16.dxbc is in the list and missing"; do
    case $said in *"src/gpu/shaders/$wrong"*) ;; *) exit 1 ;; esac
done
