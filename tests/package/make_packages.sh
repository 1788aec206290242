#!/bin/sh
# SPDX-License-Identifier: MIT
# make_packages.sh CPACK BUILD DIR: makes the packages of a build in DIR, twice. The bytes must be the
# same under another umask.
set -eu
cpack=$1 build=$2 dir=$3
export SOURCE_DATE_EPOCH=1700000000

make_in() {
    "$cpack" --config "$build/CPackConfig.cmake" -B "$1" -D CPACK_PACKAGING_INSTALL_PREFIX=/usr \
        -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip \
        >"$1.log" 2>&1 || { cat "$1.log" && exit 1; }
    rm -rf "$1/_CPack_Packages"
}

rm -rf "$dir" "$dir-again"
make_in "$dir"
(umask 077 && make_in "$dir-again")
for package in "$dir"/*.deb; do
    cmp "$package" "$dir-again/${package##*/}"
done
rm -rf "$dir-again" "$dir-again.log"
