#!/bin/bash
# SPDX-License-Identifier: MIT
# check_packages.sh DIR: checks the Debian packages in DIR by Debian's rules. Prints every violation,
# and exits with 1 if there is one.
set -u
dir=$1
[ -d "$dir" ] || { echo "SKIPPED: package.made made none" && exit 77; }
failed=0
control=$(mktemp -d)
trap 'rm -rf "$control"' EXIT

wrong() {
    echo "FAIL: $*"
    failed=1
}

# has NAME PATTERN: checks for a line in the contents of that package ("mode owner path [-> target]").
has() {
    contents "$1" | grep -qE -- "$2" || wrong "$1 has nothing like $2"
}

declare -A listed=()
contents() {
    [ -n "${listed[$1]-}" ] || listed[$1]=$(list "$1")
    echo "${listed[$1]}"
}

list() {
    dpkg-deb --contents "$dir/$1"_*.deb | awk '{ $3 = $4 = $5 = ""; gsub(/  +/, " "); print }'
}

# says NAME FIELD PATTERN: checks a control field
says() {
    local value
    value=$(sed -n "s/^$2: //p" "$control/DEBIAN/control")
    [[ $value =~ $3 ]] || wrong "$1: $2 is '$value', not like $3"
}

check_any() {
    local doc="/usr/share/doc/$1"
    [ -e "$(echo "$dir/$1"_*.deb)" ] || { wrong "there is no package $1" && return; }
    rm -rf "$control"
    dpkg-deb --raw-extract "$dir/$1"_*.deb "$control"
    contents "$1" >/dev/null
    has "$1" "^-rw-r--r-- root/root \.$doc/copyright"
    has "$1" "^-rw-r--r-- root/root \.$doc/changelog\.gz"
    has "$1" "^-rw-r--r-- root/root \.$doc/changelog\.Debian\.gz"
    says "$1" Version "^$version-1$"
    says "$1" Section "^$2$"
    says "$1" Multi-Arch "^$3$"
    says "$1" Maintainer '.+ <.+@.+>'
    says "$1" Installed-Size '^[1-9][0-9]*$'
    says "$1" Description '^.{20,79}$'
    if find "$control/usr" -type f \( -perm /111 -o -name '*.so.*' \) -exec readelf -SW {} + |
        grep -F ' .comment '; then
        wrong "$1 says which compiler made it"
    fi
    contents "$1" | grep '^d' | grep -v '^drwxr-xr-x ' && wrong "$1 has folders that not all may read"
    contents "$1" | grep -v ' root/root ' && wrong "$1 has files of somebody else"
    contents "$1" | grep -E '\./usr/local|\./(home|tmp|root)' && wrong "$1 has misplaced files"
    (cd "$control" && md5sum --quiet --check DEBIAN/md5sums) || wrong "$1: wrong checksums"
}

check_library() {
    check_any "$1" libs same
    has "$1" "^-rw-r--r-- .*/$2\.so\.$version$" # no executable file
    has "$1" "^l.*/$2\.so\.$soversion -> $2\.so\.$version$"
    contents "$1" | grep -E '\.so( |$)|\.h |\.a ' && wrong "$1 has files of libcumsum-dev"
    says "$1" Depends 'libc6 \(>= '
    grep -qx "$2 $soversion $1 (>= $version)" "$control/DEBIAN/shlibs" || wrong "$1: wrong shlibs"
    grep -q "^ cumsum_.*@Base $version\$" "$control/DEBIAN/symbols" || wrong "$1: no symbols"
    grep -qx '\* Build-Depends-Package: libcumsum-dev' "$control/DEBIAN/symbols" ||
        wrong "$1: symbols without the package that a build needs"
    grep -qx 'activate-noawait ldconfig' "$control/DEBIAN/triggers" || wrong "$1: no ldconfig"
    find "$control/DEBIAN" -name 'p*' | grep . && wrong "$1 has scripts, and needs none"
}

version=$(dpkg-deb --field "$dir"/libcumsum-dev_*.deb Version | sed 's/-1$//')
soversion=${version%%.*}
[ "$soversion" != 0 ] || soversion=${version%.*} # until 1.0 a minor version is another library
same="= $version-1"
core=libcumsum$soversion
d3d12=libcumsum-d3d12-$soversion cuda=libcumsum-cuda-$soversion

with_d3d12=$(find "$dir" -maxdepth 1 -name "${d3d12}_*.deb")
check_library "$core" libcumsum
says "$core" Depends 'libpthreadpool0'
[ -z "$with_d3d12" ] || check_library "$d3d12" libcumsum-d3d12
[ -z "$with_d3d12" ] || check_library "$cuda" libcumsum-cuda
check_any libcumsum-dev libdevel same
[ -z "$with_d3d12" ] || says libcumsum-dev Depends "$d3d12 \($same\), $cuda \($same\)"
says libcumsum-dev Depends "^$core \($same\), "
has libcumsum-dev '^l.*/libcumsum\.so -> libcumsum\.so\.'
for file in include/cumsum/cumsum.h include/anyorder/anyorder.h 'lib.*/libcumsum\.a' \
    'lib/.*/cumsum\.pc' 'lib/.*/cumsum-config\.cmake' share/doc/libcumsum-dev/numerics.md.gz; do
    has libcumsum-dev "^-rw-r--r-- .* \./usr/$file"
done
check_any cumsum devel foreign
[ -z "$with_d3d12" ] || says cumsum Depends "$cuda \(>= $version\), $d3d12 \(>= $version\)"
says cumsum Depends "$core \(>= $version\), .*libsleef3"
has cumsum '^-rwxr-xr-x .* \./usr/bin/cumsum'
has cumsum '^-rw-r--r-- .* \./usr/share/man/man1/cumsum\.1\.gz'
check_any python3-cumsum python ''
says python3-cumsum Depends "$core \\(>= $version\\)"
says python3-cumsum Depends 'python3:any'
for file in cumsum/_library.py cumsum/py.typed "cumsum-$version.dist-info/entry_points.txt"; do
    has python3-cumsum "^-rw-r--r-- .* \./usr/lib/python3/dist-packages/$file"
done
exit $failed
