(* SPDX-License-Identifier: MIT *)
(** The truncating and the saturating accumulator as IEEE 754 numbers: Flocq's [Bplus], rounded
    toward zero (docs/oracle.md, "Saturated sums").  That addition overflows to the greatest finite
    number, which is the saturating accumulator.  The truncating one overflows to infinity. *)

From Coq Require Import Reals ZArith Psatz Lia Lra Bool.
From Flocq Require Import Core Plus_error Relative BinarySingleNaN.
From Cumsum Require Import AnyOrder EitherNeighbour Truncated Ieee.
Open Scope R_scope.

Section IeeeTruncated.

Variables prec emax : Z.
Context { prec_gt_0_ : Prec_gt_0 prec }.
Context { prec_lt_emax_ : Prec_lt_emax prec emax }.

Notation bin := (binary_float prec emax).
Notation btree := (btree prec emax).
Notation femin := (3 - emax - prec)%Z.
Notation fexp := (FLT_exp femin prec).
Notation F := (generic_format radix2 fexp).
Notation RZ := (round radix2 fexp Ztrunc).
Notation BLeaf := (BLeaf prec emax).
Notation BNode := (BNode prec emax).
Notation real := (real prec emax).
Notation finite := (finite prec emax).
Notation C := (C prec (emax - prec)).
Notation clamp := (clamp prec (emax - prec)).

Lemma C_value : C = bpow radix2 emax - bpow radix2 (emax - prec).
Proof.
  unfold Truncated.C. rewrite Rmult_minus_distr_r, <- bpow_plus, Rmult_1_l.
  now replace (prec + (emax - prec))%Z with emax by ring.
Qed.

Lemma finite_le_C : forall x : bin, Rabs (B2R x) <= C.
Proof. intros x. rewrite C_value. now apply abs_B2R_le_emax_minus_prec. Qed.

Lemma C_lt_emax : C < bpow radix2 emax.
Proof. rewrite C_value. pose proof (bpow_gt_0 radix2 (emax - prec)). lra. Qed.

Lemma sign_of : forall x : bin, if Bsign x then B2R x <= 0 else 0 <= B2R x.
Proof.
  intros [s | s | | s m e H]; simpl; try (destruct s; lra); try lra.
  destruct s; [apply F2R_le_0 | apply F2R_ge_0]; simpl; lia.
Qed.

(** * The saturating accumulator *)

Fixpoint svalue (t : btree) : bin :=
  match t with Ieee.BLeaf _ _ x => x
    | Ieee.BNode _ _ l r => Bplus mode_ZR (svalue l) (svalue r) end.

(** The greatest finite number with a sign. *)
Lemma greatest : forall z : bin, forall s, B2SF z = binary_overflow prec emax mode_ZR s ->
  is_finite z = true /\ B2R z = (if s then - C else C).
Proof.
  intros z s H. pose proof prec_gt_0_ as Hp. unfold Prec_gt_0 in Hp.
  split; [rewrite <- is_finite_SF_B2SF, H; reflexivity |].
  rewrite <- SF2R_B2SF, H. unfold binary_overflow, SF2R. simpl.
  assert (Hpos : (1 < 2 ^ prec)%Z) by (apply (Z.pow_gt_1 2 prec); lia).
  unfold Truncated.C. rewrite <- (IZR_Zpower radix2) by lia.
  destruct (2 ^ prec - 1)%Z as [| m | m] eqn:E; try lia.
  assert (EZ : IZR (radix2 ^ prec) - 1 = IZR (Z.pos m)) by (rewrite <- E, minus_IZR; reflexivity).
  rewrite EZ. destruct s; [| reflexivity].
  change (- IZR (Z.pos m) * bpow radix2 (emax - prec) = - (IZR (Z.pos m) * bpow radix2 (emax -
    prec))).
  ring.
Qed.

Lemma Bplus_ZR : forall x y : bin, is_finite x = true -> is_finite y = true ->
  is_finite (Bplus mode_ZR x y) = true /\ B2R (Bplus mode_ZR x y) = clamp (RZ (B2R x + B2R y)).
Proof.
  intros x y Hx Hy. pose proof (Bplus_correct prec emax _ _ mode_ZR x y Hx Hy) as HC.
  simpl round_mode in HC. change (SpecFloat.fexp prec emax) with fexp in HC.
  pose proof (C_gt_0 prec (emax - prec)) as HC0. pose proof C_lt_emax.
  destruct (Rlt_bool_spec (Rabs (RZ (B2R x + B2R y))) (bpow radix2 emax)) as [Hlt | Hge].
  - destruct HC as [HR [HF _]]. split; [exact HF |]. rewrite <- HR.
    pose proof (finite_le_C (Bplus mode_ZR x y)) as HB. apply Rabs_le_inv in HB.
    unfold Truncated.clamp. now rewrite Rmin_left, Rmax_right by lra.
  - destruct HC as [HO HS]. destruct (greatest _ _ HO) as [HF ->]. split; [exact HF |].
    pose proof (sign_of x) as Sx. pose proof (sign_of y) as Sy. rewrite <- HS in Sy.
    destruct (RZ_sign femin prec (B2R x + B2R y)) as [Sp Sn].
    destruct (clamp_cases prec (emax - prec) (RZ (B2R x + B2R y))) as [[K ->] | [[K ->] | [K ->]]];
      [lra | |]; destruct (Bsign x); try reflexivity;
        [specialize (Sn ltac:(lra)) | specialize (Sp ltac:(lra))]; lra.
