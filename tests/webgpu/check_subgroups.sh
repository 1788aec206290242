#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_subgroups.sh CUMSUM DEVICE: WGSL's own scans pass the list subgroups, judged by the profile
# wgsl, and every defect of broken.mjs in them is found. Skipped (77) without what device.sh wants,
# and where the device has no subgroups.
set -u
# shellcheck source=tests/webgpu/device.sh
source "$(dirname "$0")/device.sh" "$1" "$2"
profile=wgsl
command_of() {
    local script=web/webgpu/subgroups.mjs
    [ $# -eq 1 ] || script="tests/webgpu/broken.mjs $2"
    serve "$script $1"
}
# shellcheck source=tests/exec/own_sums.sh
source "$tests/exec/own_sums.sh"

passes scan 80
passes add 40
passes workgroup 30 --shard 1/12
for mode in scan add workgroup; do
    finds dropped $mode inclusive 3 distinct-sums
done
finds inclusive scan exclusive 3 normal
finds before workgroup inclusive 9 distinct-sums
totals '1 passed, 0 failed' add
totals '1 passed, 0 failed' workgroup
totals '0 passed, 1 failed' add dropped
said=$(node web/webgpu/subgroups.mjs sum 2>&1 3>&1 </dev/null)
[[ $? = 2 && $said = 'usage: '* ]] || fail "a wrong argument: $said"
exit $wrong
