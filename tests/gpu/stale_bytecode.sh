#!/bin/sh
# SPDX-License-Identifier: MIT
# stale_bytecode.sh CMAKE TESTS SHADERS: tests that check_bytecode.cmake finds a changed source, a
# changed included file, and a missing header.
set -u
cmake=$1 tests=$2 shaders=$3
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

# expect TEXT: the check fails, and says so.
expect() {
    if output=$("$cmake" -D FOLDER="$work" -D SHADERS="$work" -P "$tests/check_bytecode.cmake" 2>&1); then
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
}

cp "$shaders"/* "$work" || exit 3
echo "// changed" >>"$work/blocked_tile.hlsl"
expect "blocked_tile.dxbc.h was not made from this blocked_tile.hlsl"
cp "$shaders/blocked_tile.hlsl" "$work"
echo "// changed" >>"$work/scan_half.hlsli"
expect "sequential_direct.dxbc.h was not made from this scan_half.hlsli"
cp "$shaders/scan_half.hlsli" "$work"
rm "$work/blocked_line.dxbc.h"
expect "blocked_line.dxbc.h is missing, or made from something else"
