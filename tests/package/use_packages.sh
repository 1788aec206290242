#!/bin/sh
# SPDX-License-Identifier: MIT
# use_packages.sh DIR SOURCE: unpacks the packages in DIR into a tree beside it, and runs there what
# Debian runs with the installed packages, debian/tests.
set -eu
dir=$1 source=$2
[ -d "$dir" ] || { echo "SKIPPED: package.made made none" && exit 77; }
root=$dir-used

rm -rf "$root"
for package in "$dir"/*.deb; do
    dpkg-deb --extract "$package" "$root"
done
pc=$(find "$root" -name cumsum.pc)
libdir=${pc%/pkgconfig/*}
export LD_LIBRARY_PATH="$libdir" PKG_CONFIG_PATH="$libdir/pkgconfig" CMAKE_PREFIX_PATH="$root/usr"
export PATH="$root/usr/bin:$PATH"

cd "$source"
test "$(command -v cumsum)" = "$root/usr/bin/cumsum"
debian/tests/build-program
debian/tests/golden-files
PYTHONPATH="$root/usr/lib/python3/dist-packages" debian/tests/python-package
gzip -dc "$root/usr/share/man/man1/cumsum.1.gz" | cmp - docs/man/cumsum.1
