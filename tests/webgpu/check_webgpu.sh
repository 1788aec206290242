#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_webgpu.sh CUMSUM DEVICE [CASE]...: web/webgpu in Node gives the bits of cases of the suite
# and of the golden files, every defect of broken.mjs is found, and check_device.mjs passes.
# Without what device.sh wants, or the device, it is skipped (77).
set -u
# shellcheck source=tests/webgpu/device.sh
source "$(dirname "$0")/device.sh" "$1" "$2"
shift 2
said=$("$cumsum" run --exec "$(serve web/webgpu/serve.mjs)" \
    tests/cli/data/int32-2x3.npy --axis 1 2>&1) || skip "no $device: ${said##*cumsum: }"

sweep() { # sweep SCRIPT CASE...: what the sweep says; Dawn's warnings are on standard error
    local script=$1
    shift
    "$cumsum" sweep -q --exec "$(serve "$script")" "$@" 2>/dev/null
}

# finds DEFECT CASE...: the cases pass, and one of them fails with the defect.
finds() {
    local defect=$1 said
    shift
    cases+=("$@")
    said=$(sweep "tests/webgpu/broken.mjs $defect" "$@")
    grep -q '^fail ' <<<"$said" || fail "the defect $defect is not found: $said"
}

said=$(node web/webgpu/serve.mjs oddity 2>&1 3>&1 </dev/null)
[[ $? = 1 && $said = 'serve.mjs: '*'<key>=<value>' ]] || fail "a wrong argument: $said"
cases=("$@")
# SwiftShader compiles each shader anew for each process, and takes ten times as long.
[ $# -gt 0 ] || { [ "$device" = llvmpipe ] && cases=(quick) || cases=(--shard 1/16 quick); }
a=increasing.inclusive end=in-packed.out-packed
finds chunk "float32.sequential.$a.2x16385.axis1.$end.small-integers.seed4"
finds place "int32.wrap.$a.3x17.axis1.$end.full-range.seed1"
finds ties "float16.sequential-half.$a.4x100.axis1.$end.ties.seed1"
finds carry "int64.wrap.$a.3x65.axis1.$end.carry-32.seed1"
said=$(sweep web/webgpu/serve.mjs "${cases[@]}")
echo "$said"
grep -Eq '^[1-9][0-9]* passed, 0 failed, ' <<<"$said" || fail "the bits of the suite's cases"

said=$("$cumsum" verify -q --exec "$(serve web/webgpu/serve.mjs)" \
    "$tests"/golden/directml/*.json "$tests"/golden/documentation/*.json 2>/dev/null)
echo "$said"
grep -Eq '^[1-9][0-9]* passed, 0 failed, ' <<<"$said" || fail "the golden files"
said=$(sh -c "${before}node tests/webgpu/check_device.mjs $after" 2>&1) ||
    fail "check_device.mjs: $said"
exit $wrong
