#!/bin/sh
# SPDX-License-Identifier: MIT
# stale_bytecode.sh CMAKE ROOT: tests that check_bytecode.cmake finds a changed source, a changed
# included file, changed or missing bytecode, a file that is not in the list, and a wrong hash.
set -u
cmake=$1 root=$2
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
shaders=$work/src/gpu/shaders
mkdir -p "$work/src/gpu" "$work/tests/gpu" || exit 3
cp -R "$root/src/gpu/shaders" "$work/src/gpu" || exit 3
cp -R "$root/tests/gpu/broken_shaders" "$root"/tests/gpu/*.hlsl "$root"/tests/gpu/*.dxbc \
    "$work/tests/gpu" || exit 3
cp -R "$work" "$work.right" || exit 3
trap 'rm -rf "$work" "$work.right"' EXIT

check() {
    output=$("$cmake" -D ROOT="$work" -P "$root/tests/gpu/check_bytecode.cmake" 2>&1)
}

# expect TEXT: the check fails, and says so. Then the change is undone.
expect() {
    if check; then
        echo "not found: $1"
        exit 1
    fi
    case $output in
    *"$1"*) echo "found: $1" ;;
    *)
        echo "expected '$1', got: $output"
        exit 1
        ;;
    esac
    rm -rf "$work"
    cp -R "$work.right" "$work" || exit 3
}

check || { echo "the copy is not right: $output" && exit 1; }
echo "// changed" >>"$shaders/blocked_tile.hlsl"
expect "src/gpu/shaders/blocked_tile.hlsl is another one than that of the list"
echo "// changed" >>"$shaders/scan_half.hlsli"
expect "src/gpu/shaders/scan_half.hlsli is another one than that of the list"
printf 'DXBC' >>"$work/tests/gpu/regrouped_sums.dxbc"
expect "tests/gpu/regrouped_sums.dxbc is another one than that of the list"
rm "$shaders/blocked_line_float16.dxbc"
expect "src/gpu/shaders/blocked_line_float16.dxbc is missing"
sed -i '/broken_zero/d' "$shaders/bytecode.txt"
expect "tests/gpu/broken_shaders/broken_zero.hlsl is not in the list"
sed -i 's/^0\(.*device_copy.dxbc\)$/1\1/; s/^[^0]\(.*device_copy.dxbc\)$/0\1/' "$shaders/bytecode.txt"
expect "src/gpu/shaders/device_copy.dxbc is another one than that of the list"
echo "// elements: FLOAT32" >>"$shaders/device_copy.hlsl"
expect "src/gpu/shaders/device_copy_float32.dxbc is missing"
