#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_subgroups.sh CUMSUM DEVICE: WGSL's own scans pass the list subgroups, judged by the profile
# wgsl, and every defect of broken.mjs in them is found. Skipped (77) without what device.sh wants,
# and where the device has no subgroups.
set -u
# shellcheck source=tests/webgpu/device.sh
source "$(dirname "$0")/device.sh" "$1" "$2"

sweep() { # sweep SCRIPT CASE...: what the sweep says; Dawn's warnings are on standard error
    local script=$1
    shift
    "$cumsum" sweep -q --color never --accept conformant --exec "$(serve "$script")" "$@" 2>/dev/null
}

# passes MODE COUNT [OPTION]...: COUNT cases of the list subgroups pass, and none fails.
passes() {
    local mode=$1 count=$2 said
    shift 2
    said=$(sweep "web/webgpu/subgroups.mjs $mode" "$@" subgroups)
    [[ $said != 'SKIP  '* ]] || skip "${said%%$'\n'*}"
    said=${said##*$'\n'}
    echo "$mode: $said"
    [[ $said =~ ^([0-9]+)' passed, 0 failed, ' && ${BASH_REMATCH[1]} -ge $count ]] ||
        fail "$mode: not $count cases"
}

# finds DEFECT MODE SUM LENGTH DATA: the lines fail with the defect.
finds() {
    local case=float32.sequential.increasing.$3.40x$4.axis1.in-packed.out-packed.$5.seed1 said
    said=$(sweep "tests/webgpu/broken.mjs $1 $2" "$case")
    [[ $said = fail*'the oracle: FAIL: '*', profile wgsl'* ]] ||
        fail "the defect $1 of $2 is not found: $said"
}

# totals SCRIPT STATE: of 40 lines; the last line of the judgement begins with STATE.
totals() {
    local case=float32.sequential.increasing.inclusive.40x3.axis1.in-packed.out-packed said
    said=$("$cumsum" judge --sum axis -q --exec "$(serve "$1")" "$case.distinct-sums.seed1" 2>/dev/null)
    [[ ${said##*$'\n'} = "$2"* ]] || fail "totals of $1: $said"
}

passes scan 80
passes add 40
passes workgroup 30 --shard 1/12
for mode in scan add workgroup; do
    finds dropped $mode inclusive 3 distinct-sums
done
finds inclusive scan exclusive 3 normal
finds before workgroup inclusive 9 distinct-sums
totals 'web/webgpu/subgroups.mjs add' '1 passed, 0 failed'
totals 'web/webgpu/subgroups.mjs workgroup' '1 passed, 0 failed'
totals 'tests/webgpu/broken.mjs dropped add' '0 passed, 1 failed'
said=$(node web/webgpu/subgroups.mjs sum 2>&1 3>&1 </dev/null)
[[ $? = 2 && $said = 'usage: '* ]] || fail "a wrong argument: $said"
exit $wrong
