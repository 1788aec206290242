#!/bin/sh
# SPDX-License-Identifier: MIT
# asked_features.sh CC HEADER FLAGS...: the library asks the processor for every instruction set that
# FLAGS allow the compiler to use: x86_cpuid.h (HEADER) has a bit of the compiler's name for it. That
# each bit matters is tested by test_cpuid.c. A macro that the compiler itself does not know as a
# feature of processors (EVEX256 of gcc 14: how instructions are encoded) is no instruction set.
set -eu
compiler=$1 header=$2
shift 2
# __AVX2__ and the like are 1; what else the flags define is no instruction set.
sets() {
    "$compiler" "$@" -dM -E -x c /dev/null | sed -n 's/^#define __\([A-Z0-9_]*\)__ 1$/\1/p' |
        grep -v OPTIMIZE | sort
}
# is_processor_feature SET: could a program ask for it? SSE4_1 is sse4.1 there.
is_processor_feature() {
    name=$(echo "$1" | tr '[:upper:]_' '[:lower:].')
    echo "int main(void) { return __builtin_cpu_supports(\"$name\"); }" |
        "$compiler" -fsyntax-only -x c - 2>/dev/null
}
without=$(mktemp)
trap 'rm -f "$without"' EXIT
sets >"$without"
failed=0 count=0
for set in $(sets "$@" | comm -13 "$without" -); do
    count=$((count + 1))
    case $set in
    CRC32) set=SSE4_2 ;; # has no bit of its own
    esac
    if grep -q "CUMSUM_CPUID_$set " "$header"; then
        continue
    elif is_processor_feature "$set"; then
        echo "FAIL: nothing asks for $set"
        failed=1
    else
        echo "$set is no feature of processors"
    fi
done
[ "$count" -gt 0 ] || { echo "FAIL: $* allow nothing" && failed=1; }
echo "$count instruction sets of $*"
exit $failed
