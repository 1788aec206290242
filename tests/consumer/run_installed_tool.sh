#!/bin/sh
# SPDX-License-Identifier: MIT
# run_installed_tool.sh CMAKE BUILD PREFIX SOURCE: the program runs from a prefix that the loader
# does not know, with the library there, and its manual page and its script are installed.
set -eu
cmake=$1 build=$2 prefix=$3 source=$4

rm -rf "$prefix"
"$cmake" --install "$build" --prefix "$prefix" >/dev/null
if ldd "$prefix/bin/cumsum" | grep 'libcumsum' | grep -vF "$prefix/"; then
    echo "the library is not the installed one"
    exit 1
fi
"$prefix/bin/cumsum" verify "$source/tests/golden/documentation/example-1-axis-3.json" |
    grep -x '6 passed, 0 failed, 0 skipped'
test -s "$prefix/share/man/man1/cumsum.1"
