(* SPDX-License-Identifier: MIT *)
(** Sums of one format that are stored in another: FLOAT16 and BFLOAT16 with a binary32
    accumulator. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder Zeros.
Open Scope R_scope.

Section Stored.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation u := (u p).
Notation value := (value emin p).

(** * Stored sums: any monotonic store of the sum, e.g. of binary32 to binary16 *)

Theorem stored : forall (store : R -> R), (forall x y, x <= y -> store x <= store y) ->
  forall choice q M t,
  let rnd := Znearest choice in
  let E := INR (nonzero t + 1 - h_of p q M - 1) * u * magn t in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  store (round radix2 fexp rnd (sum t - E)) <= store (value rnd t)
    <= store (round radix2 fexp rnd (sum t + E)).
Proof. intros store Hs choice q M t rnd E HM Hf Hm Hb.
split; apply Hs; now apply verdict1_nonzero. Qed.

End Stored.
