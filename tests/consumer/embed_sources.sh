#!/bin/sh
# SPDX-License-Identifier: MIT
# embed_sources.sh CMAKE GENERATOR SOURCE WORK CC LIBRARY FLAGS
# Another project, which has FLAGS such as -ffast-math, builds a copy of the sources that the library's
# packages contain, in another folder and with other time stamps. Its library must have the same bytes
# as LIBRARY, which build_consumers.sh built without these flags.
set -eu
cmake=$1 source=$3 work=$4 library=$6 flags=$7
export CMAKE_GENERATOR="$2" CC="$5"
copy=$work/a/longer/path/to/cumsum

rm -rf "$work"
mkdir -p "$copy"
# The library alone.
for entry in CMakeLists.txt LICENSE cmake include src; do
    cp -r "$source/$entry" "$copy"
done
find "$copy" -exec touch -d '2001-02-03 04:05:06' {} +

"$cmake" -S "$source/tests/consumer/embedding" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS="$flags" -DBUILD_SHARED_LIBS=ON -DCUMSUM_SMALL_KERNELS=-O0 -DCUMSUM_SOURCE="$copy" \
    -DPREFIX_SUMS="$source/examples/prefix_sums.c" >"$work/log" || { cat "$work/log" && exit 1; }
"$cmake" --build "$work/build" --target embedding >"$work/log" || { cat "$work/log" && exit 1; }
"$cmake" --install "$work/build" --prefix "$work/installed" >"$work/log"
if [ -e "$work/installed" ]; then
    echo "FAIL: the embedded project installs something" && exit 1
fi
# The whole tree brings no more along than the sources of the library.
"$cmake" -S "$source/tests/consumer/embedding" -B "$work/whole" -DCUMSUM_SOURCE="$source" \
    -DPREFIX_SUMS="$source/examples/prefix_sums.c" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
# A planted fault: a part that is asked for is one too many.
if "$cmake" "$work/whole" -DCUMSUM_INSTALL=ON -DCUMSUM_BUILD_TOOL=ON >"$work/log" 2>&1 ||
    ! grep -q "brings along" "$work/log"; then
    echo "FAIL: the tool in the embedded project is not noticed" && exit 1
fi
test "$("$work/build/embedding")" = "$(printf '1 3 6\n10 30 60')"

built=$(find "$work/build" -name "${library##*/}")
cmp "$built" "$library"
if strings "$library" | grep -F "$source"; then
    echo "FAIL: the library says where it was built"
    exit 1
fi
