#!/bin/bash
# SPDX-License-Identifier: MIT
# plant_faults.sh DIR: check_packages.sh finds defects that are planted in a copy of the packages.
set -eu
check=$(dirname "$0")/check_packages.sh
dir=$1
[ -d "$dir" ] || { echo "SKIPPED: package.made made none" && exit 77; }
work=$dir-faults
failed=0

# broken PACKAGE COMMAND...: runs the command in the unpacked package; the check must notice it.
broken() {
    local file
    file=$(echo "$dir/$1"_*.deb)
    shift
    rm -rf "$work"
    mkdir "$work"
    cp "$dir"/*.deb "$work"
    dpkg-deb --raw-extract "$file" "$work/tree"
    (cd "$work/tree" && bash -ec "$*")
    dpkg-deb -Zgzip -z1 --root-owner-group --build "$work/tree" "$work/${file##*/}" >/dev/null
    if bash "$check" "$work" >"$work/said" 2>&1; then
        echo "FAIL: not noticed: $*"
        failed=1
    else
        echo "ok: $*: $(grep -m 1 FAIL "$work/said")"
    fi
}

broken cumsum 'rm usr/share/man/man1/cumsum.1.gz'
broken cumsum 'rm usr/share/bash-completion/completions/cumsum'
broken cumsum 'chmod 644 usr/bin/cumsum'
broken cumsum 'chmod 750 usr/share'
broken cumsum 'echo more >>usr/share/doc/cumsum/copyright'
broken cumsum 'sed -i "s/ libcumsum[0-9.]* ([^)]*),//" DEBIAN/control'
broken cumsum 'sed -i /^Multi-Arch/d DEBIAN/control'
core=$(find "$dir" -name 'libcumsum[0-9]*.deb')
core=${core##*/}
core=${core%%_*}
broken cumsum "objcopy --add-section .comment=usr/share/doc/cumsum/copyright usr/bin/cumsum
    find usr -type f -exec md5sum {} + >DEBIAN/md5sums"
broken "$core" 'find . -name "libcumsum.so.*.*" -exec chmod 755 {} +'
broken "$core" 'sed -i "s/>=/=/" DEBIAN/shlibs'
broken "$core" 'rm DEBIAN/triggers'
broken "$core" 'rm DEBIAN/symbols'
broken "$core" 'sed -i /Build-Depends-Package/d DEBIAN/symbols'
broken "$core" 'sed -i /^Installed-Size/d DEBIAN/control'
broken "$core" 'echo "#!/bin/sh" >DEBIAN/postinst; chmod 755 DEBIAN/postinst'
broken libcumsum-dev 'find . -name libcumsum.so -delete'
broken libcumsum-dev 'find . -name libcumsum.a -delete'
broken libcumsum-dev 'mkdir -p usr/local/lib; mv usr/include usr/local'
broken python3-cumsum 'rm usr/lib/python3/dist-packages/cumsum-*/entry_points.txt'
broken python3-cumsum 'sed -i "s/(>= 3.11~)//" DEBIAN/control'
broken python3-cumsum 'chmod 755 usr/lib/python3/dist-packages/cumsum/_cumsum.abi3.so'
rm -rf "$work"
exit $failed
