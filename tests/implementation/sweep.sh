#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# sweep.sh CUMSUM COMMAND LINE [ARGUMENT...]: sweep with these arguments, or a few cases of the suite,
# for the implementation that COMMAND starts. The tool's last line must fit LINE. What needs a package
# that is missing is skipped (77).
set -u
cumsum=$1 command=$2 line=$3
shift 3
export LC_ALL=C

floats='{float32.sequential,float16.sequential,float16.sequential-half}'
types='{float32.sequential,float16.sequential,float16.sequential-half,int32.wrap,uint64.wrap}'
[ $# -gt 0 ] || set -- --accept conformant \
    "$floats.{increasing,decreasing}.inclusive.4x1025.axis1.in-packed.out-packed.uniform.seed1" \
    "$types.increasing.{inclusive,exclusive}.9x65.axis1.in-packed.out-packed.small-integers.seed1" \
    "$types.decreasing.inclusive.9x17.axis0.in-36x2.out-18x1.small-integers.seed1" \
    "$types.increasing.inclusive.9x17.axis0.in-packed.in-place.small-integers.seed1"
said=$("$cumsum" sweep -v --exec "$command" "$@" 2>&1)
missing=$(grep -m 1 "No module named '[^c]\|Cannot find \(package\|module\) '\|not found\|little-endian" <<<"$said") && echo "SKIPPED: $missing" && exit 77
last=$(grep -E '^[0-9]+ passed, ' <<<"$said")
[[ $last =~ ^$line$ ]] && exit 0
printf '%s\nexpected: %s\n' "$said" "$line"
exit 1
