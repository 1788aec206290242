#!/bin/bash
# SPDX-License-Identifier: MIT
# plant_faults.sh ROOT WORK: check.sh passes a small tree that is right, and refuses it with each of
# the faults below. It refuses a bound of ROOT's own proofs that is too small by one addition.
set -u
here=$(dirname "$(realpath "$0")")
root=$(realpath "$1") work=$2
failed=0

right_tree() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/proofs" "$work/tree/docs"
    cat >"$work/tree/proofs/Double.v" <<'END'
From Coq Require Import Lia.
Lemma double : forall n : nat, n + n = 2 * n.
Proof. lia. Qed.
END
    cat >"$work/tree/proofs/Even.v" <<'END'
From Cumsum Require Import Double.
(** Nothing is Admitted here, there is no Axiom. *)
Theorem even : forall n : nat, exists k, n + n = 2 * k.
Proof. intros n. exists n. apply Double.double. Qed.
END
    : >"$work/tree/proofs/assumptions.txt"
    printf 'Twice a number is even (machine:\n\140even\140).\n' >"$work/tree/docs/oracle.md"
}

# answers STATUS WORDS: check.sh exits with the status and prints the words.
answers() {
    bash "$here/check.sh" "$work/tree" "$work/check" >"$work/said" 2>&1
    local status=$?
    if [ "$status" -eq 77 ]; then
        cat "$work/said"
        exit 77
    fi
    if [ "$status" -ne "$1" ] || ! grep -qF -- "$2" "$work/said"; then
        echo "FAIL: check.sh exits with $status and not $1, or does not say '$2':"
        cat "$work/said"
        failed=1
    fi
}
# refused FILE SED_SCRIPT WORDS
refused() {
    right_tree
    sed -i "$2" "$work/tree/$1"
    answers 1 "$3"
}

mkdir -p "$work"
right_tree
answers 0 '1 theorems are proved, from 0 axioms'
refused proofs/Even.v 's/2 \* k/3 * k/' 'FAIL: Even.v is not proved'
refused proofs/Double.v 's/^Proof.*/Admitted./' 'FAIL: something is assumed'
refused proofs/Double.v 's/^Lemma/Axiom/; /^Proof/d' 'FAIL: something is assumed'
refused proofs/Double.v 's/^Lemma/#[local] Parameter/; /^Proof/d' 'FAIL: something is assumed'
refused proofs/Double.v '1a Unset Guard Checking.' 'FAIL: something is assumed'
# A variable outside a section is an axiom for Coq, and for nobody who looks for that word.
refused proofs/Double.v 's/^Lemma/Variable/; /^Proof/d' '< Double.double'
right_tree
echo Classical_Prop.classic >"$work/tree/proofs/assumptions.txt"
answers 1 '> Classical_Prop.classic'
refused docs/oracle.md 's/even\x60/odd\x60/' '> odd'
refused docs/oracle.md 's/machine/paper/' '< even'

right_tree
cp "$root/proofs/AnyOrder.v" "$work/tree/proofs"
sed -i '/^Theorem error_any_order /,/magn t/s/leaves t - 1/leaves t - 2/' "$work/tree/proofs/AnyOrder.v"
cmp -s "$root/proofs/AnyOrder.v" "$work/tree/proofs/AnyOrder.v" && echo "FAIL: no fault planted" && failed=1
answers 1 'FAIL: AnyOrder.v is not proved'
rm -rf "$work"
exit $failed
