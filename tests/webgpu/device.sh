# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: MIT
# Sourced with CUMSUM DEVICE: the device of a test, and what is the same for all of them. DEVICE is
# swiftshader, of Chromium, which flushes subnormals, or llvmpipe, of Mesa, which keeps them.
# Without node or the npm package webgpu the test is skipped (77).
set -u
cumsum=$(realpath "$1") device=$2
tests=$(dirname "$(dirname "$(realpath "$0")")")
cd "$tests/.." || exit 1
export LC_ALL=C
swiftshader=${CUMSUM_SWIFTSHADER:-/usr/lib/chromium/vk_swiftshader_icd.json}

skip() {
    echo "SKIPPED: $*"
    exit 77
}
command -v node >/dev/null || skip "no node"
node -e 'require("webgpu")' 2>/dev/null || skip "no npm package webgpu in NODE_PATH"
case $device in
swiftshader)
    [ -e "$swiftshader" ] || skip "no SwiftShader (chromium)"
    export VK_ICD_FILENAMES=$swiftshader
    before='' after=backend=vulkan
    ;;
llvmpipe) before='env EGL_PLATFORM=surfaceless ' after=backend=opengles ;;
esac
serve() { echo "${before}node $* $after 3>&1 1>&2"; }

wrong=0
fail() {
    echo "FAIL: $*"
    wrong=1
}
