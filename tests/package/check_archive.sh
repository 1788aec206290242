#!/bin/sh
# SPDX-License-Identifier: MIT
# check_archive.sh SOURCE WORK: `tools/package --archive` makes the same bytes twice, at another time
# and with another umask, and the archive has all tracked files but Debian's. A planted fault: another
# time stamp gives other bytes.
set -eu
source=$1
work=$2

git -C "$source" rev-parse HEAD >/dev/null 2>&1 || { echo "skipped: $source is no git repository"; exit 77; }
export XZ_OPT=-0 # to be quick
rm -rf "$work"
mkdir -p "$work"
make_archive() { # FOLDER
    "$source/tools/package" --build-dir "$work/$1" --archive >"$work/log" || { cat "$work/log" && exit 1; }
}
make_archive one
(umask 077 && make_archive two)
name=$(cd "$work/one/packages" && ls)
cmp "$work/one/packages/$name" "$work/two/packages/$name"
SOURCE_DATE_EPOCH=1000000000 make_archive three
if cmp -s "$work/one/packages/$name" "$work/three/packages/$name"; then
    echo "FAIL: another time gives the same bytes: they are not compared" && exit 1
fi
top=${name%.tar.xz}
tar -tJf "$work/one/packages/$name" | sed "s,^$top/,," | grep -v '/$' | LC_ALL=C sort >"$work/found"
git -C "$source" ls-files -- . ':!debian' | LC_ALL=C sort >"$work/wanted"
diff "$work/wanted" "$work/found"
rm -rf "$work"
