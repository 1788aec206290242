(* SPDX-License-Identifier: MIT *)
(** The same for IEEE 754 numbers with overflow, infinities and NaN: Flocq's [Bplus], rounded to
    nearest even.  If the result of a tree is finite, no addition has overflowed, and the tree has
    the value that AnyOrder.v gives it. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative BinarySingleNaN.
From Cumsum Require Import AnyOrder EitherNeighbour Overflow.
Open Scope R_scope.

Section Binary.

Variables prec emax : Z.
Context { prec_gt_0_ : Prec_gt_0 prec }.
Context { prec_lt_emax_ : Prec_lt_emax prec emax }.

Notation bin := (binary_float prec emax).
Notation femin := (3 - emax - prec)%Z.
Notation fexp := (FLT_exp femin prec).
Notation F := (generic_format radix2 fexp).

Inductive btree := BLeaf (x : bin) | BNode (l r : btree).

Fixpoint bvalue (t : btree) : bin :=
  match t with BLeaf x => x | BNode l r => Bplus mode_NE (bvalue l) (bvalue r) end.
Fixpoint real (t : btree) : tree :=
  match t with BLeaf x => Leaf (B2R x) | BNode l r => Node (real l) (real r) end.

Definition RNE := Znearest (fun x => negb (Z.even x)).

Lemma real_format : forall t, all F (real t).
Proof. induction t as [x | l IHl r IHr]; simpl; [apply generic_format_B2R | now split]. Qed.

Lemma Bplus_finite_operands : forall m (x y : bin), is_finite (Bplus m x y) = true ->
  is_finite x = true /\ is_finite y = true.
Proof.
  intros m x y H.
  destruct x as [sx | sx | | sx mx ex Hx], y as [sy | sy | | sy my ey Hy]; simpl in H;
    try discriminate H; try (split; reflexivity).
  destruct (Bool.eqb sx sy); discriminate H.
Qed.

(** A finite sum has finite parts, and is the rounded sum of these. *)
Lemma Bplus_finite : forall x y : bin, is_finite (Bplus mode_NE x y) = true ->
  is_finite x = true /\ is_finite y = true /\
  B2R (Bplus mode_NE x y) = round radix2 fexp RNE (B2R x + B2R y).
Proof.
  intros x y H. destruct (Bplus_finite_operands _ x y H) as [Hx Hy].
  split; [exact Hx | split; [exact Hy |]].
  pose proof (Bplus_correct prec emax _ _ mode_NE x y Hx Hy) as HC.
  destruct (Rlt_bool _ _).
  - exact (proj1 HC).
  - exfalso. destruct HC as [HC _].
    assert (HF : is_finite_SF (B2SF (Bplus mode_NE x y)) = false) by (rewrite HC; reflexivity).
    rewrite is_finite_SF_B2SF in HF. congruence.
Qed.

Lemma bvalue_finite : forall t, is_finite (bvalue t) = true ->
  B2R (bvalue t) = value femin prec RNE (real t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; [reflexivity |].
  intros H. destruct (Bplus_finite _ _ H) as [Hl [Hr ->]].
  now rewrite IHl, IHr.
Qed.

(** |y - S| <= (n - 1) u A for IEEE 754 numbers. *)
Theorem error_any_order_ieee : forall t, is_finite (bvalue t) = true ->
  Rabs (B2R (bvalue t) - sum (real t)) <= INR (leaves (real t) - 1) * u prec * magn (real t).
Proof.
  intros t H. rewrite bvalue_finite by exact H.
  apply error_any_order; [exact prec_gt_0_ | apply real_format].
Qed.

(** Verdict 1 for IEEE 754 numbers: a finite output of any tree is accepted. *)
Theorem verdict1_ieee : forall q M t, is_finite (bvalue t) = true ->
  let s := real t in
  let E := INR (nonzero s + 1 - h_of prec q M - 1) * u prec * magn s in
  0 < M -> all (multiple q) s -> all (fun x => Rabs x <= M) s ->
  round radix2 fexp RNE (sum s - E) <= B2R (bvalue t) <= round radix2 fexp RNE (sum s + E).
Proof.
  intros q M t H s E HM Hm Hb. rewrite bvalue_finite by exact H.
  apply verdict1; auto. apply real_format.
Qed.

(** Below the threshold of overflow a rounded sum is below 2^emax. *)
Definition threshold := bpow radix2 emax - bpow radix2 (emax - prec - 1).

Lemma below_threshold : forall s, Rabs s < threshold ->
  Rabs (round radix2 fexp RNE s) < bpow radix2 emax.
Proof.
  pose proof prec_gt_0_ as Hp. pose proof prec_lt_emax_ as He.
  unfold Prec_gt_0, Prec_lt_emax in *.
  set (m := pred radix2 fexp (bpow radix2 emax)).
  assert (Fe : F (bpow radix2 emax)) by (apply generic_format_FLT_bpow; [exact prec_gt_0_ | lia]).
  assert (Fm : F m) by (apply generic_format_pred; auto with typeclass_instances).
  assert (Hm : m = bpow radix2 emax - bpow radix2 (emax - prec)).
  { unfold m. rewrite pred_bpow. f_equal. f_equal. unfold FLT_exp. lia. }
  assert (Hs : succ radix2 fexp m = bpow radix2 emax) by (apply succ_pred;
    auto with typeclass_instances).
  assert (H2 : bpow radix2 (emax - prec) = 2 * bpow radix2 (emax - prec - 1)).
  { rewrite <- bpow_S. f_equal. ring. }
  pose proof (bpow_gt_0 radix2 (emax - prec)).
  intros s Hlt. unfold threshold in Hlt. apply Rabs_lt_inv in Hlt.
  apply Rabs_lt. split.
  - apply Rlt_le_trans with (- m); [lra |].
    apply round_N_ge_midp; auto with typeclass_instances; [now apply generic_format_opp |].
    rewrite pred_opp, Hs. lra.
  - apply Rle_lt_trans with m; [| lra].
    apply round_N_le_midp; auto with typeclass_instances. rewrite Hs. lra.
Qed.

Fixpoint finite (t : btree) : Prop :=
  match t with BLeaf x => is_finite x = true | BNode l r => finite l /\ finite r end.

Lemma bvalue_no_overflow : forall t, finite t ->
  every femin prec (fun s => Rabs s < threshold) RNE (real t) -> is_finite (bvalue t) = true.
Proof.
  intros t. induction t as [x | l IHl r IHr]; simpl; [trivial |].
  intros [Fl Fr] [Hs [El Er]]. specialize (IHl Fl El). specialize (IHr Fr Er).
  pose proof (Bplus_correct prec emax _ _ mode_NE (bvalue l) (bvalue r) IHl IHr) as HC.
  rewrite (bvalue_finite l IHl), (bvalue_finite r IHr) in HC.
  rewrite Rlt_bool_true in HC by exact (below_threshold _ Hs). apply HC.
Qed.

(** The overflow condition of the document: then no order gives an infinity or NaN. *)
Theorem no_overflow_ieee : forall t, finite t ->
  let s := real t in let K := INR (leaves s - 1) in
  K * u prec <= 1 -> (1 + K * u prec) * pos s < threshold -> (1 + K * u prec) * neg s < threshold ->
  is_finite (bvalue t) = true.
Proof.
  intros t Hf s K HK HP HN. apply bvalue_no_overflow; [exact Hf |].
  eapply every_impl; [| apply no_overflow; [exact prec_gt_0_ | apply real_format | exact HK]].
  intros x [H1 H2]. fold s in H1, H2. fold K in H1, H2. apply Rabs_lt. lra.
Qed.

Theorem no_overflow_long_ieee : forall t, finite t ->
  let s := real t in let K := INR (leaves s - 1) in
  pos s + K * u prec * magn s < threshold -> neg s + K * u prec * magn s < threshold ->
  is_finite (bvalue t) = true.
Proof.
  intros t Hf s K HP HN. apply bvalue_no_overflow; [exact Hf |].
  eapply every_impl; [| apply no_overflow_long; [exact prec_gt_0_ | apply real_format]].
  intros x [H1 H2]. fold s in H1, H2. fold K in H1, H2. apply Rabs_lt. lra.
Qed.

End Binary.
