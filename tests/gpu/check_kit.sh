#!/bin/bash
# SPDX-License-Identifier: MIT
# check_kit.sh RUN: tests the kit's script (packaging/gpu-kit/run) in a folder like the one that
# tools/gpu-kit makes, with a stand-in for the programs and with faults of one.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*"
    cat "$work/out"
    exit 1
}

# The stand-in fails in what CUMSUM_FAILING names, with CUMSUM_STATUS, and does not end in what
# CUMSUM_SLEEPING names.
mkdir -p "$work"/kit/golden/documentation
cp "$1" "$work/kit/run"
cat >"$work/kit/cumsum" <<'TOOL'
#!/bin/sh
[ "$1" != "${CUMSUM_SLEEPING-none}" ] || exec sleep 1000
[ "$1" != "${CUMSUM_FAILING-none}" ] || exit "${CUMSUM_STATUS-1}"
echo "$* with $LD_LIBRARY_PATH on ${CUMSUM_TEST_ADAPTER-any}"
TOOL
chmod +x "$work/kit/cumsum"
for program in cumsum_bench check_scans check_large beside; do
    cp "$work/kit/cumsum" "$work/kit/$program"
done
touch "$work/kit/golden/documentation/one.json"
unset LD_LIBRARY_PATH CUMSUM_TEST_ADAPTER

# try STATUS TEXT ARGUMENTS...: the script must exit with STATUS and print TEXT.
try() {
    local expected=$1 text=$2 status
    shift 2
    rm -rf "$work/results"
    sh "$work/kit/run" "$@" "$work/results" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$expected" ] || fail "it exits with $status, not $expected"
    grep -qF -- "$text" "$work/out" || fail "$text is missing from the output"
}

try 0 "fingerprint-float16"
[ "$(grep -cE '^d3d12 +[a-z0-9-]+ +right ' "$work/out")" -eq 22 ] || fail "there are not 22 steps"
grep -q 'int32 \* with' "$work/results/d3d12-bench-int32.txt" || fail "no whole benchmark"
grep -q "sweep.* mustpass with $work/kit/lib:" "$work/results/d3d12-suite.txt" || fail "no suite"
LD_LIBRARY_PATH=/a/folder try 0 "suite" --quick --adapter '#1'
grep -q " --backend d3d12:#1 .*quick with $work/kit/lib:/a/folder:" "$work/results/d3d12-suite.txt" ||
    fail "no adapter, or no folder of the caller"
grep -q ' on #1$' "$work/results/d3d12-stress-single.txt" || fail "no adapter of the tests"
try 2 "usage:" --unknown

# A step that does not end is stopped, named, and followed by the others.
CUMSUM_SLEEPING=levels try 1 "2 of the steps are WRONG or STOPPED" --limit 1
grep -qE '^d3d12 +stress-levels +STOPPED' "$work/out" || fail "no name"
grep -qE '^d3d12 +suite +right' "$work/out" || fail "the others did not go on"
CUMSUM_FAILING=verify try 1 "golden                        WRONG (1)"
CUMSUM_FAILING=fingerprint CUMSUM_STATUS=77 try 3 "skipped"

# Over CUDA, after the others.
try 0 "cuda"
grep -q -- '--backend cuda ' "$work/results/cuda-suite.txt" || fail "no backend cuda"
grep -q -- 'layouts 400 --cuda with' "$work/results/cuda-kernels-staged.txt" || fail "no --cuda"
! grep -q cuda "$work/results/d3d12-kernels-staged.txt" || fail "CUDA in the place of Vulkan"

# The ten minutes of a GPU: over CUDA alone, with the variants and without the benchmark.
try 0 "variants" --lent
! grep -qE '^d3d12|bench-|stress-' "$work/out" || fail "more than ten minutes"
grep -q -- "--variants $work/kit/variants row\*x\* with" "$work/results/cuda-variants-rows.txt" ||
    fail "no kernels of variants"
grep -q ' square\* with' "$work/results/cuda-variants-squares.txt" || fail "no columns of variants"
grep -q " quick with" "$work/results/cuda-suite.txt" || fail "no part of the suite"
echo "all as expected"
