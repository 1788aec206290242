#!/bin/bash
# SPDX-License-Identifier: MIT
# check_cuda.sh PROGRAM SOURCES: the tool with --backend cuda on the stand-in for libcuda.so.1,
# which runs the kernels; then with faults of CUDA; and what convert.py refuses.
set -u
program=$1 sources=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
documentation=("$sources"/tests/golden/documentation/*.json)

fail() {
    echo "FAIL: $*"
    tail -n 30 "$work/out"
    exit 1
}

# try STATUS TEXT FAILING COMMAND...: the stand-in fails in FAILING; the command exits with STATUS
# and prints TEXT.
try() {
    local expected=$1 text=$2 status
    export STANDIN_CUDA=$3
    shift 3
    "$@" >"$work/out" 2>&1
    status=$?
    [ $status -eq "$expected" ] || fail "$STANDIN_CUDA: $* exits with $status, not $expected"
    grep -qF -- "$text" "$work/out" || fail "$STANDIN_CUDA: $text is missing from the output"
}

try 0 "vendorId: 0x10de" nothing "$program" info
try 0 "cuda      yes: stand-in 0, driver for CUDA 13.0" nothing "$program" info
try 0 "648 passed, 0 failed, 0 skipped" nothing \
    "$program" verify --backend cuda "$sources"/tests/golden/*/*.json
try 0 "backend cuda on stand-in 1" nothing \
    "$program" verify --backend cuda:#1 "${documentation[@]}"
"$program" run --numerics blocked "${documentation[@]}" >"$work/cpu" || fail "the CPU"
try 0 "" nothing "$program" run --backend cuda --numerics blocked "${documentation[@]}"
cmp "$work/cpu" "$work/out" || fail "CPU and GPU differ"
try 0 " 0 failed, " nothing "$program" sweep -q --backend cuda --shard 1/64 quick
try 0 "blocked" nothing "$program" fingerprint --backend cuda --numerics blocked
verify=("$program" verify --backend cuda --timeout 300 "${documentation[0]}")
try 1 "0 passed" kernels "${verify[@]}"
try 77 "CUDA has no GPU" gpus "${verify[@]}"
try 77 "cuInit: error 1" cuInit "${verify[@]}"
try 3 "cuLaunchKernel: error 700, CUDA_ERROR_ILLEGAL_ADDRESS" cuLaunchKernel "${verify[@]}"
try 3 "cuMemAlloc: error 2" cuMemAlloc_v2 "${verify[@]}"
try 3 "cuModuleLoadData: error 218" cuModuleLoadData "${verify[@]}"
try 3 "cuMemcpyDtoH: error 1" cuMemcpyDtoH_v2 "${verify[@]}"
try 3 "did not finish within 300 ms" end "${verify[@]}"
try 77 "no debug layer" nothing "$program" verify --backend cuda:debug "${documentation[0]}"
LD_LIBRARY_PATH='' try 77 "libcuda.so.1" nothing "${verify[@]}"

cat >"$work/clang" <<'CLANG'
#!/bin/sh
printf '\tld.u32 \t%%r1, [%%rd1];\n'
CLANG
chmod +x "$work/clang"
try 1 "an access without a kind of memory" nothing python3 -B "$sources/src/gpu/cuda/convert.py" \
    --compile "$work/clang" "$sources/src/gpu/shaders/device_probe.hlsl" device_probe
