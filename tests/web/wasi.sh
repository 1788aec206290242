#!/bin/sh
# SPDX-License-Identifier: MIT
# wasi.sh SOURCE WORK: builds the library alone for WASI with clang and wasi-libc, and compares
# digests of its sums and of its verdicts, computed in Node, with those of all other builds.
set -eu
source=$1 work=$2
for needed in clang wasm-ld node; do
    command -v "$needed" >/dev/null || { echo "skipped: there is no $needed" && exit 77; }
done
[ -e /usr/lib/wasm32-wasi/libc.a ] || { echo "skipped: there is no wasi-libc" && exit 77; }

rm -rf "$work"
cmake -S "$source" -B "$work" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$source/cmake/wasi.cmake" \
    -DCMAKE_BUILD_TYPE=Release '-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG' -DCUMSUM_WERROR=ON \
    -DBUILD_SHARED_LIBS=OFF -DCUMSUM_BUILD_TOOL=OFF -DCUMSUM_BUILD_TESTS=OFF \
    -DCUMSUM_BUILD_PYTHON=OFF -DCUMSUM_INSTALL=OFF -DCUMSUM_WITH_D3D12=OFF -DCUMSUM_WITH_CUDA=OFF \
    -DCUMSUM_WITH_PTHREADPOOL=OFF -DCUMSUM_SMALL_KERNELS=-O1 >/dev/null
cmake --build "$work" --parallel 2 -- --quiet
clang --target=wasm32-wasi --sysroot=/usr -std=gnu11 -O1 -ffp-contract=off -Wall -Werror \
    -I"$source/include" -I"$source/src/serial_pool" -I"$source/tests/common" \
    "$source/tests/consumer/bits.c" "$work/src/libcumsum.a" -o "$work/bits.wasm"
cat >"$work/bits.mjs" <<'JS'
import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1' });
const module = await WebAssembly.compile(readFileSync(process.argv[2]));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
JS
node --no-warnings "$work/bits.mjs" "$work/bits.wasm" | cmp - "$source/tests/consumer/bits.expected"
echo "the library alone, with clang and wasi-libc: the bits of bits.expected"
