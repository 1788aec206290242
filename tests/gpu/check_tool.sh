#!/bin/bash
# SPDX-License-Identifier: MIT
# check_tool.sh CUMSUM TESTS CASE [BENCH]: tests the tool with --backend d3d12. Exits with 77 without a
# device. CASE is the name of a function below.
set -u
cumsum=$1 tests=$2 case=$3 bench=${4-}
golden=("$tests"/golden/*/*.json)
documentation=("$tests"/golden/documentation/*.json)
data=$tests/cli/data
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*"
    tail -n 30 "$work/out" "$work/err"
    exit 1
}

# try STATUS ARGUMENTS...: runs the tool, which must exit with STATUS. Its output goes to $work/out
# and $work/err.
try() {
    local expected=$1 status
    shift
    "$cumsum" "$@" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -eq 77 ] && [ "$expected" -ne 77 ]; then
        echo "skipped:"
        cat "$work/err"
        tail -n 3 "$work/out"
        exit 77
    fi
    [ $status -eq "$expected" ] || fail "cumsum $* exits $status, not $expected"
}

# expect TEXT: standard output or standard error contains the text.
expect() {
    grep -qF -- "$1" "$work/out" "$work/err" || fail "$1 is missing from the output"
}

expect_last() {
    [ "$(tail -n 1 "$work/out")" = "$1" ] || fail "the last line is not: $1"
}

# Vulkan's validation layer, if it is installed, has nothing to say of the golden files.
golden() {
    export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
    try 0 verify --backend d3d12 "${golden[@]}"
    expect "backend d3d12 on "
    expect_last "648 passed, 0 failed, 0 skipped"
    ! grep -q VUID "$work/out" "$work/err" || fail "a call of Vulkan is wrong"
    try 77 verify --backend d3d12:debug "$data/small.json"
    expect "vkd3d has no debug layer"
}

all() {
    try 0 verify -q --backend d3d12 "${documentation[@]}"
    try 0 verify -q --backend all "${documentation[@]}"
    grep -qE '^reference +48 +0 +0$' "$work/out" || fail "there is no row for the reference"
    grep -qE '^d3d12 +48 +0 +0  on .' "$work/out" || fail "there is no row for the device"
    grep -qE '^directml +(48 |not available: )' "$work/out" || fail "there is no row for DirectML"
    try 0 verify --json --backend all "$data/small.json"
    expect '"event":"backend","backend":"d3d12","available":true,"device":'
    expect '"event":"device","backend":"d3d12","device":"'
}

# Exact sums are computed on the CPU only: the dispatch is skipped, and later dispatches read the
# CPU's output.
exact() {
    try 0 verify --backend d3d12 "$data/small.json"
    try 0 verify --backend d3d12 --numerics exact "$data/small.json"
    expect "backend d3d12: order is EXACT, but exact sums are computed on the CPU alone."
    expect_last "1 passed, 0 failed, 1 skipped"
    try 77 run --backend d3d12 --numerics exact "$data/float16-4.npy" --axis 0
    expect "SKIP  "
}

adapter() {
    try 0 verify --backend d3d12 "$data/small.json"
    try 0 info --json
    local name
    name=$(grep -oE '"adapters":\[\{"index":0,"name":"[^"]+' "$work/out" | sed 's/.*"//')
    [ -n "$name" ] || fail "no adapter is listed"
    local part=${name:1:5}
    try 0 verify --backend "d3d12:${part^^}" "$data/small.json"
    expect "backend d3d12 on $name"
    try 77 verify --backend 'd3d12:none is called so' "$data/small.json"
    expect "no adapter's name contains 'none is called so'; there are '$name"
}

info() {
    try 0 verify --backend d3d12 "$data/small.json"
    try 0 info
    grep -qE '^ +d3d12 +yes: .' "$work/out" || fail "the backend is not listed"
    grep -qE '^adapters +index: 0' "$work/out" || fail "no adapter is listed"
    expect "vendorId: 0x"
    expect "shaderModel: "
    grep -qE 'flushesFloat32Subnormals: (true|false)' "$work/out" ||
        fail "what was measured is not shown"
}

# The table's form, whatever the times are.
bench() {
    cumsum=$bench try 0 --backend d3d12 --repetitions 1 --type float16 'tiny*'
    expect "backend d3d12 on "
    [ "$(grep -cE '^tiny-3x4/[A-Z0-9]+/[a-z]+/d3d12 +[0-9.]+ [mu]s( +[0-9.]+){10}$' "$work/out")" -eq 2 ] ||
        fail "there are not two rows"
    cumsum=$bench try 0 --backend d3d12 --repetitions 2 --json --type int32 --order blocked 'columns-l2*'
    expect '"name":"columns-l2/INT32/blocked/d3d12"'
    expect '"cold_ratio_to_copy":'
    cumsum=$bench try 77 --backend 'd3d12:none is called so' tiny
    expect "SKIPPED: backend d3d12"
    cumsum=$bench try 2 --backend d3d12:threads=2 tiny
    expect "'threads=2' is no part of a device's name"
}

# Fingerprints find the shaders' orders.
fingerprint() {
    try 0 fingerprint --backend d3d12 --length 40
    expect "source       backend d3d12 on "
    expect "order        sequential"
    [ "$(grep -c 'same bits' "$work/out")" -eq 5 ] || fail "the bits depend on something"
    try 0 fingerprint --backend d3d12 --length 40 --numerics blocked --type float16
    expect "order        blocked"
    expect "sums         binary32, stored nearest-even"
    try 77 fingerprint --backend d3d12 --numerics exact
    expect "SKIPPED"
}

# In a process of its own and in the tool's: the same results on the same device.
sweep() {
    local names="{float32,float16}.{sequential,blocked}.decreasing.exclusive.3x40.axis1.in-44x1.out-packed+16.uniform.seed1"
    local isolate
    for isolate in auto never; do
        CUMSUM_ISOLATE=$isolate try 0 sweep --backend d3d12 --output "$work/$isolate.jsonl" "$names"
        expect_last "4 passed, 0 failed, 0 skipped"
        sed -i 's/"machines":.*//; s/"microseconds":.*//; s/"ended":.*//' "$work/$isolate.jsonl"
    done
    cmp "$work/auto.jsonl" "$work/never.jsonl" || fail "other results"
    head -n 1 "$work/auto.jsonl" | grep -qE '"device":"[^"]+","adapter":"[^"]+"' || fail "no device"
    try 0 sweep --backend d3d12 --accept conformant --timeout 60000 "$names"
    try 77 sweep --backend 'd3d12:none is called so' "$names"
    expect "SKIP  backend d3d12: no device: no adapter's name contains 'none is called so'"
}

