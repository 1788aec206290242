#!/bin/bash
# SPDX-License-Identifier: MIT
# check_kit.sh RUN: tests the kit's script (packaging/gpu-kit/run) in a folder like the one that
# tools/gpu-kit makes, with a stand-in for the programs, and with faults of the folder, the machine
# and the programs.
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
order=$(sed -nE 's/^vkd3d-1 +([a-z]+).*/\1/p' "$work/out" | uniq | tr '\n' ' ')
[ "$order" = "fingerprint golden kernels bench stress suite " ] || fail "the order is $order"
grep -q 'json .*int32 \* with' "$work/results/vkd3d-2/bench-int32.json" || fail "no whole benchmark"
grep -q "int32 \* with" "$work/results/index.html" || fail "no benchmark in the page"
grep -q '1 67108864 256 100 with' "$work/results/vkd3d-2/stress-single.txt" || fail "no stress"
grep -q 'sweep.* mustpass with .*/vkd3d-2:' "$work/results/vkd3d-2/suite.txt" || fail "no suite"
[ "$(grep -c '<h2>' "$work/results/index.html")" -eq 48 ] || fail "the page is incomplete"
[ "$(grep -c 'A &lt;GPU>, vendor 1</pre>' "$work/results/index.html")" -eq 2 ] || fail "no info"
try 0 "index.html" --quick --adapter '#1'
grep -q 'quick --adapter #1 with' "$work/results/vkd3d-1/suite.txt" || fail "no adapter"
grep -q 'tiles 80 --groups 0 with .* on #1$' "$work/results/vkd3d-1/kernels-planned.txt" ||
    fail "the checker has another adapter"
CUMSUM_KIND=" (software)" try 0 "on the CPU was found, no GPU"
grep -q 'int32 rows-l2\* with' "$work/results/vkd3d-2/bench-int32.json" || fail "it takes hours"
grep -q '1 1048576 256 10 with' "$work/results/vkd3d-2/stress-single.txt" || fail "a long stress"
try 2 "usage:" --unknown
for limit in 0 -1 1s ''; do
    try 2 "usage:" --limit "$limit"
done
adapter=of-the-environment CUMSUM_TEST_ADAPTER=of-the-environment try 0 "index.html"
! grep -q of-the-environment "$work/results/index.html" || fail "an adapter that nobody asked for"

# A step that does not end is stopped, named, and followed by the others.
CUMSUM_SLEEPING=levels try 1 "2 of the steps are WRONG or STOPPED" --limit 1
[ "$(grep -cE '^vkd3d-[12] +stress-levels +STOPPED +after 1 s' "$work/out")" -eq 2 ] ||
    fail "no name"
grep -qE '^vkd3d-2 +suite +right' "$work/out" || fail "the others did not go on"

# The caller's folders of libraries stay, behind the kit's; behind them NVIDIA's in a container.
LD_LIBRARY_PATH=/a/folder:/another try 0 "index.html"
grep -qF "with $work/kit/vkd3d-2:$work/kit/lib:/a/folder:/another on any" \
    "$work/results/vkd3d-2/suite.txt" || fail "no folder of the caller"
mkdir -p "$work"/nvidia/{lib,lib64,bin}
LD_LIBRARY_PATH=/a/folder try 0 "index.html"
grep -qF "/kit/lib:/a/folder:$work/nvidia/lib64:$work/nvidia/lib on any" \
    "$work/results/vkd3d-2/suite.txt" || fail "no folder of NVIDIA"
[ ! -e "$work/results/nvidia_icd.json" ] || fail "a driver beside the one that was asked for"

# Without a file that tells Vulkan of NVIDIA's driver there, the script makes one. The stand-in does
# not start, so there are no further steps.
nowhere() {
    CUMSUM_FAILING=fingerprint CUMSUM_STATUS=127 VK_DRIVER_FILES='' XDG_CONFIG_HOME=$work/empty \
        XDG_DATA_HOME=$work/empty XDG_CONFIG_DIRS=$work/empty XDG_DATA_DIRS=${data-$work/empty} \
        try 3 "$1"
}
[ -d /etc/vulkan/icd.d ] || nowhere "no Vulkan driver: "
touch "$work/nvidia/lib64/libGLX_nvidia.so.0"
nowhere "no device can be used"
icd=$work/results/nvidia_icd.json
[ "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["ICD"]["library_path"])' \
    "$icd")" = "$work/nvidia/lib64/libGLX_nvidia.so.0" ] || fail "no driver in $icd"
