#!/bin/sh
# SPDX-License-Identifier: MIT
# processor_flags.sh CUMSUM CPUINFO: are the x86 kernels that the library offers those that the
# processor and the system have, as Linux says in CPUINFO (/proc/cpuinfo)? Linux leaves out what it
# has not enabled.
set -eu
cumsum=$1 cpuinfo=$2
flags=" $(sed -n 's/^flags[^:]*: //p' "$cpuinfo" | sed -n 1p) "
[ "$flags" != "  " ] || { echo "skipped: $cpuinfo names no flags"; exit 77; }

# has FLAGS...: yes or no
has() {
    for flag in "$@"; do
        case $flags in
        *" $flag "*) ;;
        *) echo no && return ;;
        esac
    done
    echo yes
}
skipped=0
avx2="pni ssse3 fma sse4_1 sse4_2 popcnt xsave avx f16c avx2"
# shellcheck disable=SC2086
for line in "avx2 $(has $avx2)" "avx512 $(has $avx2 bmi2 avx512f avx512dq avx512bw avx512vl)"; do
    offered=$("$cumsum" info | sed 's/^kernels//' |
        awk -v kernel="${line% *}" '$1 == kernel { print $1, substr($2, 1, 3) }' | tr -d :)
    if "$cumsum" info | sed 's/^kernels//' | grep -q "^ *${line% *} .*this build has no"; then
        echo "skipped: this build has no ${line% *} kernels" && skipped=77
        continue
    fi
    echo "Linux: $line; the library: $offered"
    [ "$line" = "$offered" ] || exit 1
done
exit $skipped
