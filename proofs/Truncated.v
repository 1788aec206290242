(* SPDX-License-Identifier: MIT *)
(** Accumulators that truncate every addition toward zero, and those that saturate as well
    (docs/oracle.md, "The interval" and "Saturated sums").  For binary16 p = 11, 2u = 2^-10, C =
    65504 = (2^11 - 1) 2^5. *)

From Coq Require Import Reals ZArith Psatz Lia Lra.
From Flocq Require Import Core Plus_error Relative.
From Cumsum Require Import AnyOrder EitherNeighbour Zeros.
Open Scope R_scope.

Section Truncate.

Variables emin p : Z.
Context { prec_gt_0_ : Prec_gt_0 p }.

Notation fexp := (FLT_exp emin p).
Notation F := (generic_format radix2 fexp).
Notation v := (v p).                           (* 2u *)
Notation RZ := (round radix2 fexp Ztrunc).

Lemma RZ_le : forall x, Rabs (RZ x) <= Rabs x.
Proof.
  intros x. apply (Rnd_ZR_abs F (fun x => RZ x)). intros y.
  apply round_ZR_pt; auto with typeclass_instances.
Qed.

Lemma trunc_error : forall a b, F a -> F b -> Rabs (RZ (a + b) - (a + b)) <= v * Rabs (a + b).
Proof.
  intros a b Fa Fb. eapply Rle_trans; [apply add_error; auto with typeclass_instances |].
  apply Rmult_le_compat_l; [apply Rlt_le, v_gt_0 | apply slope_le].
Qed.

(** A partial sum is at most the A of its terms, and the error at most r 2u A. *)
Lemma truncated_counted_any : forall t r y, eval (by_round emin p Ztrunc) t r y -> all F t ->
  Rabs y <= magn t /\ Rabs (y - sum t) <= INR r * v * magn t.
