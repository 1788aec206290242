#!/bin/bash
# SPDX-License-Identifier: MIT
# check_cuda.sh PROGRAM SOURCES STANDINS: the driver over CUDA on the stand-in for libcuda.so.1 in
# the folder STANDINS, whose kernels do nothing, with faults of CUDA and of the folder of kernels;
# and what tools/compile-ptx refuses. tools/compile-ptx compiles two kernels if there is a clang for
# it.
set -u
program=$1 sources=$2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$3
case=$(find "$sources/tests/golden/documentation" -name "*.json" | sort | head -n 1)

fail() {
    echo "FAIL: $*"
    cat "$work/out"
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

# A file for each shader of the library: the stand-in looks for the kernel's name alone.
mkdir "$work/ptx" "$work/none"
for bytecode in "$sources"/src/gpu/shaders/*.dxbc; do
    echo "a kernel" >"$work/ptx/$(od -An -v -tx1 -j4 -N16 "$bytecode" | tr -d ' \n').ptx"
done
verify=("$program" verify --backend d3d12 --timeout 300 "$case")

export CUMSUM_PTX=$work/ptx
try 0 "CUDA, not Direct3D" nothing "$program" info
try 0 "stand-in 0, vendor 0x10de" nothing "$program" info
try 1 "0 passed" nothing "${verify[@]}" # no kernel computes, so no other device took its place
try 77 "CUDA has no GPU" gpus "${verify[@]}"
try 77 "cuInit: error 1" cuInit "${verify[@]}"
try 3 "cuLaunchKernel: error 700, CUDA_ERROR_ILLEGAL_ADDRESS" cuLaunchKernel "${verify[@]}"
try 3 "cuMemAlloc: error 2" cuMemAlloc_v2 "${verify[@]}"
try 3 "cuModuleLoadData: error 218" cuModuleLoadData "${verify[@]}"
try 3 "cuMemcpyDtoH: error 1" cuMemcpyDtoH_v2 "${verify[@]}"
try 3 "did not finish within 300 ms" end "${verify[@]}"
try 77 "no debug layer" nothing "$program" verify --backend d3d12:debug "$case"
CUMSUM_PTX=$work/none try 3 ".ptx does not exist" nothing "${verify[@]}"

compile=$sources/tools/compile-ptx
try 2 "usage:" nothing "$compile"
try 2 "is no empty folder" nothing "$compile" "$work/ptx"
CLANG=$work/missing try 77 "skipped" nothing "$compile" "$work/new"
cat >"$work/clang" <<'CLANG'
#!/bin/sh
case $* in *-print-targets*) echo nvptx64 && exit ;; esac
while [ "$1" != -o ]; do shift; done
printf '\tld.u32 \t%%r1, [%%rd1];\n' >"$2"
CLANG
chmod +x "$work/clang"
CLANG=$work/clang try 1 "an access without a kind of memory" nothing "$compile" "$work/new"

# Two real kernels: no generic access, and the entry that the driver looks for.
if clang++ -print-targets 2>/dev/null | grep -q nvptx64; then
    mkdir "$work/two"
    for kernel in blocked_single_integer64 sequential_carry_float32; do
        element=$(echo "${kernel##*_}" | tr '[:lower:]' '[:upper:]')
        COMPILE_PTX_TO=$work/two "$compile" "$sources/src/gpu/shaders/${kernel%_*}.hlsl" \
            "$sources/src/gpu/shaders/$kernel.dxbc" "ELEMENT=$element" >"$work/out" 2>&1 ||
            fail "$kernel does not compile"
    done
    [ "$(cat "$work"/two/*.ptx | grep -c '\.entry kernel(')" -eq 2 ] || fail "no entry"
    [ "$(cat "$work"/two/*.ptx | grep -c '\.maxntid 64, 1, 1')" -eq 2 ] || fail "no 64 threads"
else
    echo "clang for nvptx64 is missing: no kernel was compiled"
fi
