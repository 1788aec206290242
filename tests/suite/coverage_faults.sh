#!/bin/bash
# SPDX-License-Identifier: MIT
# coverage_faults.sh COVERAGE_TABLE ROOT SCRATCH: the check must find wrong documents and lists. Each
# fault is planted alone in a copy.
set -u
table=$(realpath "$1")
root=$(realpath "$2")
mkdir -p "$3" || exit 1
scratch=$(mktemp -d "$3/coverage.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
failed=0

# plant WHAT FILE SED-SCRIPT MESSAGE: the check must fail with this message.
plant() {
    rm -rf "$scratch/copy"
    mkdir "$scratch/copy"
    cp -r "$root/docs" "$root/lists" "$scratch/copy"
    sed -i "$3" "$scratch/copy/$2"
    if cmp -s "$root/$2" "$scratch/copy/$2"; then
        echo "$1: not planted"
        failed=1
    elif "$table" "$scratch/copy" --check >"$scratch/out" 2>&1; then
        echo "$1: not found"
        failed=1
    elif ! grep -qF -- "$4" "$scratch/out"; then
        echo "$1: found as something else:"
        cat "$scratch/out"
        failed=1
    fi
}

plant "a new sentence" docs/numerics.md 's/^INT32 and UINT32 are/Integers are added. &/' \
    "docs/numerics.md says 'Integers are added.'"
plant "a sentence that is gone" docs/validation.md 's/^It is computed so that it cannot wrap\.//; s/ It is computed so that it cannot wrap\.//' \
    "in its place"
plant "a rule without a case" lists/rules.txt 's/^    line.independent$/    line.dependent/' \
    "rule line.dependent: no list has a case for it"
plant "a rule of no statement" lists/mustpass.list 's/^rule zero.positive$/& zero.new/' \
    "rule zero.new is in a list, and no statement names it"
plant "a statement without rules" lists/rules.txt 's/^    half.not-fed-back$/    /' \
    "no rules below 'What is stored is never fed back.'"
plant "a rule that quick lacks" lists/quick.list 's/^rule exact.zero$/rule exact.rounded-once/' \
    "rule exact.zero: no case of quick"
plant "a case of quick alone" lists/quick.list 's/carry-32.seed1/carry-32.seed99/' \
    "and mustpass has not"
plant "data of no case" lists/mustpass.list 's/ladder-24/ladder-11/' \
    "no case of mustpass has the data ladder-24"
plant "a case of no rule" lists/quick.list '/^rule line.inclusive/d' "no rule is named for it"
plant "a descriptor of no rule" lists/invalid.jsonl '1s/valid.tensor\///' "no RULE/ in its name"
plant "a name that is none" lists/quick.list 's/carry-32.seed1/carry-64.seed1/' "no distribution"
exit $failed
