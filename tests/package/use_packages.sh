#!/bin/sh
# SPDX-License-Identifier: MIT
# use_packages.sh DIR SOURCE CMAKE CC: unpacks the packages in DIR into a tree beside it, builds a
# program with them, and runs the tool from there.
set -eu
dir=$1 source=$2 cmake=$3 CC=$4
root=$dir-used
export CC

rm -rf "$root"
for package in "$dir"/*.deb; do
    dpkg-deb --extract "$package" "$root"
done
pc=$(find "$root" -name cumsum.pc)
libdir=${pc%/pkgconfig/*}
export LD_LIBRARY_PATH="$libdir"

# The sources, so that the headers and libraries there are not found.
mkdir "$root/program"
cp "$source/examples/prefix_sums.c" "$root/program"
cd "$root/program"
# shellcheck disable=SC2046
$CC -std=c11 prefix_sums.c -o with_pkg_config \
    $(PKG_CONFIG_PATH="$libdir/pkgconfig" pkg-config --cflags --libs cumsum)
test "$(./with_pkg_config)" = "$(printf '1 3 6\n10 30 60')"

cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES C)
find_package(cumsum 0.1 REQUIRED)
add_executable(with_cmake prefix_sums.c)
target_link_libraries(with_cmake PRIVATE cumsum::cumsum)
CMAKE
"$cmake" -S . -B build -DCMAKE_PREFIX_PATH="$root/usr" >log || { cat log && exit 1; }
"$cmake" --build build >log || { cat log && exit 1; }
test "$(build/with_cmake)" = "$(printf '1 3 6\n10 30 60')"

"$root/usr/bin/cumsum" verify "$source/tests/golden/documentation/example-1-axis-3.json" |
    grep -x '6 passed, 0 failed, 0 skipped'
gzip -dc "$root/usr/share/man/man1/cumsum.1.gz" | cmp - "$source/docs/man/cumsum.1"