Qed.

(** The rule of the document is for the values of this accumulator: [saturated] of Truncated.v. *)
Theorem saturated_ieee : forall t, finite t ->
  is_finite (svalue t) = true /\ B2R (svalue t) = value_sat femin prec (emax - prec) (real t).
Proof.
  induction t as [x | l IHl r IHr]; cbn [svalue Ieee.real Ieee.finite value_sat];
    [split; trivial |].
  intros [Hl Hr]. destruct (IHl Hl) as [Fl El]. destruct (IHr Hr) as [Fr Er].
  rewrite <- El, <- Er. now apply Bplus_ZR.
Qed.

(** * The truncating accumulator *)

Definition overflows (x y : bin) : bool :=
  is_finite x && is_finite y && Rle_bool (bpow radix2 emax) (Rabs (RZ (B2R x + B2R y))).
Definition tplus (x y : bin) : bin :=
  if overflows x y then B754_infinity (Bsign x) else Bplus mode_ZR x y.

Fixpoint tvalue (t : btree) : bin :=
  match t with Ieee.BLeaf _ _ x => x | Ieee.BNode _ _ l r => tplus (tvalue l) (tvalue r) end.

Lemma tplus_finite : forall x y : bin, is_finite (tplus x y) = true ->
  is_finite x = true /\ is_finite y = true /\ B2R (tplus x y) = RZ (B2R x + B2R y).
Proof.
  intros x y. unfold tplus. destruct (overflows x y) eqn:E; [discriminate |]. intros H.
  destruct (Bplus_finite_operands _ _ _ _ _ H) as [Hx Hy]. split; [exact Hx | split; [exact Hy |]].
  unfold overflows in E. rewrite Hx, Hy in E. cbn [andb] in E.
  pose proof (Bplus_correct prec emax _ _ mode_ZR x y Hx Hy) as HC. simpl round_mode in HC.
  change (SpecFloat.fexp prec emax) with fexp in HC.
  destruct (Rle_bool_spec (bpow radix2 emax) (Rabs (RZ (B2R x + B2R y)))) as [L | L];
    [discriminate |].
  rewrite Rlt_bool_true in HC by exact L. apply HC.
Qed.

(** A finite result is that of Truncated.v. *)
Theorem truncated_ieee : forall t, is_finite (tvalue t) = true ->
  B2R (tvalue t) = value femin prec Ztrunc (real t).
Proof.
  induction t as [x | l IHl r IHr]; cbn [tvalue Ieee.real value]; [reflexivity |].
  intros H. destruct (tplus_finite _ _ H) as [Hl [Hr ->]]. now rewrite IHl, IHr.
Qed.

(** It does not overflow if P and N are below 2^emax. *)
Theorem no_overflow_truncated : forall t, finite t ->
  pos (real t) < bpow radix2 emax -> neg (real t) < bpow radix2 emax -> is_finite (tvalue t) = true.
Proof.
  induction t as [x | l IHl r IHr]; cbn [tvalue Ieee.real Ieee.finite pos neg]; [trivial |].
  intros [Fl Fr] HP HN.
  pose proof (pos_ge_0 (real l)). pose proof (pos_ge_0 (real r)).
  pose proof (neg_ge_0 (real l)). pose proof (neg_ge_0 (real r)).
  specialize (IHl Fl ltac:(lra) ltac:(lra)). specialize (IHr Fr ltac:(lra) ltac:(lra)).
  pose proof (truncated_ieee l IHl) as El. pose proof (truncated_ieee r IHr) as Er.
  assert (Hb : Rabs (RZ (B2R (tvalue l) + B2R (tvalue r))) < bpow radix2 emax).
  { pose proof (truncated_range femin prec (real (BNode l r))
      (real_format prec emax (BNode l r))) as HR. cbn [Ieee.real value pos neg] in HR.
    rewrite <- El, <- Er in HR. apply Rabs_lt. lra. }
  unfold tplus, overflows. rewrite IHl, IHr. cbn [andb].
  rewrite Rle_bool_false by exact Hb.
  pose proof (Bplus_correct prec emax _ _ mode_ZR _ _ IHl IHr) as HC. simpl round_mode in HC.
  change (SpecFloat.fexp prec emax) with fexp in HC.
  rewrite Rlt_bool_true in HC by exact Hb. apply HC.
Qed.

End IeeeTruncated.
