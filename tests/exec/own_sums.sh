# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: MIT
# Sourced by the tests of the sums that a shader language has itself, which pass the list subgroups,
# judged by the language's profile. The test has $cumsum, $profile, skip, fail, and
# command_of MODE [DEFECT]: the process that sums in this mode, with a planted defect or without.

sweep() { # sweep COMMAND CASE...: what the sweep says; drivers' warnings are on standard error
    local command=$1
    shift
    "$cumsum" sweep -q --accept conformant --exec "$command" "$@" 2>/dev/null
}

# passes MODE COUNT [OPTION]...: COUNT cases of the list pass, and none fails.
passes() {
    local mode=$1 count=$2 said
    shift 2
    said=$(sweep "$(command_of "$mode")" "$@" subgroups)
    [[ $said != 'SKIP  '* ]] || skip "${said%%$'\n'*}"
    said=${said##*$'\n'}
    echo "$mode: $said"
    [[ $said =~ ^([0-9]+)' passed, 0 failed, ' && ${BASH_REMATCH[1]} -ge $count ]] ||
        fail "$mode: not $count cases"
}

# finds DEFECT MODE SUM LENGTH DATA: the lines fail with the defect.
finds() {
    local case=float32.sequential.increasing.$3.40x$4.axis1.in-packed.out-packed.$5.seed1 said
    said=$(sweep "$(command_of "$2" "$1")" "$case")
    [[ $said = fail*'the oracle: FAIL: '*", profile $profile"* ]] ||
        fail "the defect $1 of $2 is not found: $said"
}

# totals STATE MODE [DEFECT]: of 40 lines; the last line begins with STATE.
totals() {
    local case=float32.sequential.increasing.inclusive.40x3.axis1.in-packed.out-packed said
    said=$("$cumsum" sweep --sum axis -q --exec "$(command_of "${@:2}")" \
        "$case.distinct-sums.seed1" 2>/dev/null)
    [[ ${said##*$'\n'} = "$1"* ]] || fail "totals of ${*:2}: $said"
}
