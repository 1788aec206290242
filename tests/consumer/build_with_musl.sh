#!/bin/sh
# SPDX-License-Identifier: MIT
# build_with_musl.sh CMAKE GENERATOR SOURCE WORK: builds the core alone with another C library, musl,
# as a static library, and links the kernel checker and bits.c with it, statically. Skipped
# (exit status 77) without musl-gcc. Debian has no pthreadpool for musl, so the unit tests are not built.
set -eu
cmake=$1 generator=$2 source=$3 work=$4
command -v musl-gcc >/dev/null || { echo "SKIPPED: there is no musl-gcc (Debian: musl-tools)" && exit 77; }

rm -rf "$work"
"$cmake" -S "$source" -B "$work" -G "$generator" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER=musl-gcc -DBUILD_SHARED_LIBS=OFF -DCUMSUM_WERROR=ON \
    -DCUMSUM_WITH_PTHREADPOOL=OFF -DCUMSUM_WITH_D3D12=OFF -DCUMSUM_WITH_CUDA=OFF \
    -DCUMSUM_BUILD_TOOL=OFF -DCUMSUM_BUILD_TESTS=OFF -DCUMSUM_BUILD_PYTHON=OFF \
    -DCUMSUM_SMALL_KERNELS=-O1 -DCUMSUM_SMALL_PORTABLE_KERNELS=ON >/dev/null
"$cmake" --build "$work" --parallel 2

# link PROGRAM SOURCES...
link() {
    program=$1
    shift
    musl-gcc -std=gnu11 -O1 -ffp-contract=off -static -Wall -Werror \
        -I"$source/include" -I"$source/src/serial_pool" -I"$source/tests/common" \
        -I"$source/tests/mutants" "$@" "$work/src/libcumsum.a" -lm -o "$work/$program"
}
tests=$source/tests
checker=$(find "$tests/kernels" -name '*.c' ! -name '*windows*' ! -name no_caches.c ! -name check_huge.c)
# shellcheck disable=SC2086 # a list of paths, which the build's folders keep free of spaces
link check_kernels $checker "$tests"/mutants/*.c "$tests/common/textbook_scans.c"
link bits "$tests/consumer/bits.c"
"$work/check_kernels" --share 40
"$work/check_kernels" --broken read-beyond --share 100
"$work/bits" | cmp - "$tests/consumer/bits.expected"
