#!/bin/sh
# SPDX-License-Identifier: MIT
# build_consumers.sh CMAKE GENERATOR SOURCE WORK CC CXX WERROR
# The output of pkg-config is split into words, on purpose.
# shellcheck disable=SC2086
set -eu
cmake=$1 source=$3 work=$4 werror=$7
export CMAKE_GENERATOR="$2" CC="$5" CXX="$6"
expected=$(printf '1 3 6\n10 30 60')

fail() {
    echo "FAIL: $*"
    exit 1
}

# install_build NAME SHARED OPTIMIZATION WERROR: builds the core alone, because programs that use it
# must not need the tool's libraries. Small kernels are enough here, and compile in seconds.
install_build() {
    "$cmake" -S "$source" -B "$work/build-$1" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS="$2" \
        -DCUMSUM_SMALL_KERNELS="$3" -DCUMSUM_WERROR="$4" \
        -DCUMSUM_BUILD_TOOL=OFF -DCUMSUM_BUILD_TESTS=OFF -DCUMSUM_BUILD_PYTHON=OFF >"$work/log" ||
        fail "configure $1"
    "$cmake" --build "$work/build-$1" >"$work/log" || fail "build $1: $(cat "$work/log")"
    "$cmake" --install "$work/build-$1" --prefix "$work/first-$1" >"$work/log" ||
        fail "install $1"
}

# A library for GPUs that the build has is found and linked, with or without a device.
consume_gpu() {
    output=$("$1") || fail "$1 exits $?: $output"
    case $output in
    "a device" | "no device") echo "ok: $1: $output" ;;
    *) fail "$1 prints: $output" ;;
    esac
}

expect_output() {
    output=$("$@") || fail "$* exits $?"
    [ "$output" = "$expected" ] || fail "$* prints: $output"
    echo "ok: $*"
}

# uses_shared PROGRAM: does it load the shared library?
uses_shared() {
    ldd "$1" | grep -q 'libcumsum\.so\.0'
}

# consume_with_cmake NAME COMPONENTS
consume_with_cmake() {
    "$cmake" -S "$source/tests/consumer/project" -B "$work/consumer-$1" -DCMAKE_PREFIX_PATH="$prefix" \
        -DWANTED="$2" >"$work/log" || fail "find_package $1: $(cat "$work/log")"
    "$cmake" --build "$work/consumer-$1" >"$work/log" || fail "consumer $1: $(cat "$work/log")"
    expect_output "$work/consumer-$1/in_c"
    expect_output "$work/consumer-$1/in_cxx"
    for gpu in $gpus; do
        consume_gpu "$work/consumer-$1/with_$gpu"
    done
}

# Until 1.0 a minor version may change the interface.
takes_version() {
    "$cmake" --fresh -S "$source/tests/consumer/version" -B "$work/version" -DCMAKE_PREFIX_PATH="$prefix" \
        -DWANTED="$1" -DBEFORE="${2-}" >"$work/log" 2>&1
}
check_versions() {
    for version in "" 0.1 0.1.0 "0.1.0;EXACT" 0.1...0.1.9; do
        takes_version "$version" || fail "version '$version' is refused: $(cat "$work/log")"
    done
    for version in 0.0.9 0.1.99 0.2 1.0 "0.1.1;EXACT" 0.1...0.9; do
        ! takes_version "$version" || fail "version '$version' is taken"
    done
}

# refuses COMPONENTS WORDS [COMPONENTS OF AN EARLIER CALL]: find_package fails, and says so.
refuses() {
    ! takes_version "$1" "${3-}" || fail "'$1' after '${3-}' is taken"
    tr -s ' \n' ' ' <"$work/log" | grep -qF "$2" || fail "'$1' is refused with: $(cat "$work/log")"
    echo "ok: refused: $2"
}

# consume_with_pkg_config NAME OPTION_OF_PKG_CONFIG OPTION_OF_THE_LINK, with the files of $prefix
consume_with_pkg_config() {
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name cumsum.pc)")
    export PKG_CONFIG_PATH
    flags=$(pkg-config --cflags cumsum)
    libraries=$(pkg-config $2 --libs cumsum)
    $CC -std=c11 $flags "$source/examples/prefix_sums.c" -o "$work/$1_c" $3 $libraries
    $CXX -std=c++17 $flags "$source/tests/consumer/project/in_cxx.cpp" -o "$work/$1_cxx" $3 $libraries
    expect_output "$work/$1_c"
    expect_output "$work/$1_cxx"
    for gpu in $gpus; do
        flags=$(pkg-config --cflags "cumsum-$gpu")
        libraries=$(pkg-config $2 --libs "cumsum-$gpu")
        $CC -std=c11 $flags "$source/tests/consumer/project/with_$gpu.c" -o "$work/$1_$gpu" $3 \
            $libraries
        consume_gpu "$work/$1_$gpu"
    done
}

rm -rf "$work"
mkdir -p "$work"
install_build both ON -O0 OFF # gcc 12 warns of its own headers there
install_build static OFF -O1 "$werror"

prefix=$work/moved-both
mv "$work/first-both" "$prefix"
gpus=$(find "$prefix" -name 'cumsum-*.pc' | sed 's/.*cumsum-//; s/\.pc//')
check_versions
takes_version "COMPONENTS;shared" || fail "the component shared is refused: $(cat "$work/log")"
consume_with_cmake shared ""
consume_with_cmake static "COMPONENTS;static"
uses_shared "$work/consumer-shared/in_c" || fail "find_package does not prefer the shared library"
! uses_shared "$work/consumer-static/in_c" || fail "the component static is the shared library"
refuses "COMPONENTS;static;shared" 'Component shared: a folder of a project uses one library'
refuses "COMPONENTS;fast" 'Component fast: the components of cumsum are shared and static'
refuses "COMPONENTS;static" 'Component static: cumsum::cumsum is a SHARED_LIBRARY already' \
    "COMPONENTS;shared"
libdir=$(dirname "$(dirname "$(find "$prefix" -name cumsum.pc)")")
consume_with_pkg_config shared "" "-Wl,-rpath,$libdir"
uses_shared "$work/shared_c" || fail "pkg-config does not link the shared library"

prefix=$work/moved-static
mv "$work/first-static" "$prefix"
consume_with_cmake only-static ""
refuses "COMPONENTS;shared" 'Component shared: this installation has no shared library'
consume_with_pkg_config static "--static" ""
