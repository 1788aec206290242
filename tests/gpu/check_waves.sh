#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_waves.sh CUMSUM PLUG FOLDER: the bytecode in FOLDER is that of its list; HLSL's own sums pass
# the list subgroups through PLUG, judged by the profile hlsl; and every planted defect is found.
# Skipped (77) if only the bytecode could be checked.
set -u
cumsum=$1 plug=$2 folder=$3
export LC_ALL=C
wrong=0
fail() {
    echo "FAIL: $*"
    wrong=1
}
skip() {
    echo "SKIPPED: $*"
    exit 77
}
# The process that sums in a mode, with a planted defect or without: command_of MODE [DEFECT].
command_of() { echo "$plug $1 $folder${2:+/broken/$2}"; }

# sweep COMMAND CASE: what the sweep says. Drivers' warnings are on standard error.
sweep() { "$cumsum" sweep --accept conformant --exec "$1" "$2" 2>/dev/null; }

# passes MODE COUNT: COUNT cases of the list pass, and none fails.
passes() {
    local mode=$1 count=$2 said
    said=$(sweep "$(command_of "$mode")" subgroups)
    [[ $said != 'SKIP  '* ]] || skip "${said%%$'\n'*}"
    said=${said##*$'\n'}
    echo "$mode: $said"
    [[ $said =~ ^([0-9]+)' passed, 0 failed, ' && ${BASH_REMATCH[1]} -ge $count ]] ||
        fail "$mode: not $count cases"
}

# finds DEFECT MODE SUM LENGTH: the lines fail with the defect.
finds() {
    local case=float32.sequential.increasing.$3.40x$4.axis1.in-packed.out-packed.distinct-sums.seed1
    local said
    said=$(sweep "$(command_of "$2" "$1")" "$case")
    [[ $said = fail*'the oracle: FAIL: '*' rules hlsl'* ]] ||
        fail "the defect $1 of $2 is not found: $said"
}

# totals STATE MODE [DEFECT]: of 40 lines; the last line begins with STATE.
totals() {
    local case=float32.sequential.increasing.inclusive.40x3.axis1.in-packed.out-packed said
    said=$("$cumsum" sweep --sum axis -q --exec "$(command_of "${@:2}")" \
        "$case.distinct-sums.seed1" 2>/dev/null)
    [[ ${said##*$'\n'} = "$1"* ]] || fail "totals of ${*:2}: $said"
}

listed=$(cd "$folder" && sha256sum --check --quiet bytecode.txt 2>&1) || fail "bytecode: $listed"
said=$("$plug" sum "$folder" 2>&1 </dev/null)
[[ $? = 2 && $said = 'usage: '* ]] || fail "a wrong argument: $said"
[ "$wrong" = 0 ] || exit 1
passes scan 80
passes add 40
passes group 300
for mode in scan add; do
    finds dropped $mode inclusive 3
    finds inactive $mode inclusive 3
done
finds inclusive scan exclusive 3
finds before group inclusive 128
totals '1 passed, 0 failed' add
totals '1 passed, 0 failed' group
totals '0 passed, 1 failed' add dropped
exit $wrong
