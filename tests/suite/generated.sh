#!/bin/bash
# SPDX-License-Identifier: MIT
# generated.sh CUMSUM SCRATCH PATTERN...: `cumsum generate` writes every case that matches; each file
# can be read and passes; and the oracle calls no expected output wrong.
set -u
cumsum=$(realpath "$1")
mkdir -p "$2" || exit 1
scratch=$(mktemp -d "$2/generated.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
shift 2

"$cumsum" generate --list "$@" >"$scratch/names" || exit 1
"$cumsum" generate -q --output "$scratch/cases" "$@" || exit 1
count=$(wc -l <"$scratch/names")
shopt -s nullglob
models=("$scratch"/cases/*.json)
echo "$count names, ${#models[@]} models"
[ "$count" -gt 100 ] && [ "${#models[@]}" -eq "$count" ] || exit 1

# count_passed COMMAND...: on all models, in groups that fit a command line
count_passed() {
    local passed=0 said
    for ((i = 0; i < count; i += 500)); do
        said=$("$cumsum" "$@" -q "${models[@]:i:500}" | tail -n 1)
        [[ $said =~ ^([0-9]+)\ passed,\ 0\ failed,\ 0\ skipped$ ]] || { echo "$said" >&2 && return 1; }
        ((passed += BASH_REMATCH[1]))
    done
    echo "$passed"
}
passed=$(count_passed verify --backend cpu:auto) && judged=$(count_passed judge) || exit 1
echo "verify: $passed passed; judge: $judged passed"
[ "$passed" -eq "$count" ] && [ "$judged" -eq "$count" ]
