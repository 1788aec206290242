#!/bin/sh
# SPDX-License-Identifier: MIT
# asked_features.sh CC HEADER FLAGS...: the library asks the processor for every instruction set that
# FLAGS allow the compiler to use: x86_cpuid.h (HEADER) has a bit of the compiler's name for it. That
# each bit matters is tested by test_cpuid.c.
#
# Newer compilers define macros of the same form for other things: EVEX256, which is a way to encode
# AVX-512. A macro names an instruction set if a flag of that name is among FLAGS, or if the compiler
# can ask a processor for it (__builtin_cpu_supports).
set -eu
compiler=$1 header=$2
shift 2
flags=" $* "
# __AVX2__ and the like are 1; what else the flags define is no instruction set.
sets() {
    "$compiler" "$@" -dM -E -x c /dev/null | sed -n 's/^#define __\([A-Z0-9_]*\)__ 1$/\1/p' |
        grep -v OPTIMIZE | sort
}
# is_set NAME: SSE4_1 is -msse4.1 and "sse4.1"
is_set() {
    name=$(echo "$1" | tr '[:upper:]_' '[:lower:].')
    case $flags in
    *" -m$name "*) return 0 ;;
    esac
    echo "int has(void) { return __builtin_cpu_supports(\"$name\"); }" |
        "$compiler" -fsyntax-only -x c - 2>/dev/null
}
without=$(mktemp)
trap 'rm -f "$without"' EXIT
sets >"$without"
failed=0 count=0
for set in $(sets "$@" | comm -13 "$without" -); do
    case $set in
    CRC32) set=SSE4_2 ;; # has no bit of its own
    esac
    if grep -q "CUMSUM_CPUID_$set " "$header"; then
        count=$((count + 1))
    elif is_set "$set"; then
        count=$((count + 1))
        echo "FAIL: nothing asks for $set" && failed=1
    else
        echo "$set is no feature of processors"
    fi
done
[ "$count" -gt 0 ] || { echo "FAIL: $* allow nothing" && failed=1; }
echo "$count instruction sets of $*"
exit $failed
