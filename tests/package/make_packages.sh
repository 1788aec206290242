#!/bin/sh
# SPDX-License-Identifier: MIT
# make_packages.sh SOURCE DIR OPTIONS...: makes the packages in DIR with tools/package, and puts them
# together once more with another umask, which must give the same bytes. Compiles as quickly as
# possible. Skipped (exit status 77) if a package is missing that this needs.
set -eu
source=$1 dir=$2
shift 2
"$source/tools/install-deps" --check packages >/dev/null 2>&1 ||
    { echo "SKIPPED: tools/install-deps --check packages" && exit 77; }

export DEB_BUILD_OPTIONS="noopt noautodbgsym nocheck"
"$source/tools/package" --build-dir "$dir" -DCUMSUM_SMALL_KERNELS=-O0 "$@" 2>&1
cd "$dir/source"
case " $* " in
*" -DCUMSUM_WITH_D3D12=OFF "*) export DEB_BUILD_PROFILES=nocheck ;;
*) export DEB_BUILD_PROFILES="nocheck pkg.cumsum.d3d12 pkg.cumsum.cuda" ;;
esac
(umask 077 && SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp) debian/rules binary) >"$dir/again.log" 2>&1 ||
    { tail -n 20 "$dir/again.log" && exit 1; }
for package in "$dir"/packages/*.deb; do
    cmp "$package" "$dir/${package##*/}"
    rm "$dir/${package##*/}"
done
