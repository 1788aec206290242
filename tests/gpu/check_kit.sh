#!/bin/bash
# SPDX-License-Identifier: MIT
# check_kit.sh RUN: tests the kit's script (tools/kit/run) in a folder like the one that tools/gpu-kit
# makes, with a stand-in for the tool, and with faults of the folder, the machine and the tool.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skipped: the kit is for Linux x86_64" && exit 77; }

fail() {
    echo "FAIL: $*"
    cat "$work/out"
    exit 1
}

# The stand-in fails in what CUMSUM_FAILING names, with CUMSUM_STATUS.
mkdir -p "$work"/kit/{lib,vkd3d-1,vkd3d-2,golden/documentation}
cp "$1" "$work/kit/run"
cat >"$work/kit/cumsum" <<'TOOL'
#!/bin/sh
case $1 in
info) echo "           d3d12     yes: A <GPU>" && echo "adapters   #0 A <GPU>${CUMSUM_KIND-}, vendor 1" ;;
"${CUMSUM_FAILING-}") echo "the end of $*" && exit "${CUMSUM_STATUS-1}" ;;
*) echo "$* with $LD_LIBRARY_PATH" ;;
esac
TOOL
chmod +x "$work/kit/cumsum"
cp "$work/kit/cumsum" "$work/kit/cumsum_bench"
echo 2.0 | tee "$work/kit/vkd3d-1/needs-glibc" >"$work/kit/vkd3d-2/needs-glibc"
touch "$work/kit/golden/documentation/one.json" "$work/driver.json"
(cd "$work/kit" && find . -type f -not -name checksums -exec sha256sum {} + >"$work/checksums")
mv "$work/checksums" "$work/kit"
export VK_DRIVER_FILES=$work/driver.json
unset VK_ICD_FILENAMES

# try STATUS TEXT ARGUMENTS...: the script must exit with STATUS and print TEXT.
try() {
    local expected=$1 text=$2 status
    shift 2
    rm -rf "$work/results"
    "$work/kit/run" "$work/results" "$@" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$expected" ] || fail "it exits with $status, not $expected"
    grep -qF -- "$text" "$work/out" || fail "$text is missing from the output"
}

try 0 "adapters   #0 A <GPU>, vendor 1"
[ "$(grep -cE '^vkd3d-[12] +[a-z0-9-]+ +right ' "$work/out")" -eq 18 ] || fail "there are not 18 steps"
grep -q 'int32 \* with' "$work/results/vkd3d-2/bench-int32.txt" || fail "no whole benchmark"
grep -q 'sweep.* mustpass with .*/vkd3d-2:' "$work/results/vkd3d-2/suite.txt" || fail "no suite"
[ "$(grep -c '<h2>' "$work/results/index.html")" -eq 20 ] || fail "the page is incomplete"
[ "$(grep -c 'A &lt;GPU>, vendor 1</pre>' "$work/results/index.html")" -eq 2 ] || fail "no info"
try 0 "index.html" --quick --adapter '#1'
grep -q 'quick --adapter #1 with' "$work/results/vkd3d-1/suite.txt" || fail "no adapter"
CUMSUM_KIND=" (software)" try 0 "on the CPU was found, no GPU"
grep -q 'int32 rows-l2\* with' "$work/results/vkd3d-2/bench-int32.txt" || fail "it takes hours"
try 2 "usage:" --unknown
adapter=of-the-environment try 0 "index.html"
! grep -q of-the-environment "$work/results/index.html" || fail "an adapter that nobody asked for"

mkdir -p "$work/full/vkd3d-2"
ln -s /dev/full "$work/full/index.html"
try 3 "cannot write to $work/full" "$work/full"
rm "$work/full/index.html"
ln -s /dev/full "$work/full/vkd3d-2/suite.txt"
CUMSUM_FAILING=sweep try 3 "cannot write to $work/full" "$work/full"
CUMSUM_FAILING=verify try 1 "2 of the steps are WRONG"
CUMSUM_FAILING=fingerprint try 1 "8 of the steps are WRONG"
CUMSUM_FAILING=fingerprint CUMSUM_STATUS=77 try 3 "the end of fingerprint --backend d3d12"
CUMSUM_FAILING=fingerprint CUMSUM_STATUS=127 try 3 "no device can be used"
! grep -q sweep "$work/results/index.html" || fail "steps without a device"
VK_DRIVER_FILES=/nonexistent.json try 3 "no Vulkan driver: "
echo "# damaged" >>"$work/kit/cumsum"
try 3 "this folder is incomplete: ./cumsum: FAILED"

# The script that makes the kit refuses a file, and a folder with something in it.
maker=$(dirname "$1")/../../tools/gpu-kit
for place in out kit; do
    bash "$maker" "$work/$place" >"$work/said" 2>&1
    [ $? -eq 2 ] || fail "gpu-kit takes $place"
    grep -q "gpu-kit: .*/$place is not " "$work/said" || fail "gpu-kit does not say what $place is"
done
echo "all as expected"
