#!/bin/bash
# SPDX-License-Identifier: MIT
# check.sh [--names] ROOT WORK: Coq checks the proofs of ROOT/proofs, compiled in the folder WORK. They
# rest on the axioms of assumptions.txt alone. The documents in ROOT/docs name each theorem, in
# the form (machine: `name`, `name`), and no other. Exit status 77: Coq or Flocq is missing.
# --names: only the first module is compiled, and the axioms are not looked at.
set -euo pipefail
names=
if [ "$1" = --names ]; then
    names=yes
    shift
fi
root=$(realpath "$1") work=$2

command -v coqc >/dev/null || { echo "SKIPPED: coqc is not installed (package coq)" && exit 77; }
[ -d "$(coqc -where)/user-contrib/Flocq" ] ||
    { echo "SKIPPED: Flocq is not installed (package libcoq-flocq)" && exit 77; }

rm -rf "$work"
mkdir -p "$work"
cp "$root"/proofs/*.v "$work"
cd "$work"

# Commands that leave something unproved, or switch a check of Coq off.
if grep -nE '\b(Admitted|admit)\.|^ *(#.*\] *)?(Local |Global )?(Axiom|Parameter|Conjecture|Unset)s? ' ./*.v; then
    echo "FAIL: something is assumed and not proved"
    exit 1
fi

modules=$(coqdep -sort -Q . Cumsum ./*.v | tr ' ' '\n' | sed 's,.*/,,; s/\.v$//; /^$/d')
[ -z "$names" ] || modules=${modules%%$'\n'*}
for module in $modules; do
    coqc -q -Q . Cumsum "$module.v" || { echo "FAIL: $module.v is not proved" && exit 1; }
done

# The axioms of all theorems as one term: what these rest on, it rests on.
check_assumptions() {
    for module in $modules; do
        echo "From Cumsum Require $module."
    done >all_theorems.v
    {
        echo "Definition theorems := (0"
        for module in $modules; do
            sed -nE "s/^Theorem (\w+).*/, @Cumsum.$module.\1/p" "$module.v"
        done
        echo "). Print Assumptions theorems."
    } >>all_theorems.v
    coqc -q -Q . Cumsum all_theorems.v >assumptions
    # A name begins its line, and `Axioms:` is the heading.
    { grep -oE '^[^ :]+( |$)' assumptions || true; } | tr -d ' ' | LC_ALL=C sort -u >names
    sed -i '/^Closed$/d' names # under the global context: there are none
    LC_ALL=C sort -u "$root/proofs/assumptions.txt" >allowed
    if ! cmp -s names allowed; then
        echo "FAIL: the proofs (<) and assumptions.txt (>) have other assumptions:"
        diff names allowed
        exit 1
    fi
}
[ -n "$names" ] || check_assumptions

sed -nE 's/^Theorem (\w+).*/\1/p' ./*.v | LC_ALL=C sort >theorems
# Backquotes stand around each name.
cat "$root"/docs/*.md | tr '\n' ' ' | { grep -oE '\(machine:[^)]*\)' || true; } |
    tr '\140' '\n' | { grep -xE '\w+' || true; } | LC_ALL=C sort -u >documented
if ! cmp -s theorems documented; then
    echo "FAIL: the theorems (<) and those that the documents name (>) differ:"
    diff theorems documented
    exit 1
fi
if [ -n "$names" ]; then
    echo "$(wc -l <theorems) theorems have the names in the documents"
else
    echo "$(wc -l <theorems) theorems are proved, from $(wc -l <names) axioms"
fi
