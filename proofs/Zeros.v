(* SPDX-License-Identifier: MIT *)
(** Terms that are zero do not count: n is the number of the others. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder.
Open Scope R_scope.

Section Zeros.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation u := (u p).
Notation value := (value emin p).

(** * Zeros do not count *)

Fixpoint prune (t : tree) : option tree :=
  match t with
  | Leaf x => if Req_EM_T x 0 then None else Some (Leaf x)
  | Node l r =>
    match prune l, prune r with
    | Some a, Some b => Some (Node a b)
    | Some a, None => Some a
    | None, o => o
    end
  end.

(** n of the document *)
Fixpoint nonzero (t : tree) : nat :=
  match t with Leaf x => if Req_EM_T x 0 then 0 else 1 | Node l r => nonzero l + nonzero r end.

Definition on {A} (z : A) (f : tree -> A) (o : option tree) : A :=
  match o with None => z | Some t => f t end.

Lemma prune_leaves : forall t, on 0%nat leaves (prune t) = nonzero t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; [destruct (Req_EM_T x 0); reflexivity |].
  destruct (prune l), (prune r); simpl in *; lia.
Qed.

Lemma prune_sum : forall t, on 0 sum (prune t) = sum t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; [destruct (Req_EM_T x 0); simpl; lra |].
  destruct (prune l), (prune r); simpl in *; lra.
Qed.

Lemma prune_magn : forall t, on 0 magn (prune t) = magn t.
Proof.
  induction t as [x | l IHl r IHr]; simpl.
  - destruct (Req_EM_T x 0) as [-> |]; simpl; [now rewrite Rabs_R0 | reflexivity].
  - destruct (prune l), (prune r); simpl in *; lra.
Qed.

Lemma prune_all : forall P t, all P t -> on True (all P) (prune t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; [intros H; destruct (Req_EM_T x 0); simpl; auto |].
  intros [Hl Hr]. specialize (IHl Hl). specialize (IHr Hr).
  destruct (prune l), (prune r); simpl in *; auto.
Qed.

Lemma prune_value : forall rnd { H : Valid_rnd rnd } t, all F t ->
  on 0 (value rnd) (prune t) = value rnd t.
Proof.
  intros rnd H t; induction t as [x | l IHl r IHr]; simpl; [intros _; destruct (Req_EM_T x 0);
    simpl; auto |].
  intros [Hl Hr]. specialize (IHl Hl). specialize (IHr Hr).
  pose proof (value_format emin p rnd l Hl) as Fl. pose proof (value_format emin p rnd r Hr) as Fr.
  destruct (prune l), (prune r); simpl in *; rewrite <- IHl, <- IHr in *;
    rewrite ?Rplus_0_l, ?Rplus_0_r; try reflexivity;
    symmetry; apply round_generic; auto using generic_format_0 with typeclass_instances.
Qed.

(** Verdict 1 where n counts the terms that are not zero. *)
Theorem verdict1_nonzero : forall choice q M t,
  let rnd := Znearest choice in
  let E := INR (nonzero t + 1 - h_of p q M - 1) * u * magn t in
  0 < M -> all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  round radix2 fexp rnd (sum t - E) <= value rnd t <= round radix2 fexp rnd (sum t + E).
Proof.
  intros choice q M t rnd E HM Hf Hm Hb. unfold E; clear E.
  assert (V : Valid_rnd rnd) by (unfold rnd; auto with typeclass_instances).
  rewrite <- (prune_value rnd t Hf), <- (prune_sum t), <- (prune_magn t), <- (prune_leaves t).
  pose proof (prune_all _ _ Hf) as Hf'. pose proof (prune_all _ _ Hm) as Hm'.
  pose proof (prune_all _ _ Hb) as Hb'.
  destruct (prune t) as [t' |]; simpl in *.
  - now apply (verdict1 emin p choice q M t').
  - rewrite Rmult_0_r, Rminus_0_r, Rplus_0_r, round_0 by assumption. lra.
Qed.

End Zeros.