grep -qx "$icd" "$work/results/index.html" || fail "the page does not name $icd"
touch "$work/nvidia/lib/libEGL_nvidia.so.0"
nowhere "no device can be used"
grep -qF "$work/nvidia/lib/libEGL_nvidia.so.0" "$icd" || fail "the driver for X11"
mkdir -p "$work/data/vulkan/icd.d"
touch "$work/data/vulkan/icd.d/nvidia_icd.json"
data=$work/data nowhere "no device can be used"
grep -qx "$icd" "$work/results/index.html" || fail "X11's file, perhaps without X11, hides $icd"
! grep -q data/vulkan/icd.d/nvidia_icd.json "$work/results/index.html" ||
    fail "a second file for the same driver"
mv "$work/data/vulkan/icd.d/nvidia_icd.json" "$work/data/vulkan/icd.d/other.json"
data=$work/data nowhere "no device can be used"
grep -qx "$work/data/vulkan/icd.d/other.json" "$work/results/index.html" || fail "it hides a driver"
grep -qx "$icd" "$work/results/index.html" || fail "another driver hides NVIDIA's"

# Clocks, if NVIDIA's program is there and works.
printf '#!/bin/sh\necho "A GPU, 1.2, 1000 MHz"\n' >"$work/nvidia/bin/nvidia-smi"
chmod +x "$work/nvidia/bin/nvidia-smi"
if ! command -v nvidia-smi >/dev/null; then
    try 0 "index.html"
    grep -qx 'vkd3d-2, bench-float16, A GPU, 1.2, 1000 MHz' "$work/results/clocks.csv" ||
        fail "no clocks"
    grep -q '<h2>clocks' "$work/results/index.html" || fail "no clocks in the page"
    printf '#!/bin/sh\necho broken >&2\nexit 9\n' >"$work/nvidia/bin/nvidia-smi"
    CUMSUM_FAILING=fingerprint CUMSUM_STATUS=127 try 3 "no device can be used"
    [ ! -s "$work/results/clocks.csv" ] || fail "clocks of a program that fails"
fi

# Over CUDA, with kernels, after the others.
mkdir "$work/kit/cuda"
cp "$work/kit/vkd3d-1/needs-glibc" "$work/kit/cuda"
try 0 "index.html"
[ "$(grep -cE '^cuda +[a-z0-9-]+ +right ' "$work/out")" -eq 23 ] || fail "there are not 23 steps"
grep -q "over $work/kit/cuda\$" "$work/results/cuda/suite.txt" || fail "no kernels"
! grep -q " over " "$work/results/vkd3d-2/suite.txt" || fail "CUDA in the place of Vulkan"
rm -r "$work/kit/cuda"

# Another vkd3d in a folder beside those of the kit.
mkdir "$work/kit/vkd3d-own"
try 0 "index.html"
[ "$(grep -cE '^vkd3d-own +[a-z0-9-]+ +right ' "$work/out")" -eq 23 ] || fail "there are not 23 steps"
grep -qF "with $work/kit/vkd3d-own:$work/kit/lib" "$work/results/vkd3d-own/suite.txt" ||
    fail "not the vkd3d of that folder"
! grep -q needs-glibc "$work/out" || fail "it wants to know of a C library"
rm -r "$work/kit/vkd3d-own"

mkdir -p "$work/full/vkd3d-2"
ln -s /dev/full "$work/full/index.html"
try 3 "cannot write to $work/full" "$work/full"
rm "$work/full/index.html"
ln -s /dev/full "$work/full/vkd3d-2/suite.txt"
CUMSUM_FAILING=sweep try 3 "cannot write to $work/full" "$work/full"
CUMSUM_FAILING=verify try 1 "2 of the steps are WRONG"
CUMSUM_FAILING=fingerprint try 1 "8 of the steps are WRONG"
CUMSUM_FAILING=tiles try 1 "8 of the steps are WRONG"
CUMSUM_FAILING=FLOAT32 try 1 "2 of the steps are WRONG"
CUMSUM_FAILING=--json try 1 "12 of the steps are WRONG"
grep -q 'the end of --json' "$work/results/index.html" || fail "a benchmark that says nothing"
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
