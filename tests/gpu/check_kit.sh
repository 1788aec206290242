#!/bin/bash
# SPDX-License-Identifier: MIT
# check_kit.sh RUN: tests the kit's script (packaging/gpu-kit/run) in a folder like the one that
# tools/gpu-kit makes, with a stand-in for the programs, and with faults of the folder, the machine
# and a program.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "skipped: the kit is for Linux x86_64" && exit 77; }

fail() {
    echo "FAIL: $*"
    cat "$work/out"
    exit 1
}

# The stand-in fails in what CUMSUM_FAILING names, with CUMSUM_STATUS, and does not end in what
# CUMSUM_SLEEPING names. The script's /usr/local/nvidia is a folder of the test.
mkdir -p "$work"/kit/{lib,vkd3d-1,vkd3d-2,golden/documentation} "$work"/{empty,bin}
sed "s|/usr/local/nvidia|$work/nvidia|" "$1" >"$work/kit/run"
chmod +x "$work/kit/run"
cat >"$work/kit/cumsum" <<'TOOL'
#!/bin/sh
[ "$1" != "${CUMSUM_SLEEPING-}" ] || exec sleep 1000
case $1 in
info)
    echo "           d3d12     yes: A <GPU>"
    echo "adapters   #0 A <GPU>${CUMSUM_KIND-}, vendor 1"
    ;;
"${CUMSUM_FAILING-}") echo "the end of $*" && exit "${CUMSUM_STATUS-1}" ;;
*) echo "$* with $LD_LIBRARY_PATH on ${CUMSUM_TEST_ADAPTER-any}${CUMSUM_PTX:+ over $CUMSUM_PTX}" ;;
esac
TOOL
chmod +x "$work/kit/cumsum"
for program in cumsum_bench check_scans check_large; do
    cp "$work/kit/cumsum" "$work/kit/$program"
done
echo 2.0 | tee "$work/kit/vkd3d-1/needs-glibc" >"$work/kit/vkd3d-2/needs-glibc"
touch "$work/kit/golden/documentation/one.json" "$work/driver.json"
(cd "$work/kit" && find . -type f -not -name checksums -exec sha256sum {} + >"$work/checksums")
mv "$work/checksums" "$work/kit"
export VK_DRIVER_FILES=$work/driver.json
unset VK_ICD_FILENAMES LD_LIBRARY_PATH

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
[ "$(grep -cE '^vkd3d-[12] +[a-z0-9-]+ +right ' "$work/out")" -eq 46 ] ||
    fail "there are not 46 steps"
grep -q 'json .*int32 \* with' "$work/results/vkd3d-2/bench-int32.json" || fail "no whole benchmark"
grep -q 'sweep.* mustpass with .*/vkd3d-2:' "$work/results/vkd3d-2/suite.txt" || fail "no suite"
[ "$(grep -c '<h2>' "$work/results/index.html")" -eq 48 ] || fail "the page is incomplete"
[ "$(grep -c 'A &lt;GPU>, vendor 1</pre>' "$work/results/index.html")" -eq 2 ] || fail "no info"
try 0 "index.html" --quick --adapter '#1'
grep -q 'quick --adapter #1 with' "$work/results/vkd3d-1/suite.txt" || fail "no adapter"
CUMSUM_KIND=" (software)" try 0 "on the CPU was found, no GPU"
try 2 "usage:" --unknown

# A step that does not end is stopped, named, and followed by the others.
CUMSUM_SLEEPING=levels try 1 "2 of the steps are WRONG or STOPPED" --limit 1
[ "$(grep -cE '^vkd3d-[12] +stress-levels +STOPPED +after 1 s' "$work/out")" -eq 2 ] ||
    fail "no name"
grep -qE '^vkd3d-2 +suite +right' "$work/out" || fail "the others did not go on"

# The caller's folders of libraries stay, behind the kit's; behind them NVIDIA's in a container.
mkdir -p "$work"/nvidia/lib64
LD_LIBRARY_PATH=/a/folder try 0 "index.html"
grep -qF "/kit/lib:/a/folder:$work/nvidia/lib64 on any" "$work/results/vkd3d-2/suite.txt" ||
    fail "no folder of NVIDIA"

# Over CUDA, with kernels, after the others.
mkdir "$work/kit/cuda"
cp "$work/kit/vkd3d-1/needs-glibc" "$work/kit/cuda"
try 0 "index.html"
grep -q "over $work/kit/cuda\$" "$work/results/cuda/suite.txt" || fail "no kernels"
! grep -q " over " "$work/results/vkd3d-2/suite.txt" || fail "CUDA in the place of Vulkan"
rm -r "$work/kit/cuda"

mkdir "$work/full"
ln -s /dev/full "$work/full/index.html"
try 3 "cannot write to $work/full" "$work/full"
CUMSUM_FAILING=verify try 1 "2 of the steps are WRONG"
CUMSUM_FAILING=fingerprint CUMSUM_STATUS=127 try 3 "no device can be used"
! grep -q sweep "$work/results/index.html" || fail "steps without a device"
VK_DRIVER_FILES=/nonexistent.json try 3 "no Vulkan driver: "
echo "# damaged" >>"$work/kit/cumsum"
try 3 "this folder is incomplete: ./cumsum: FAILED"
echo "all as expected"