# No device sums a line of 64 Mi elements in sequential order within a millisecond. If opening the
# device already takes longer, that is a timeout too.
timeout() {
    try 0 verify --backend d3d12 "$data/small.json"
    cumsum=$bench try 3 --backend d3d12 --timeout 1 --type float32 --order sequential 'row-1x64M*'
    expect "device timeout: the GPU did not finish within 1 ms"
}

# Without a driver or a loader, the tool skips with the reason.
missing() {
    try 0 verify --backend d3d12 "$data/small.json"
    export VK_DRIVER_FILES=/nonexistent.json VK_ICD_FILENAMES=/nonexistent.json
    try 77 verify --backend d3d12 "$data/small.json"
    expect "backend d3d12: no device: "
    expect "Vulkan has no driver"
    try 0 info
    grep -qE '^ +d3d12 +no: no device: .' "$work/out" || fail "info does not say why"
    : >"$work/libvkd3d.so.1"
    export LD_LIBRARY_PATH=$work
    try 77 run --backend d3d12 "$data/int32-2x3.npy" --axis 0
    expect "libvkd3d.so.1"
    expect "SKIP  "
    rm "$work/libvkd3d.so.1"
    ln -s "$(ldd "$cumsum" | awk '/libc[.]so/ { print $3 }')" "$work/libvulkan.so.1"
    try 77 verify --backend d3d12 "$data/small.json"
    expect "libvulkan.so.1 has no vkGetInstanceProcAddr"
}

"$case"