Proof.
  intros t r y E; induction E as [x | l r k1 k2 a b E1 IH1 E2 IH2 Hadd
    | l r k1 k2 a b y E1 IH1 E2 IH2 Hadd];
    simpl sum; simpl magn; intros Hf.
  - rewrite Rminus_diag_eq by reflexivity. rewrite Rabs_R0. simpl. lra.
  - destruct Hf as [Hl Hr]. destruct (IH1 Hl) as [A1 B1]. destruct (IH2 Hr) as [A2 B2].
    pose proof (Rabs_triang a b). split; [lra |]. rewrite plus_INR.
    assert (H0 : Rabs (a + b - (a + b)) <= 0)
      by (rewrite Rminus_diag_eq by reflexivity; rewrite Rabs_R0; lra).
    pose proof (plus_error_split _ _ _ _ _ _ _ _ B1 B2 H0).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof (v_gt_0 p).
    pose proof (pos_INR k1). pose proof (pos_INR k2).
    assert (0 <= INR k2 * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k1 * v * magn r) by (repeat apply Rmult_le_pos; lra). lra.
  - destruct Hf as [Hl Hr]. destruct (IH1 Hl) as [A1 B1]. destruct (IH2 Hr) as [A2 B2].
    pose proof (by_round_closed emin p Ztrunc) as HC.
    pose proof (eval_format emin p _ HC _ _ _ E1 Hl) as Fa.
    pose proof (eval_format emin p _ HC _ _ _ E2 Hr) as Fb.
    red in Hadd. subst y. pose proof (Rabs_triang a b). pose proof (RZ_le (a + b)).
    split; [lra |]. rewrite S_INR, plus_INR.
    pose proof (trunc_error a b Fa Fb) as Hd.
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof (v_gt_0 p).
    pose proof (pos_INR k1). pose proof (pos_INR k2).
    assert (Hd' : Rabs (RZ (a + b) - (a + b)) <= v * (magn l + magn r)).
    { eapply Rle_trans; [exact Hd |]. apply Rmult_le_compat_l; lra. }
    pose proof (plus_error_split _ _ _ _ _ _ _ _ B1 B2 Hd').
    assert (0 <= INR k2 * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k1 * v * magn r) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

Theorem truncated_counted : forall t, all F t ->
  Rabs (value emin p Ztrunc t) <= magn t /\
  Rabs (value emin p Ztrunc t - sum t) <= INR (inexact emin p Ztrunc t) * v * magn t.
Proof. intros t Hf. apply truncated_counted_any; [apply value_eval_inexact | exact Hf]. Qed.

(** With the r of the document. *)
Lemma truncated_leaves : forall q M t, 0 < M -> all F t -> all (multiple q) t ->
  all (fun x => Rabs x <= M) t ->
  Rabs (value emin p Ztrunc t - sum t) <= INR (r_of p q M t) * v * magn t.
Proof.
  intros q M t HM Hf Hm Hb. destruct (truncated_counted t Hf) as [_ H].
  eapply Rle_trans; [exact H |].
  apply Rmult_le_compat_r; [apply magn_ge_0 |]. apply Rmult_le_compat_r; [apply Rlt_le, v_gt_0 |].
  apply le_INR.
  eapply Nat.le_trans; [apply (inexact_le_fat emin p Ztrunc q M (h_of p q M)); auto |].
  - intros k. now apply h_of_ok.
  - apply additions_above_h_terms. unfold h_of. lia.
Qed.

(** The same, where n counts the terms that are not zero. *)
Theorem truncated : forall q M t, 0 < M ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  Rabs (value emin p Ztrunc t - sum t) <= INR (nonzero t + 1 - h_of p q M) * v * magn t.
Proof.
  intros q M t HM Hf Hm Hb.
  pose proof (prune_all _ _ Hf) as Hf'. pose proof (prune_all _ _ Hm) as Hm'.
  pose proof (prune_all _ _ Hb) as Hb'.
  rewrite <- (prune_value emin p Ztrunc t Hf), <- (prune_sum t), <- (prune_magn t).
  rewrite <- (prune_leaves t). destruct (prune t) as [t' |]; simpl in *.
  - now apply truncated_leaves.
  - rewrite Rmult_0_r, Rminus_0_r, Rabs_R0. lra.
Qed.

(** Sums of the positive terms, and of the magnitudes of the negative ones. *)
Fixpoint pos (t : tree) : R := match t with Leaf x => Rmax x 0 | Node l r => pos l + pos r end.
Fixpoint neg (t : tree) : R := match t with Leaf x => Rmax (- x) 0 | Node l r => neg l + neg r end.

Lemma pos_ge_0 : forall t, 0 <= pos t.
Proof. induction t; simpl; [apply Rmax_r | lra]. Qed.
Lemma neg_ge_0 : forall t, 0 <= neg t.
Proof. induction t; simpl; [apply Rmax_r | lra]. Qed.

(** No overflow of an accumulator that truncates, if P and N are below 2^emax: sums of parts, before
    they are truncated, lie between -N and P as well. *)
Theorem truncated_range : forall t, all F t -> - neg t <= value emin p Ztrunc t <= pos t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; intros Hf.
  - pose proof (Rmax_l x 0). pose proof (Rmax_l (- x) 0). lra.
  - specialize (IHl (proj1 Hf)). specialize (IHr (proj2 Hf)).
    pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l).
    pose proof (neg_ge_0 r).
    set (s := value emin p Ztrunc l + value emin p Ztrunc r).
    pose proof (RZ_le s) as Hs.
    destruct (Rle_or_lt 0 s) as [C | C].
    + assert (0 <= RZ s) by (apply round_ge_generic;
      auto using generic_format_0 with typeclass_instances).
      rewrite !Rabs_pos_eq in Hs by lra. unfold s in *. lra.
    + assert (RZ s <= 0) by (apply round_le_generic;
      auto using generic_format_0 with typeclass_instances; lra).
      rewrite !Rabs_left1 in Hs by lra. unfold s in *. lra.
Qed.

(** * Saturation: an addition that would pass C in magnitude returns C with its sign *)

Variable c : Z.
Hypothesis c_ge : (emin <= c)%Z.
Definition C := (bpow radix2 p - 1) * bpow radix2 c.

Lemma C_multiple : multiple c C.
Proof.
  exists (2 ^ p - 1)%Z. unfold C. rewrite minus_IZR. rewrite (IZR_Zpower radix2); [reflexivity |].
  unfold Prec_gt_0 in prec_gt_0_; lia.
Qed.

Lemma C_gt_0 : 0 < C.
Proof.
  unfold C. apply Rmult_lt_0_compat; [| apply bpow_gt_0].
  assert (bpow radix2 0 < bpow radix2 p) by (apply bpow_lt; unfold Prec_gt_0 in prec_gt_0_; lia).
  simpl in H. lra.
Qed.

Lemma C_lt : C < bpow radix2 (p + c).
Proof. unfold C. rewrite bpow_plus. pose proof (bpow_gt_0 radix2 c). lra. Qed.

Lemma C_format : F C.
Proof.
  apply (multiple_format emin p c); [exact c_ge | apply C_multiple |].
  rewrite Rabs_pos_eq by apply Rlt_le, C_gt_0. apply Rlt_le, C_lt.
Qed.

Definition clamp (x : R) := Rmax (- C) (Rmin x C).

Lemma clamp_cases : forall x, (Rabs x <= C /\ clamp x = x) \/ (C < x
  /\ clamp x = C) \/ (x < - C /\ clamp x = - C).
Proof.
  intros x. pose proof C_gt_0. unfold clamp.
  destruct (Rle_or_lt x C); [| right; left; rewrite Rmin_right, Rmax_right by lra; lra].
  rewrite Rmin_left by lra. destruct (Rle_or_lt (- C) x).
  - left. rewrite Rmax_right by lra. split; [apply Rabs_le; lra | reflexivity].
  - right; right. rewrite Rmax_left by lra. lra.
Qed.

Lemma clamp_format : forall x, F x -> F (clamp x).
Proof.
  intros x Fx. destruct (clamp_cases x) as [[_ ->] | [[_ ->] | [_ ->]]];
    [exact Fx | apply C_format | apply generic_format_opp, C_format].
Qed.

Lemma clamp_abs : forall x, Rabs (clamp x) <= Rabs x /\ Rabs (clamp x) <= C.
Proof.
  intros x. pose proof C_gt_0. destruct (clamp_cases x) as [[H0 ->] | [[H0 ->] | [H0 ->]]].
  - split; [apply Rle_refl | exact H0].
  - rewrite !Rabs_pos_eq by lra. lra.
  - rewrite Rabs_Ropp, (Rabs_pos_eq C) by lra. rewrite Rabs_left by lra. lra.
Qed.

(** [sat t k y]: saturating evaluation, of which k additions count as truncating.  An addition need
    not be counted if truncation does not change its result. *)
Inductive sat : tree -> nat -> R -> Prop :=
| sat_leaf : forall x, sat (Leaf x) 0 x
| sat_exact : forall l r k1 k2 a b, sat l k1 a -> sat r k2 b ->
    clamp (RZ (a + b)) = clamp (a + b) -> sat (Node l r) (k1 + k2) (clamp (a + b))
| sat_round : forall l r k1 k2 a b, sat l k1 a -> sat r k2 b ->
    sat (Node l r) (S (k1 + k2)) (clamp (RZ (a + b))).

Lemma sat_format : forall t k y, sat t k y -> all F t -> F y.
Proof.
  intros t k y E; induction E as [x | l r k1 k2 a b E1 IH1 E2 IH2 H | l r k1 k2 a b E1 IH1 E2 IH2];
    simpl; intros Hf; [exact Hf | |].
  - rewrite <- H. apply clamp_format, generic_format_round; auto with typeclass_instances.
  - apply clamp_format, generic_format_round; auto with typeclass_instances.
Qed.

Lemma sat_abs : forall t k y, sat t k y -> all (fun x => Rabs x <= C) t ->
  Rabs y <= magn t /\ Rabs y <= C.
Proof.
  intros t k y E; induction E as [x | l r k1 k2 a b E1 IH1 E2 IH2 H | l r k1 k2 a b E1 IH1 E2 IH2];
    simpl; intros Hf; [split; [apply Rle_refl | exact Hf] | |];
    destruct (IH1 (proj1 Hf)) as [H1 _]; destruct (IH2 (proj2 Hf)) as [H2 _];
    pose proof (Rabs_triang a b).
  - destruct (clamp_abs (a + b)). lra.
  - destruct (clamp_abs (RZ (a + b))). pose proof (RZ_le (a + b)). lra.
Qed.

Lemma min_plus : forall x y, 0 <= x -> 0 <= y -> Rmin (x + y) C <= Rmin x C + Rmin y C.
Proof.
  intros x y Hx Hy. pose proof C_gt_0.
  destruct (Rle_or_lt x C); [rewrite (Rmin_left x) by lra | rewrite (Rmin_right x) by lra].
  - destruct (Rle_or_lt y C); [rewrite (Rmin_left y) by lra | rewrite (Rmin_right y) by lra].
    + apply Rmin_l.
    + eapply Rle_trans; [apply Rmin_r | lra].
  - assert (0 <= Rmin y C) by (apply Rmin_glb; lra). eapply Rle_trans; [apply Rmin_r | lra].
Qed.

(** min(P, C) - N - T <= y <= P - min(N, C) + T,  T = k 2u A *)
Theorem saturated_counted : forall t k y, sat t k y -> all F t -> all (fun x => Rabs x <= C) t ->
  let T := INR k * v * magn t in
  Rmin (pos t) C - neg t - T <= y <= pos t - Rmin (neg t) C + T.
Proof.
  intros t k y E; induction E as [x | l r k1 k2 a b E1 IH1 E2 IH2 H | l r k1 k2 a b E1 IH1 E2 IH2];
    cbv zeta in *; simpl pos; simpl neg; simpl magn; intros Hf Hb.
  - simpl in *. rewrite !Rmult_0_l, Rminus_0_r, Rplus_0_r.
    pose proof C_gt_0. apply Rabs_le_inv in Hb.
    destruct (Rle_or_lt x 0).
    + rewrite (Rmax_right x), (Rmax_left (- x)) by lra. rewrite (Rmin_left 0), Rmin_left by lra.
    lra.
    + rewrite (Rmax_left x), (Rmax_right (- x)) by lra. rewrite (Rmin_left 0), Rmin_left by lra.
    lra.
  - destruct Hf as [Hl Hr]. destruct Hb as [Bl Br]. specialize (IH1 Hl Bl). specialize (IH2 Hr Br).
    pose proof (min_plus (pos l) (pos r) (pos_ge_0 l) (pos_ge_0 r)).
    pose proof (min_plus (neg l) (neg r) (neg_ge_0 l) (neg_ge_0 r)).
    pose proof (Rmin_r (pos l + pos r) C). pose proof (Rmin_r (neg l + neg r) C).
    pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l).
    pose proof (neg_ge_0 r).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof (v_gt_0 p).
    pose proof (pos_INR k1). pose proof (pos_INR k2). rewrite plus_INR.
    assert (0 <= INR k2 * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k1 * v * magn r) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k1 * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k2 * v * magn r) by (repeat apply Rmult_le_pos; lra).
    destruct (clamp_cases (a + b)) as [[_ ->] | [[? ->] | [? ->]]]; lra.
  - destruct Hf as [Hl Hr]. destruct Hb as [Bl Br]. specialize (IH1 Hl Bl). specialize (IH2 Hr Br).
    pose proof (min_plus (pos l) (pos r) (pos_ge_0 l) (pos_ge_0 r)).
    pose proof (min_plus (neg l) (neg r) (neg_ge_0 l) (neg_ge_0 r)).
    pose proof (Rmin_r (pos l + pos r) C). pose proof (Rmin_r (neg l + neg r) C).
    pose proof (pos_ge_0 l). pose proof (pos_ge_0 r). pose proof (neg_ge_0 l).
    pose proof (neg_ge_0 r).
    pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). pose proof (v_gt_0 p).
    pose proof (pos_INR k1). pose proof (pos_INR k2). rewrite S_INR, plus_INR.
    assert (0 <= INR k2 * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k1 * v * magn r) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k1 * v * magn l) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= INR k2 * v * magn r) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= v * magn l) by (apply Rmult_le_pos; lra).
    assert (0 <= v * magn r) by (apply Rmult_le_pos; lra).
    pose proof (trunc_error a b (sat_format _ _ _ E1 Hl) (sat_format _ _ _ E2 Hr)) as Hd.
    destruct (sat_abs _ _ _ E1 Bl) as [Ha _]. destruct (sat_abs _ _ _ E2 Br) as [Hb _].
    pose proof (Rabs_triang a b).
    assert (Hd' : Rabs (RZ (a + b) - (a + b)) <= v * (magn l + magn r)).
    { eapply Rle_trans; [exact Hd |]. apply Rmult_le_compat_l; lra. }
    apply Rabs_le_inv in Hd'.
    destruct (clamp_cases (RZ (a + b))) as [[_ ->] | [[? ->] | [? ->]]]; lra.
Qed.

(** The value of a tree of saturating additions, and the r of the document for it.
    [exact_below_limit] does not apply as it stands: a clamped sum is C, and so a multiple of 2^c
    only, and not a sum of terms.  But all multiples of 2^c up to C are in the format, and where
    q < c no sum up to 2^p 2^q passes C. *)
Fixpoint value_sat (t : tree) : R :=
  match t with Leaf x => x | Node l r => clamp (RZ (value_sat l + value_sat r)) end.

Lemma RZ_generic : forall x, F x -> RZ x = x.
Proof. intros. apply round_generic; auto with typeclass_instances. Qed.

(** Where all terms are multiples of 2^c, no truncation ever changes a result. *)
Lemma sat_coarse : forall t, all (multiple c) t -> all (fun x => Rabs x <= C) t ->
  sat t 0 (value_sat t) /\ multiple c (value_sat t).
Proof.
  induction t as [x | l IHl r IHr]; simpl; intros Hm Hb; [split; [constructor | exact Hm] |].
  destruct (IHl (proj1 Hm) (proj1 Hb)) as [El Ml]. destruct (IHr (proj2 Hm) (proj2 Hb)) as [Er Mr].
  set (s := value_sat l + value_sat r).
  assert (Ms : multiple c s) by (apply multiple_plus; assumption).
  assert (Hs : clamp (RZ s) = clamp s).
  { destruct (Rle_or_lt (Rabs s) C) as [H | H].
    - f_equal. apply RZ_generic. apply (multiple_format emin p c); auto.
      pose proof C_lt. lra.
    - pose proof C_gt_0. pose proof C_format as FC.
      destruct (clamp_cases s) as [[H1 _] | [[H1 E1] | [H1 E1]]]; [lra | |]; rewrite E1.
      + assert (C <= RZ s) by (apply round_ge_generic; auto with typeclass_instances; lra).
        destruct (clamp_cases (RZ s)) as [[K2 ->] | [[K2 ->] | [K2 _]]]; [| reflexivity | lra].
        apply Rabs_le_inv in K2. lra.
      + assert (RZ s <= - C) by (apply round_le_generic; auto with typeclass_instances;
          [now apply generic_format_opp | lra]).
        destruct (clamp_cases (RZ s)) as [[K2 ->] | [[K2 _] | [K2 ->]]]; [| lra | reflexivity].
        apply Rabs_le_inv in K2. lra. }
  split.
  - rewrite Hs. apply (sat_exact l r 0 0); assumption.
  - rewrite Hs. destruct (clamp_cases s) as [[_ ->] | [[_ ->] | [_ ->]]];
      [exact Ms | apply C_multiple |].
    destruct C_multiple as [k Hk]. exists (- k)%Z. rewrite Hk, opp_IZR. ring.
Qed.

(** Where q < c, small sums are exact and not clamped. *)
Lemma sat_fine : forall q t, (q < c)%Z -> all F t -> all (multiple q) t ->
  magn t <= bpow radix2 (p + q) -> value_sat t = sum t.
Proof.
  intros q t Hq. induction t as [x | l IHl r IHr]; simpl; intros Hf Hm HA; [reflexivity |].
  pose proof (magn_ge_0 l); pose proof (magn_ge_0 r).
  rewrite IHl, IHr by (tauto || lra).
  pose proof (exact_below_limit emin p Ztrunc q (Node l r) Hf Hm HA) as E. simpl in E.
  rewrite (exact_below_limit emin p Ztrunc q l),
    (exact_below_limit emin p Ztrunc q r) in E by (tauto || lra).
  rewrite E. destruct (clamp_cases (sum l + sum r)) as [[_ ->] | Hx]; [reflexivity | exfalso].
  assert (HC : bpow radix2 (p + q) <= C).
  { unfold C. apply Rle_trans with (bpow radix2 (p - 1) * bpow radix2 c).
    - rewrite <- bpow_plus. apply bpow_le. lia.
    - apply Rmult_le_compat_r; [apply bpow_ge_0 |].
      replace p with (p - 1 + 1)%Z at 2 by ring. rewrite bpow_S.
      assert (bpow radix2 0 <= bpow radix2 (p - 1)) by (apply bpow_le;
        unfold Prec_gt_0 in prec_gt_0_; lia).
      simpl in *. lra. }
  pose proof (sum_le_magn (Node l r)) as HS. simpl in HS. apply Rabs_le_inv in HS. lra.
Qed.

Lemma multiple_coarser : forall q x, (c <= q)%Z -> multiple q x -> multiple c x.
Proof.
  intros q x Hq [k ->]. exists (k * 2 ^ (q - c))%Z.
  rewrite mult_IZR, (IZR_Zpower radix2) by lia.
  replace q with (q - c + c)%Z at 1 by ring. rewrite bpow_plus. ring.
Qed.

Lemma sat_count : forall q M h t, (2 <= h)%nat ->
  (forall k, (2 <= k < h)%nat -> INR k * M <= bpow radix2 (p + q)) -> (q < c)%Z ->
  all F t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  exists k, (k <= fat h t)%nat /\ sat t k (value_sat t).
Proof.
  intros q M h t Hh2 Hh Hq. induction t as [x | l IHl r IHr]; intros Hf Hm Hb.
  - exists 0%nat. split; [lia | constructor].
  - destruct (IHl (proj1 Hf) (proj1 Hm) (proj1 Hb)) as [kl [Kl El]].
    destruct (IHr (proj2 Hf) (proj2 Hm) (proj2 Hb)) as [kr [Kr Er]].
    simpl fat. destruct (Nat.leb_spec h (leaves l + leaves r)) as [Hge | Hlt].
    + exists (S (kl + kr)). split; [lia |]. now apply sat_round.
    + exists (kl + kr)%nat. split; [lia |].
      assert (HA : magn (Node l r) <= bpow radix2 (p + q)).
      { eapply Rle_trans; [apply (magn_le_leaves M); exact Hb |].
        apply Hh. simpl. rewrite !leaves_adds in *. lia. }
      pose proof (magn_ge_0 l). pose proof (magn_ge_0 r). simpl in HA, Hf, Hm.
      assert (E1 : value_sat l = sum l) by (apply (sat_fine q); tauto || lra).
      assert (E2 : value_sat r = sum r) by (apply (sat_fine q); tauto || lra).
      pose proof (exact_below_limit emin p Ztrunc q (Node l r) Hf Hm HA) as E. simpl in E.
      rewrite (exact_below_limit emin p Ztrunc q l),
        (exact_below_limit emin p Ztrunc q r) in E by (tauto || lra).
      simpl. rewrite <- E1, <- E2 in E. rewrite E. apply sat_exact; auto. now rewrite E.
Qed.

Lemma sat_r_of : forall q M t, 0 < M ->
  all F t -> all (fun x => Rabs x <= C) t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  exists k, (k <= r_of p q M t)%nat /\ sat t k (value_sat t).
Proof.
  intros q M t HM Hf HC Hm Hb. destruct (Z_lt_le_dec q c) as [Hq | Hq].
  - destruct (sat_count q M (h_of p q M) t) as [k [Hk Hs]]; auto.
    + unfold h_of. lia.
    + intros k. now apply h_of_ok.
    + exists k. split; [| exact Hs]. eapply Nat.le_trans; [exact Hk |].
      apply additions_above_h_terms. unfold h_of. lia.
  - exists 0%nat. split; [lia |]. apply sat_coarse; [| exact HC].
    apply (all_impl (multiple q)); [| exact Hm]. intros x. now apply multiple_coarser.
Qed.

Lemma saturated_leaves : forall q M t, 0 < M ->
  all F t -> all (fun x => Rabs x <= C) t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let T := INR (r_of p q M t) * v * magn t in
  Rmin (pos t) C - neg t - T <= value_sat t <= pos t - Rmin (neg t) C + T.
Proof.
  intros q M t HM Hf HC Hm Hb T.
  destruct (sat_r_of q M t HM Hf HC Hm Hb) as [k [Hk Hs]]. pose proof (saturated_counted t k _ Hs Hf HC) as H. cbv zeta in H.
  assert (INR k * v * magn t <= T).
  { unfold T. apply Rmult_le_compat_r; [apply magn_ge_0 |].
    apply Rmult_le_compat_r; [apply Rlt_le, v_gt_0 | now apply le_INR]. }
  lra.
Qed.

(** The same, where n counts the terms that are not zero. *)
Lemma prune_pos_neg : forall t, on 0 pos (prune t) = pos t /\ on 0 neg (prune t) = neg t.
Proof.
  induction t as [x | l [Pl Nl] r [Pr Nr]]; simpl.
  - destruct (Req_EM_T x 0) as [-> |]; simpl; [| split; reflexivity].
    rewrite Ropp_0, Rmax_left by lra. split; reflexivity.
  - destruct (prune l), (prune r); simpl in *; split; lra.
Qed.

Lemma value_sat_in : forall t, all F t -> all (fun x => Rabs x <= C) t ->
  F (value_sat t) /\ Rabs (value_sat t) <= C.
Proof.
  induction t as [x | l IHl r IHr]; simpl; intros Hf Hb; [split; assumption |].
  split; [| apply clamp_abs].
  apply clamp_format, generic_format_round; auto with typeclass_instances.
Qed.

Lemma clamp_RZ : forall x, F x -> Rabs x <= C -> clamp (RZ x) = x.
Proof.
  intros x Fx Hx. rewrite RZ_generic by exact Fx. apply Rabs_le_inv in Hx.
  unfold clamp. rewrite Rmin_left, Rmax_right by lra. reflexivity.
Qed.

Lemma prune_value_sat : forall t, all F t -> all (fun x => Rabs x <= C) t ->
  on 0 value_sat (prune t) = value_sat t.
Proof.
  induction t as [x | l IHl r IHr]; simpl; [intros _ _; destruct (Req_EM_T x 0); simpl; auto |].
  intros [Fl Fr] [Bl Br]. specialize (IHl Fl Bl). specialize (IHr Fr Br).
  destruct (value_sat_in l Fl Bl) as [Vl Wl]. destruct (value_sat_in r Fr Br) as [Vr Wr].
  pose proof C_gt_0. assert (F 0) by apply generic_format_0.
  destruct (prune l), (prune r); simpl in *; rewrite <- IHl, <- IHr in *;
    rewrite ?Rplus_0_l, ?Rplus_0_r; try reflexivity; symmetry; now apply clamp_RZ.
Qed.

Theorem saturated : forall q M t, 0 < M ->
  all F t -> all (fun x => Rabs x <= C) t -> all (multiple q) t -> all (fun x => Rabs x <= M) t ->
  let T := INR (nonzero t + 1 - h_of p q M) * v * magn t in
  Rmin (pos t) C - neg t - T <= value_sat t <= pos t - Rmin (neg t) C + T.
Proof.
  intros q M t HM Hf HC Hm Hb T. unfold T; clear T.
  pose proof (prune_all _ _ Hf) as Hf'. pose proof (prune_all _ _ HC) as HC'.
  pose proof (prune_all _ _ Hm) as Hm'. pose proof (prune_all _ _ Hb) as Hb'.
  destruct (prune_pos_neg t) as [<- <-].
  rewrite <- (prune_value_sat t Hf HC), <- (prune_magn t), <- (prune_leaves t).
  destruct (prune t) as [t' |]; simpl in *.
  - now apply (saturated_leaves q M t').
  - pose proof C_gt_0. rewrite Rmin_left by lra. rewrite Rmult_0_r. lra.
Qed.

End Truncate.
