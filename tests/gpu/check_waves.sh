#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# check_waves.sh CUMSUM PLUG FOLDER: the bytecode in FOLDER is that of its list; HLSL's own sums pass
# the list subgroups through PLUG, judged by the profile hlsl; and every planted defect is found.
# Skipped (77) if only the bytecode could be checked.
set -u
cumsum=$1 plug=$2 folder=$3 profile=hlsl
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
command_of() { echo "$plug $1 $folder${2:+/broken/$2}"; }
# shellcheck source=tests/exec/own_sums.sh
source "$(dirname "$0")/../exec/own_sums.sh"

listed=$(cd "$folder" && sha256sum --check --quiet bytecode.txt 2>&1) || fail "bytecode: $listed"
said=$("$plug" sum "$folder" 2>&1 </dev/null)
[[ $? = 2 && $said = 'usage: '* ]] || fail "a wrong argument: $said"
[ "$wrong" = 0 ] || exit 1
passes scan 80
passes add 40
passes group 300
for mode in scan add; do
    finds dropped $mode inclusive 3 distinct-sums
    finds inactive $mode inclusive 3 distinct-sums
done
finds inclusive scan exclusive 3 distinct-sums
finds before group inclusive 128 distinct-sums
totals '1 passed, 0 failed' add
totals '1 passed, 0 failed' group
totals '0 passed, 1 failed' add dropped
exit $wrong
