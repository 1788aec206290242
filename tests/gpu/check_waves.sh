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
sweep() { # sweep MODE FOLDER CASE...: what the sweep says
    local command="$plug $1 $2"
    shift 2
    "$cumsum" sweep -q --color never --accept conformant --exec "$command" "$@" 2>/dev/null
}

# passes MODE COUNT: COUNT cases of the list subgroups pass, and none fails.
passes() {
    local said
    said=$(sweep "$1" "$folder" subgroups)
    [[ $said != 'SKIP  '* ]] || { echo "SKIPPED: ${said%%$'\n'*}" && exit 77; }
    said=${said##*$'\n'}
    echo "$1: $said"
    [[ $said =~ ^([0-9]+)' passed, 0 failed, ' && ${BASH_REMATCH[1]} -ge $2 ]] ||
        fail "$1: not $2 cases"
}

# finds DEFECT MODE SUM LENGTH: the lines fail with the defect.
finds() {
    local case=float32.sequential.increasing.$3.40x$4.axis1.in-packed.out-packed.distinct-sums.seed1
    local said
    said=$(sweep "$2" "$folder/broken/$1" "$case")
    [[ $said = fail*'the oracle: FAIL: '*', profile hlsl'* ]] ||
        fail "the defect $1 of $2 is not found: $said"
}

# totals MODE FOLDER STATE: of 40 lines; the last line of the judgement begins with STATE.
totals() {
    local said
    said=$("$cumsum" judge --sum axis -q --exec "$plug $1 $2" \
        'float32.sequential.increasing.inclusive.40x3.axis1.in-packed.out-packed.distinct-sums.seed1' \
        2>/dev/null)
    [[ ${said##*$'\n'} = "$3"* ]] || fail "totals of $1 in $2: $said"
}

listed=$(cd "$folder" && sha256sum --check --quiet bytecode.txt 2>&1) || fail "bytecode: $listed"
said=$("$plug" sum "$folder" 2>&1 </dev/null)
[[ $? = 2 && $said = 'usage: '* ]] || fail "a wrong argument: $said"
[ "$wrong" = 0 ] || exit 1
passes scan 80
passes add 40
passes group 300
finds dropped scan inclusive 3
finds dropped add inclusive 3
finds inactive scan inclusive 3
finds inactive add inclusive 3
finds inclusive scan exclusive 3
finds before group inclusive 128
totals add "$folder" '1 passed, 0 failed'
totals group "$folder" '1 passed, 0 failed'
totals add "$folder/broken/dropped" '0 passed, 1 failed'
exit $wrong
