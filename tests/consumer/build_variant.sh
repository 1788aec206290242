#!/bin/sh
# SPDX-License-Identifier: MIT
# build_variant.sh CMAKE GENERATOR SOURCE WORK CC OPTIONS...: builds the library with these options of
# CMake, warnings being errors, installs it below DESTDIR, and links bits.c with both libraries there.
# It must print bits.expected. Small kernels compile in seconds.
set -eu
cmake=$1 source=$3 work=$4 tests=${0%/*}
export CMAKE_GENERATOR="$2" CC="$5"
shift 5

rm -rf "$work"
mkdir -p "$work"
run() {
    "$@" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
}
run "$cmake" -S "$source" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCUMSUM_WERROR=ON \
    -DCUMSUM_SMALL_KERNELS=-O1 -DCUMSUM_BUILD_TOOL=OFF -DCUMSUM_BUILD_TESTS=OFF \
    -DCUMSUM_WITH_D3D12=OFF -DCUMSUM_WITH_CUDA=OFF -DCUMSUM_BUILD_PYTHON=OFF -DCMAKE_INSTALL_PREFIX=/opt/cumsum \
    -DCMAKE_INSTALL_LIBDIR=lib "$@"
run "$cmake" --build "$work/build"
DESTDIR=$work/staged run "$cmake" --install "$work/build"

prefix=$work/staged/opt/cumsum
pools=$(sed -n 's/^Libs.private: //p' "$prefix/lib/pkgconfig/cumsum.pc")
for library in libcumsum.so libcumsum.a; do
    # shellcheck disable=SC2086
    run "$CC" -std=c11 -O1 -Wall -Wextra -Werror -I"$prefix/include" -I"$source/tests/common" \
        "$tests/bits.c" "$prefix/lib/$library" -Wl,-rpath,"$prefix/lib" $pools -o "$work/bits"
    "$work/bits" | cmp - "$tests/bits.expected"
done
