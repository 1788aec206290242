#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_webgpu.sh CUMSUM DEVICE [CASE]...: web/webgpu in Node gives the bits of cases of the suite
# and of the golden files, the defect of broken.mjs is found, and check_device.mjs passes. DEVICE is
# swiftshader, of Chromium, which flushes subnormals, or llvmpipe, of Mesa, which keeps them. Without
# node, the npm package webgpu or the device it is skipped (77).
set -u
cumsum=$(realpath "$1") device=$2
tests=$(dirname "$(dirname "$(realpath "$0")")")
cd "$tests/.." || exit 1
export LC_ALL=C
shift 2

skip() {
    echo "SKIPPED: $*"
    exit 77
}
command -v node >/dev/null || skip "no node"
node -e 'require("webgpu")' 2>/dev/null || skip "no npm package webgpu in NODE_PATH"
swiftshader=${CUMSUM_SWIFTSHADER:-/usr/lib/chromium/vk_swiftshader_icd.json}
case $device in
swiftshader)
    [ -e "$swiftshader" ] || skip "no SwiftShader (chromium)"
    export VK_ICD_FILENAMES=$swiftshader
    before='' after=backend=vulkan
    ;;
llvmpipe) before='env EGL_PLATFORM=surfaceless ' after=backend=opengles ;;
esac
serve() { echo "${before}node $* $after 3>&1 1>&2"; }
said=$("$cumsum" run --exec "$(serve web/webgpu/serve.mjs)" \
    tests/cli/data/int32-2x3.npy --axis 1 2>&1) || skip "no $device: ${said##*cumsum: }"

wrong=0
fail() {
    echo "FAIL: $*"
    wrong=1
}
sweep() { # sweep SCRIPT CASE...: what the sweep says; Dawn's warnings are on standard error
    local script=$1
    shift
    "$cumsum" sweep -q --exec "$(serve "$script")" "$@" 2>/dev/null
}

said=$(node web/webgpu/serve.mjs oddity 2>&1 3>&1 </dev/null)
[[ $? = 1 && $said = 'serve.mjs: '*'<key>=<value>' ]] || fail "a wrong argument: $said"
long=float32.sequential.increasing.inclusive.2x16385.axis1.in-packed.out-packed.small-integers.seed4
said=$(sweep tests/webgpu/broken.mjs "$long")
grep -q '^fail ' <<<"$said" || fail "the defect is not found: $said"
# SwiftShader compiles each shader anew for each process, and takes ten times as long.
cases=("$@")
[ $# -gt 0 ] || { [ "$device" = llvmpipe ] && cases=(quick) || cases=(--shard 1/16 quick); }
said=$(sweep web/webgpu/serve.mjs "${cases[@]}" "$long")
echo "$said"
grep -Eq '^[1-9][0-9]* passed, 0 failed, ' <<<"$said" || fail "the bits of the suite's cases"

said=$("$cumsum" verify -q --exec "$(serve web/webgpu/serve.mjs)" \
    "$tests"/golden/directml/*.json "$tests"/golden/documentation/*.json 2>/dev/null)
echo "$said"
grep -Eq '^[1-9][0-9]* passed, 0 failed, ' <<<"$said" || fail "the golden files"
said=$(sh -c "${before}node tests/webgpu/check_device.mjs $after" 2>&1) ||
    fail "check_device.mjs: $said"
exit $wrong
